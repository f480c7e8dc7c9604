// many local minima in each variable, and neighbours that pull at each other
//@ n 1000
//@ bounds -5 5
//@ components n-1
//@ reads k..k+1
//@ best 0
static void component(uint k, point x, data d, real *acc)
{
    real a = at(x, k) - R(0.3), b = at(x, k + 1) - R(0.3);
    acc[0] += sq(a) + 10 - 10 * cos_2pi(a) + sq(b - a);
    if (k == COMPS - 1) acc[0] += sq(b) + 10 - 10 * cos_2pi(b);
}
