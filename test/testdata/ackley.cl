//@ name ackley
//@ bounds -32.768 32.768
//@ sums 2                 the mean square and the mean cosine
//@ reads k
//@ f -20*exp(-0.2*sqrt(s0/n)) - exp(s1/n) + 20 + e
//@ best 0

static void component(uint k, point x, data d, real *acc)
{
    real v = at(x, k);
    acc[0] += v * v;
    acc[1] += cos_2pi(v);
}
