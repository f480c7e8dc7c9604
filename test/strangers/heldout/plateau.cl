// steps: rounded variables and rounded differences of a chain
//@ bounds -10 10
//@ n 600
//@ components n-1
//@ reads k..k+1
static void component(uint k, point x, data d, real *acc)
{
    real a = at(x, k), b = at(x, k + 1);
    acc[0] += fabs(round(R(3.0)*a) - (real)(k % 7)) + floor(fabs(a - b)) + R(0.5)*fabs(floor(a*b) - R(1.0));
}
