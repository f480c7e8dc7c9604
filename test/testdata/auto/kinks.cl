// A chain with kinks: descents creep along them, and parts find their way.
//@ bounds -3 3
//@ n 3000
//@ components n-2
//@ reads k..k+2
//@ best 0
static void component(uint k, point x, data d, real *acc)
{
    real a = at(x, k), b = at(x, k + 1), c = at(x, k + 2);
    acc[0] += fabs(a*a - b) + sq(b - sin(c)) + R(0.3)*(R(1.0) - cos(R(9.0)*a));
}
