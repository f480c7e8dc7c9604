//@ bounds -5 5
//@ n 4
//@ squares 1
//@ reads k
//@ components n

// Every value takes some milliseconds.
static void residuals(uint k, point x, data d, real *r)
{
    const real v = at(x, k);
    real t = v;
    for (uint i = 0; i < 500000u; i++) t = R(0.5) * t + R(0.3) / (R(10.0) + t);
    r[0] = v - R(1.0) + R(1e-30) * t;
}
