// rotated groups of eight: lists
//@ n 480
//@ bounds -5 5
//@ components 60
//@ reads lists turned.txt
//@ data q turned.npy
//@ data s turned-shift.npy
//@ best 0
static void component(uint k, point x, data d, real *acc)
{
    uint s = d.reads_start[k];
    for (uint i = 0; i < 8; i++) {
        real v = 0;
        for (uint j = 0; j < 8; j++) v += d.q[(8*k + i)*8 + j] * (at(x, d.reads[s + j]) - d.s[d.reads[s + j]]);
        acc[0] += pow(R(100.0), (real)i / 7) * sq(v) + 5 - 5*cos_2pi(v);
    }
}
