// a signal of 16 numbers from the squares of 80 products
//@ bounds -5 5
//@ n 16
//@ data a phases.csv
//@ components rows(a)
//@ squares 1
static void residuals(uint k, point x, data d, real *r)
{
    real s = 0;
    for (uint i = 0; i < 16; i++) s += d.a[17*k + i]*at(x, i);
    r[0] = s*s - d.a[17*k + 16];
}
