// a smooth sum over single variables
//@ n 2000
//@ bounds -100 100
//@ reads k
//@ best 0
static void component(uint k, point x, data d, real *acc)
{
    acc[0] += sq(at(x, k) - R(3.25));
}
