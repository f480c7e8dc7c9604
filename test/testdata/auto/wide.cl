// a bent valley in a wide box
//@ n 100
//@ components n-1
//@ reads k..k+1
//@ bounds -1e4 1e4
//@ best 0
static void component(uint k, point x, data d, real *acc)
{
    real a = at(x, k);
    acc[0] += 100 * sq(at(x, k + 1) - sq(a)) + sq(1 - a);
}
