// an exponential whose two parameters are about 1e-9
//@ bounds smallexp-box.csv
//@ n 2
//@ components 20
//@ squares 1
static void residuals(uint k, point x, data d, real *r)
{
    real t = R(0.1) + R(4.9)*k/R(19.0);
    r[0] = at(x, 0)*exp(at(x, 1)*t/R(4e-10)) - R(1e-9)*exp(t);
}
