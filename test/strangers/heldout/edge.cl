// an optimum at the edge of the box: a concave chain with ripples
//@ bounds -2 3
//@ n 900
//@ components n-1
//@ reads k..k+1
static void component(uint k, point x, data d, real *acc)
{
    real a = at(x, k), b = at(x, k + 1);
    acc[0] += -a*a + R(0.9)*a*b + R(0.2)*cos(R(15.0)*a) + R(0.1)*a*sin((real)k);
}
