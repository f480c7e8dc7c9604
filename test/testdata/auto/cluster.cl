// thirteen atoms, every two of which attract each other
//@ n 39
//@ bounds -3 3
//@ components 78
//@ reads lists cluster.txt
//@ best -44.326801
static void component(uint k, point x, data d, real *acc)
{
    uint s = d.reads_start[k];
    real r = 0;
    for (uint c = 0; c < 3; c++) r += sq(at(x, d.reads[s + c]) - at(x, d.reads[s + 3 + c]));
    r = fmax(r, R(0.01));
    real q = 1 / (r * r * r);
    acc[0] += 4 * (q * q - q);
}
