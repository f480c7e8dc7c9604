// many local minima in each variable
//@ n 1000
//@ bounds -5 5
//@ reads k
//@ best 0
static void component(uint k, point x, data d, real *acc)
{
    real v = at(x, k) - R(0.7);
    acc[0] += sq(v) + 10 - 10 * cos_2pi(v);
}
