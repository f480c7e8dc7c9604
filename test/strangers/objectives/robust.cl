// robust regression with Cauchy's loss, 15 % outliers: lists
//@ n 3000
//@ bounds -5 5
//@ components rows(a)
//@ reads lists robust.txt
//@ data a robust.npy
static void component(uint k, point x, data d, real *acc)
{
    uint s = d.reads_start[k];
    real e = -d.a[4 * k + 3];
    for (uint j = 0; j < 3; j++) e += d.a[4 * k + j] * at(x, d.reads[s + j]);
    acc[0] += log1p(sq(e / R(0.2)));
}
