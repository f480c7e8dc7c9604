// a sum of two decays, fitted to a table
//@ n 6
//@ components 50
//@ bounds -10 10
//@ data t fit.npy
//@ best 0
static void component(uint k, point x, data d, real *acc)
{
    real t = d.t[2 * k];
    real y = at(x, 0) * exp(-at(x, 1) * t) + at(x, 2) * exp(-at(x, 3) * t) * cos(at(x, 4) * t + at(x, 5));
    acc[0] += sq(y - d.t[2 * k + 1]);
}
