// waves.cl: component k is (x_k - c)^2 + 1 - cos(3 x_k), and the objective is their sum.
// Defines: CENTRE is c.

static void component(uint k, point x, data d, real *acc)
{
    real v = at(x, k), u = v - CENTRE, s = sin(R(1.5)*v);
    acc[0] += u*u + R(2.0)*s*s; // 1 - cos(3 v), which would cancel near 0
}

static real objective(const sum *acc, data d) { return sum_real(acc[0]); }
