// an increasing sequence near data, with a jump at every step down: a chain
//@ n 400
//@ bounds -6 6
//@ reads k..k+1
//@ data y order.npy
static void component(uint k, point x, data d, real *acc)
{
    real v = at(x, k);
    acc[0] += fabs(v - d.y[k]);
    if (k + 1 < DIM && at(x, k + 1) < v) acc[0] += 1 + v - at(x, k + 1);
}
