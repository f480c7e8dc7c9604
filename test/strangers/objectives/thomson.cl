// 50 charges on a sphere, nothing declared
//@ n 100
//@ bounds -3.2 3.2
//@ components 50
static void component(uint k, point x, data d, real *acc)
{
    real t = at(x, 2*k), p = at(x, 2*k + 1);
    for (uint j = k + 1; j < 50; j++) {
        real c = cos(t) * cos(at(x, 2*j)) * cos(p - at(x, 2*j + 1)) + sin(t) * sin(at(x, 2*j));
        acc[0] += rsqrt(fmax(2 - 2*c, R(1e-9)));
    }
}
