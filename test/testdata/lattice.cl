//@ name lattice
//@ bounds -2 2
//@ n 3000
//@ reads k, k+1, k+50     the next variable, and the one in the next row of 50
//@ best 0

static void component(uint k, point x, data d, real *acc)
{
    const real v = at(x, k);
    acc[0] += sq(v - R(1.0));
    if (k + 1 < DIM) acc[0] += sq(at(x, k + 1) - v * v);
    if (k + 50 < DIM) acc[0] += R(0.5) * sq(at(x, k + 50) - v);
}
