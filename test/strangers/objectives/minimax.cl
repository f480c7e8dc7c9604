// the largest of 200 residuals, by their power sum, nothing declared
//@ n 40
//@ bounds -2 2
//@ components 200
//@ f s0^(1/16)
static void component(uint k, point x, data d, real *acc)
{
    real t = R(-1.0) + R(0.01) * k, p = 0;
    for (uint j = DIM; j > 0; j--) p = p * t * R(0.9) + at(x, j - 1);
    acc[0] += pow(p - fabs(t), R(16.0));
}
