// a power of a sum over all variables
//@ n 100
//@ bounds -5 10
//@ sums 2
//@ reads k
//@ f s0 + s1^2 + s1^4
//@ best 0
static void component(uint k, point x, data d, real *acc)
{
    real v = at(x, k);
    acc[0] += sq(v);
    acc[1] += R(0.5) * (k + 1) * v;
}
