// weights from 1 to 1e8
//@ n 1000
//@ bounds -5 5
//@ reads k
//@ best 0
static void component(uint k, point x, data d, real *acc)
{
    acc[0] += pow(R(1e8), (real)k / (DIM - 1)) * sq(at(x, k) - R(0.3));
}
