//@ name grid
//@ bounds -2 2
//@ grid 3 20 50                       planes, rows, columns
//@ reads self, left, down, back
//@ best 0

static void component(uint k, point x, data d, real *acc)
{
    const real v = at(x, k);
    acc[0] += sq(v - R(1.0));
    if (k % GRID_X > 0) acc[0] += sq(at(x, k - 1) - v * v);
    if (k / GRID_X % GRID_Y < GRID_Y - 1) acc[0] += sq(at(x, k + GRID_X) - v);
    if (k / GRID_X / GRID_Y < GRID_Z - 1) acc[0] += R(0.5) * sq(at(x, k + GRID_X * GRID_Y) - v);
}
