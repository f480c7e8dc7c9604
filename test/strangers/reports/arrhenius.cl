// a diffusion coefficient at four temperatures: values of 1e-10, a factor below one and an energy of thousands
//@ bounds arrhenius-box.csv
//@ n 2
//@ data p arrhenius.csv
//@ components rows(p)
//@ squares 1
static void residuals(uint k, point x, data d, real *r)
{
    r[0] = at(x, 0)*exp(-at(x, 1)/d.p[2*k]) - d.p[2*k + 1];
}
