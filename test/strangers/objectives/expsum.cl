// a product of factors: exp of a sum
//@ n 800
//@ bounds 0.01 5
//@ sums 2
//@ reads k
//@ f exp(s0/n) * (1 + s1/n)
static void component(uint k, point x, data d, real *acc)
{
    real v = at(x, k);
    acc[0] += log(1 + sq(v - 1) + R(0.3) * (1 - cos(9 * (v - 1))));
    acc[1] += fabs(v - R(1.5));
}
