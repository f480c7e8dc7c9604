// a likelihood of counts: logarithms of expected counts that are negative in much of the box
//@ bounds -1 1
//@ n 2
//@ data p counts.csv
//@ components rows(p)
static void component(uint k, point x, data d, real *acc)
{
    real expected = d.p[3*k]*(1 + at(x, 0)) + 4*d.p[3*k + 1]*at(x, 1);
    acc[0] += 2*(expected - d.p[3*k + 2] + d.p[3*k + 2]*log(d.p[3*k + 2]/expected));
}
