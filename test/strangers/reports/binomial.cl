// a negative binomial distribution fitted to counts, one of its parameters rounded
//@ bounds binomial-box.csv
//@ n 2
//@ data h binomial.csv
//@ components rows(h)
static void component(uint k, point x, data d, real *acc)
{
    real r = rint(at(x, 0)), p = at(x, 1);
    acc[0] -= d.h[k]*(lgamma(k + r) - lgamma(r) - lgamma(k + R(1.0)) + r*log(p) + k*log(1 - p));
}
