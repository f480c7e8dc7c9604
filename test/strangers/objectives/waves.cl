// random waves in a random net: lists
//@ n 400
//@ bounds -3 3
//@ reads lists waves.txt
//@ data a waves.npy
static void component(uint k, point x, data d, real *acc)
{
    uint s = d.reads_start[k];
    for (uint w = 0; w < 3; w++) {
        real p = d.a[15*k + 12 + w];
        for (uint j = 0; j < 4; j++) p += d.a[15*k + 4*w + j] * at(x, d.reads[s + j]);
        acc[0] += sin(p);
    }
}
