// sparse least squares, nothing declared
//@ n 3000
//@ bounds -20 20
//@ components rows(a)
//@ data i ridge-columns.npy uint
//@ data a ridge.npy
static void component(uint k, point x, data d, real *acc)
{
    real e = -d.a[6*k + 5];
    for (uint j = 0; j < 5; j++) e += d.a[6*k + j] * at(x, d.i[5*k + j]);
    acc[0] += sq(e);
    if (k < DIM) acc[0] += R(0.01) * sq(at(x, k));
}
