// total variation of an image: a grid
//@ bounds 0 1
//@ grid 150 150
//@ reads self, right, down
//@ data a image.npy
static void component(uint k, point x, data d, real *acc)
{
    real v = at(x, k), r = 0, u = 0;
    if (k % GRID_X + 1 < GRID_X) r = at(x, k + 1) - v;
    if (k / GRID_X + 1 < GRID_Y) u = at(x, k + GRID_X) - v;
    acc[0] += R(0.5) * sq(v - d.a[k]) + R(0.1) * sqrt(sq(r) + sq(u) + R(1e-6));
}
