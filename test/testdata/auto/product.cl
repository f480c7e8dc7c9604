// a product over all variables
//@ n 50
//@ bounds -50 50
//@ sums 2
//@ reads k
//@ f s0/200 - exp(s1) + 1
//@ best 0
static void component(uint k, point x, data d, real *acc)
{
    real v = at(x, k);
    acc[0] += sq(v);
    acc[1] += log(fmax(fabs(cos(v / sqrt((real)(k + 1)))), R(1e-9)));
}
