// Rosenbrock's chain
//@ n 100000
//@ bounds -2 2
//@ components n-1
//@ reads k..k+1
//@ best 0
static void component(uint k, point x, data d, real *acc)
{
    real a = at(x, k), b = at(x, k + 1);
    acc[0] += 100 * sq(b - a*a) + sq(1 - a);
}
