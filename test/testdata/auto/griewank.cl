// a product over all variables, with its sign
//@ n 1000
//@ bounds -600 600
//@ sums 3
//@ reads k
//@ f s0/4000 - exp(s1) * (1 - 2*(s2 - 2*floor(s2/2))) + 1
//@ best 0
static void component(uint k, point x, data d, real *acc)
{
    real v = at(x, k) - 37, c = cos(v / sqrt((real)(k + 1)));
    acc[0] += sq(v);
    acc[1] += log(fmax(fabs(c), R(1e-100)));
    acc[2] += c < 0;
}
