// a product of reliabilities under cost: sums multiply
//@ bounds 0.1 5
//@ n 500
//@ sums 2
//@ reads k
//@ f -exp(s0) * (1 - s1/n/10)
static void component(uint k, point x, data d, real *acc)
{
    real v = at(x, k);
    acc[0] += log1p(-exp(-v * (R(2.0) + sin((real)k))) / R(50.0)) + R(0.0005)*cos(R(12.0)*v);
    acc[1] += v * (1 + k % 3);
}
