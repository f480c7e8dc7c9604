// Weierstrass' function with neighbours: a chain
//@ n 300
//@ bounds -0.5 0.5
//@ components n-1
//@ reads k..k+1
//@ best 0
static void component(uint k, point x, data d, real *acc)
{
    real a = 1, b = 1;
    for (uint j = 0; j < 12; j++) {
        acc[0] += a * (2 - cos_2pi(b * (at(x, k) - R(0.1))) - cos_2pi(b * (at(x, k + 1) - R(0.1))));
        a *= R(0.5); b *= 3;
    }
    acc[0] += fabs(at(x, k) - at(x, k + 1));
}
