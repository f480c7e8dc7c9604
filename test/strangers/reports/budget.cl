// 200 channels share a power of 100, no more: logarithms of gains
//@ bounds 0 50
//@ n 200
//@ sums 2
//@ reads k
//@ f s0 + 10*max(0, s1 - 100)
static void component(uint k, point x, data d, real *acc)
{
    acc[0] -= log(1 + at(x, k)/(R(0.2) + R(0.01)*k));
    acc[1] += at(x, k);
}
