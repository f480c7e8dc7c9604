// few variables, and nothing is declared
//@ n 10
//@ bounds -5 5
//@ components n-1
//@ reads whole
//@ best 0
static void component(uint k, point x, data d, real *acc)
{
    real a = at(x, k);
    acc[0] += 100 * sq(at(x, k + 1) - sq(a)) + sq(1 - a);
}
