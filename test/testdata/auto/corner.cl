// the minimum is at a bound
//@ n 1000
//@ bounds 1 4
//@ reads k
//@ best 1000
static void component(uint k, point x, data d, real *acc)
{
    real v = at(x, k);
    acc[0] += v + R(0.3) * sin(3 * v) - R(0.3) * sin(R(3.0));
}
