// a rational function through eleven points (NIST: MGH09)
//@ bounds -100 100
//@ n 4
//@ data p mgh09.csv
//@ components rows(p)
//@ squares 1
static void residuals(uint k, point x, data d, real *r)
{
    real t = d.p[2*k];
    r[0] = at(x, 0)*(t*t + t*at(x, 1))/(t*t + t*at(x, 2) + at(x, 3)) - d.p[2*k + 1];
}
