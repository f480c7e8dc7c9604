// components that are functions of two sums
//@ bounds -2 2
//@ n 12
//@ components 4
//@ inner 2
static void component_inner(uint k, point x, data d, real *inner)
{
    for (uint i = 0; i < 3; i++) {
        inner[0] += sq(at(x, 3*k + i));
        inner[1] += exp(at(x, 3*k + i));
    }
}
static real component_value(uint k, const real *inner, data d)
{
    if (inner[0] < R(0.1)) return inner[1];
    real v = sqrt(inner[0]);
    return v + log(inner[1])*k;
}
