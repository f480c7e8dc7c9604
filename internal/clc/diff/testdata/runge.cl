// rates of a reaction, by Runge-Kutta steps with arrays
//@ bounds 0 2
//@ n 3
//@ components 1
static void rates(const real *y, real a, real b, real c, real *f)
{
    f[0] = -a*y[0] + b*y[1]*y[2];
    f[2] = c*y[1]*y[1];
    f[1] = -f[0] - f[2];
}
static void component(uint k, point x, data d, real *acc)
{
    real y[3] = { 1, 0, 0 };
    const real h = R(0.05), a = at(x, 0), b = at(x, 1), c = at(x, 2);
    for (int i = 0; i < 40; i++) {
        real f[3], g[3], z[3];
        rates(y, a, b, c, f);
        for (int j = 0; j < 3; j++) z[j] = y[j] + h/2*f[j];
        rates(z, a, b, c, g);
        for (int j = 0; j < 3; j++) y[j] += h*g[j];
        if (i % 10 == 9) acc[0] += sq(y[1] - R(0.1)) + sq(y[2] - R(0.5));
    }
}
