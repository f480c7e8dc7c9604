// a matrix of rank 4, a third of which is known: lists
//@ n 560
//@ bounds -4 4
//@ components len(b)
//@ reads lists factors.txt
//@ data b factors.npy
//@ best 0
static void component(uint k, point x, data d, real *acc)
{
    uint s = d.reads_start[k];
    real e = -d.b[k];
    for (uint j = 0; j < 4; j++) e += at(x, d.reads[s + j]) * at(x, d.reads[s + 4 + j]);
    acc[0] += sq(e);
}
