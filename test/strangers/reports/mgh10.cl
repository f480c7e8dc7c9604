// a thermistor: three parameters of very different sizes (NIST: MGH10)
//@ bounds mgh10-box.csv
//@ n 3
//@ data p mgh10.csv
//@ components rows(p)
//@ squares 1
static void residuals(uint k, point x, data d, real *r)
{
    r[0] = at(x, 0)*exp(at(x, 1)/(d.p[2*k] + at(x, 2))) - d.p[2*k + 1];
}
