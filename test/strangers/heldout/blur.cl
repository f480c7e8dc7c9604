// a blurred signal of steps, smoothed total variation: windows of nine
//@ bounds -2 8
//@ data y blur.csv
//@ n len(y)
//@ components n-8
//@ reads k..k+8
static void component(uint k, point x, data d, real *acc)
{
    real s = -d.y[k + 4];
    for (uint j = 0; j < 9; j++) s += at(x, k + j) * exp(-((real)j - 4)*((real)j - 4)/8);
    acc[0] += s*s + R(0.1)*sqrt(sq(at(x, k + 5) - at(x, k + 4)) + R(1e-6));
}
