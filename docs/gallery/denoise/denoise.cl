//@ name denoise
//@ bounds 0 1
//@ data noisy noisy.npy
//@ grid rows(noisy) cols(noisy)
//@ reads self, right, down
//@ label s0 misfit
//@ label s1 variation
//@ sums 2
//@ f s0 + 0.15*s1
static void component(uint k, point x, data d, real *acc)
{
    real v = at(x, k), right = R(0.0), down = R(0.0);
    if (k % GRID_X + 1 < GRID_X) right = at(x, k + 1) - v;
    if (k / GRID_X + 1 < GRID_Y) down = at(x, k + GRID_X) - v;
    acc[0] += R(0.5) * sq(v - d.noisy[k]);
    acc[1] += sqrt(sq(right) + sq(down) + sq(R(0.01)));
}
