// a value that is not linear in its sums
//@ n 500
//@ bounds -32 32
//@ sums 2
//@ reads k
//@ f -20*exp(-0.2*sqrt(s0/n)) - exp(s1/n) + 20 + e
//@ best 0
static void component(uint k, point x, data d, real *acc)
{
    real v = at(x, k) - 4;
    acc[0] += sq(v);
    acc[1] += cos_2pi(v);
}
