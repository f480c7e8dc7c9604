// least squares with absolute values of 50 coefficients, of which few matter
//@ bounds -100 100
//@ n 50
//@ data a lasso.csv
//@ components 30
static void component(uint k, point x, data d, real *acc)
{
    real s = -d.a[51*k + 50];
    for (uint i = 0; i < 50; i++) s += d.a[51*k + i]*at(x, i);
    acc[0] += s*s/2;
    for (uint i = k; i < 50; i += 30) acc[0] += 10*fabs(at(x, i));
}
