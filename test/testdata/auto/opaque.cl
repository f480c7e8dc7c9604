// few variables, nothing is declared, and clopt does not read the text
//@ n 10
//@ bounds -5 5
//@ components n-1
//@ reads whole
static void component(uint k, point x, data d, real *acc)
{
    real a = at(x, k) + as_int(0u);
    acc[0] += 100 * sq(at(x, k + 1) - sq(a)) + sq(1 - a);
}
