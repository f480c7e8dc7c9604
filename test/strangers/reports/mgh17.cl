// two exponentials and a constant (NIST: MGH17)
//@ bounds mgh17-box.csv
//@ n 5
//@ data y mgh17.csv
//@ components rows(y)
static void component(uint k, point x, data d, real *acc)
{
    real t = 10*k;
    acc[0] += sq(at(x, 0) + at(x, 1)*exp(-t*at(x, 3)) + at(x, 2)*exp(-t*at(x, 4)) - d.y[k]);
}
