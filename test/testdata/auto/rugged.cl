// a bent valley with waves
//@ n 500
//@ bounds -10 10
//@ components n-1
//@ reads k..k+1
//@ best 0
static void component(uint k, point x, data d, real *acc)
{
    real a = at(x, k) - 1, b = at(x, k + 1) - 1;
    acc[0] += 10 * sq(b - a * a) + sq(a) + 1 - cos(3 * a);
}
