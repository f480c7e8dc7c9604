// a narrow deep hole beside a wide valley: separable
//@ n 10000
//@ bounds 0 1
//@ reads k
//@ best 0
static void component(uint k, point x, data d, real *acc)
{
    real v = at(x, k), c = R(0.8) + R(0.1) * sin((real)k);
    acc[0] += fmin(R(0.2) + fabs(v - R(0.1)), R(50.0) * fabs(v - c));
}
