//@ name variation
//@ bounds -3 6
//@ n 60
//@ reads k..k+1

// The signal is a staircase with waves on it. Its total variation is to be small, too.
static void component(uint k, point x, data d, real *acc)
{
    real v = at(x, k), y = R(1.5) * (k / 12 % 3) + R(0.4) * sin(R(1.7) * k);
    acc[0] += R(0.5) * sq(v - y);
    if (k + 1 < DIM) acc[0] += R(0.8) * fabs(at(x, k + 1) - v);
}
