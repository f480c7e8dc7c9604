// CUTEst: VARDIM, whose second sum appears squared and to the fourth
//@ bounds -10 10
//@ n 200
//@ sums 2
//@ reads k
//@ f s0 + s1^2 + s1^4
static void component(uint k, point x, data d, real *acc)
{
    acc[0] += sq(at(x, k) - 1);
    acc[1] += (k + 1)*(at(x, k) - 1);
}
