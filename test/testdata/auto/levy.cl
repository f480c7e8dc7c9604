// Levy's function: waves in a bowl
//@ n 500
//@ bounds -10 10
//@ components n-1
//@ reads k..k+1
//@ best 0
static void component(uint k, point x, data d, real *acc)
{
    real a = 1 + (at(x, k) - 1) / 4, b = 1 + (at(x, k + 1) - 1) / 4;
    acc[0] += sq(a - 1) * (1 + 10 * sq(sin(PI * a + 1)));
    if (k == 0) acc[0] += sq(sin(PI * a));
    if (k == COMPS - 1) acc[0] += sq(b - 1) * (1 + sq(sin_2pi(b)));
}
