// a cubic spline through noisy points: windows of four
//@ n 1000
//@ bounds -3 3
//@ components n-3
//@ reads k..k+3
//@ data p spline.npy
static void component(uint k, point x, data d, real *acc)
{
    real a = at(x, k), b = at(x, k + 1), c = at(x, k + 2), e = at(x, k + 3);
    for (uint j = 0; j < 20; j++) {
        real t = d.p[2 * (20 * k + j)], y = d.p[2 * (20 * k + j) + 1], u = 1 - t;
        real s = (u*u*u*a + (3*t*t*t - 6*t*t + 4)*b + (-3*t*t*t + 3*t*t + 3*t + 1)*c + t*t*t*e) / 6;
        acc[0] += sq(s - y);
    }
    acc[0] += R(0.1) * sq(a - 2*b + c);
}
