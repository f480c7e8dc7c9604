// turned and rugged groups of eight variables, which are not neighbours
//@ n 240
//@ bounds -5 5
//@ components 30
//@ reads lists shuffled.txt
//@ best 0
static void component(uint k, point x, data d, real *acc)
{
    uint s = d.reads_start[k];
    real t = 0;
    for (uint j = 0; j < 8; j++) t += (j + 1) * (at(x, d.reads[s + j]) - R(0.1) * j) / 102;
    for (uint j = 0; j < 8; j++)
    {
        real v = at(x, d.reads[s + j]) - R(0.1) * j - (j + 1) * t; // a mirror image
        acc[0] += (1 + j) * sq(v) + 1 - cos_2pi(v);
    }
}
