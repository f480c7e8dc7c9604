// a network with 12 hidden units, fitted to 150 points, nothing declared
//@ n 49
//@ bounds -5 5
//@ components rows(p)
//@ data p net.npy
static void component(uint k, point x, data d, real *acc)
{
    real y = at(x, 48);
    for (uint h = 0; h < 12; h++)
        y += at(x, 4*h + 3) * tanh(at(x, 4*h) * d.p[3*k] + at(x, 4*h + 1) * d.p[3*k + 1] + at(x, 4*h + 2));
    acc[0] += sq(y - d.p[3*k + 2]);
}
