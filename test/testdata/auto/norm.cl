// the root of a sum
//@ n 500
//@ bounds -10 10
//@ components n-1
//@ reads k..k+1
//@ f sqrt(s0)
//@ best 0
static void component(uint k, point x, data d, real *acc)
{
    real a = at(x, k);
    acc[0] += sq(at(x, k + 1) - a) + sq(a - 1);
}
