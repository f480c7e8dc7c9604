// residuals, one of which is set in two branches
//@ bounds -2 2
//@ n 12
//@ components 4
//@ squares 2
static void residuals(uint k, point x, data d, real *r)
{
    real a = at(x, 3*k), b = at(x, 3*k + 1), c = at(x, 3*k + 2);
    r[0] = a*b - c;
    if (a > b) r[1] = sin(a) - b;
    else r[1] = (a - b)*c;
}
