// double wells: separable
//@ n 1000000
//@ bounds -5 5
//@ reads k
static void component(uint k, point x, data d, real *acc)
{
    real v = at(x, k);
    acc[0] += v*v*v*v - 16*v*v + 5*v + sin(R(0.001) * k) * v;
}
