// Rosenbrock's function above a constant of a million
//@ bounds -5 5
//@ n 10
//@ components n-1
//@ reads k..k+1
//@ f s0 + 1000000
static void component(uint k, point x, data d, real *acc)
{
    acc[0] += 100*sq(at(x, k + 1) - sq(at(x, k))) + sq(1 - at(x, k));
}
