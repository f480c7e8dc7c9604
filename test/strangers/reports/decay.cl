// an exponential with a constant, in a wide box where most points overflow
//@ bounds -1000 1000
//@ n 3
//@ data p decay.csv
//@ components rows(p)
static void component(uint k, point x, data d, real *acc)
{
    acc[0] += sq(at(x, 0)*exp(-at(x, 1)*d.p[2*k]) + at(x, 2) - d.p[2*k + 1]);
}
