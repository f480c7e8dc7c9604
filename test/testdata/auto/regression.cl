// least squares with a table of data
//@ n 60
//@ bounds -10 10
//@ components 90
//@ reads whole
//@ data table table.npy
//@ best 0
static void component(uint k, point x, data d, real *acc)
{
    real s = 0;
    for (uint i = 0; i < DIM; i++)
        s += d.table[k * DIM + i] * (at(x, i) - R(0.01) * i);
    acc[0] += sq(s);
}
