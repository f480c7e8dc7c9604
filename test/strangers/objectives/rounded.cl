// sums of four rounded variables are known: lists
//@ n 300
//@ bounds -30 30
//@ components len(b)
//@ reads lists rounded.txt
//@ data b rounded.npy
//@ best 0
static void component(uint k, point x, data d, real *acc)
{
    uint s = d.reads_start[k];
    real e = -d.b[k];
    for (uint j = 0; j < 4; j++) e += rint(at(x, d.reads[s + j]));
    acc[0] += fabs(e);
}
