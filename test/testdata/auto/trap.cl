// a narrow hole far from a wide valley, in each variable
//@ n 1000
//@ bounds 0 1
//@ reads k
//@ best 0
static void component(uint k, point x, data d, real *acc)
{
    real v = at(x, k), hole = R(0.8) + R(0.1) * sin((real)k);
    acc[0] += fmin(R(0.2) + fabs(v - R(0.1)), 50 * fabs(v - hole));
}
