// bent valleys in pairs of variables
//@ n 1000
//@ bounds -30 30
//@ components n/2
//@ reads 2*k..2*k+1
//@ best 0
static void component(uint k, point x, data d, real *acc)
{
    real a = at(x, 2 * k), b = at(x, 2 * k + 1);
    acc[0] += 100 * sq(b - sq(a)) + sq(1 - a);
}
