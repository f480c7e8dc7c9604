// Levy's function, nothing declared
//@ n 60
//@ bounds -10 10
//@ best 0
static void component(uint k, point x, data d, real *acc)
{
    real w = 1 + (at(x, k) - 1) / 4;
    if (k == 0) acc[0] += sq(sin(PI * w));
    if (k + 1 < DIM) acc[0] += sq(w - 1) * (1 + 10 * sq(sin(PI * w + 1)));
    else acc[0] += sq(w - 1) * (1 + sq(sin(2 * PI * w)));
}
