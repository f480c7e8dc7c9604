// amplitude, frequency and shift of a noisy sine, the frequency known within a factor of forty
//@ bounds sine-box.csv
//@ n 3
//@ data p sine.csv
//@ components rows(p)
//@ squares 1
static void residuals(uint k, point x, data d, real *r)
{
    r[0] = at(x, 0)*sin(at(x, 1)*d.p[2*k] + at(x, 2)) - d.p[2*k + 1];
}
