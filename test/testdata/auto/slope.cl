// a chain whose minimum is at a bound
//@ n 1000
//@ components n-1
//@ reads k..k+1
//@ bounds 0 10
//@ best 999
static void component(uint k, point x, data d, real *acc)
{
    real a = at(x, k), b = at(x, k + 1);
    acc[0] += sqrt(1 + a + sq(a - b)) + a * b;
}
