// a rotated bowl, a thousand times as long as wide
//@ n 50
//@ bounds -5 5
//@ data m rotation.npy
//@ best 0
static void component(uint k, point x, data d, real *acc)
{
    real v = 0;
    for (uint j = 0; j < DIM; j++) v += d.m[k * DIM + j] * (at(x, j) - R(0.01) * j);
    acc[0] += pow(R(1e6), (real)k / (DIM - 1)) * sq(v);
}
