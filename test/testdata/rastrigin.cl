//@ name rastrigin
//@ bounds -5.12 5.12
//@ reads k
//@ best 0

static void component(uint k, point x, data d, real *acc)
{
    real v = at(x, k);
    acc[0] += v * v - R(10.0) * cos_2pi(v) + R(10.0);
}
