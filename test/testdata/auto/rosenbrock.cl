// a chain along a bent valley
//@ n 200
//@ bounds -3 3
//@ components n-1
//@ reads k..k+1
//@ best 0
static void component(uint k, point x, data d, real *acc)
{
    real a = at(x, k);
    acc[0] += 100 * sq(at(x, k + 1) - sq(a)) + sq(1 - a);
}
