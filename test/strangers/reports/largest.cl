// the polynomial of degree five that is nowhere far from the exponential function: the largest of 101 differences
//@ bounds -10 10
//@ n 6
//@ components 1
static void component(uint k, point x, data d, real *acc)
{
    real far = 0;
    for (uint i = 0; i <= 100; i++) {
        real t = R(0.02)*i - 1, s = 0;
        for (uint j = 6; j-- > 0;) s = s*t + at(x, j);
        far = fmax(far, fabs(s - exp(t)));
    }
    acc[0] += far;
}
