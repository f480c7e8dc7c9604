// atoms on a wavy ground, joined by springs: a chain
//@ n 2000
//@ bounds 0 3000
//@ reads k..k+1
static void component(uint k, point x, data d, real *acc)
{
    real v = at(x, k);
    acc[0] += 1 - cos_2pi(v);
    if (k + 1 < DIM) acc[0] += R(0.5) * sq(at(x, k + 1) - v - R(1.3));
}
