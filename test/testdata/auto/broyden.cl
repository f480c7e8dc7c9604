// Broyden's tridiagonal system, which has many valleys
//@ n 1000
//@ bounds -5 5
//@ components n-2
//@ reads k..k+2
//@ squares 1
//@ best 0
static void residuals(uint k, point x, data d, real *r)
{
    real v = at(x, k + 1);
    r[0] = (3 - 2 * v) * v - at(x, k) - 2 * at(x, k + 2) + 1;
}
