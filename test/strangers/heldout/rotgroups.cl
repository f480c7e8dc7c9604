// rotated Rastrigin groups of six that share two variables
//@ bounds -5 5
//@ n 402
//@ components n/4
//@ reads 4*k..4*k+5
//@ data Q rotated6.npy
static void component(uint k, point x, data d, real *acc)
{
    if (4*k + 5 >= DIM) return;
    for (uint i = 0; i < 6; i++) {
        real z = 0;
        for (uint j = 0; j < 6; j++) z += d.Q[6*i + j] * (at(x, 4*k + j) - R(0.5));
        acc[0] += z*z + R(2.0)*(R(1.0) - cos_2pi(z));
    }
}
