// a portfolio: risk by ten factors
//@ n 2000
//@ bounds 0 0.01
//@ sums 12
//@ reads k
//@ data a portfolio.npy
//@ f s0 + s1^2 + s2^2 + s3^2 + s4^2 + s5^2 + s6^2 + s7^2 + s8^2 + s9^2 + s10^2 + 100*(s11 - 1)^2
static void component(uint k, point x, data d, real *acc)
{
    real v = at(x, k);
    acc[0] += d.a[12 * k + 11] * sq(v) - R(0.2) * d.a[12 * k + 10] * v;
    for (uint j = 0; j < 10; j++) acc[1 + j] += d.a[12 * k + j] * v;
    acc[11] += v;
}
