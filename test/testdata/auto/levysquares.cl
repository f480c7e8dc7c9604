// Levy's function as squares: waves in a bowl
//@ n 500
//@ bounds -10 10
//@ components n-1
//@ reads k..k+1
//@ squares 3
//@ best 0
static void residuals(uint k, point x, data d, real *r)
{
    real a = 1 + (at(x, k) - 1) / 4, b = 1 + (at(x, k + 1) - 1) / 4;
    r[0] = (a - 1) * sqrt(1 + 10 * sq(sin(PI * a + 1)));
    r[1] = k == 0 ? sin(PI * a) : R(0.0);
    r[2] = k == COMPS - 1 ? (b - 1) * sqrt(1 + sq(sin_2pi(b))) : R(0.0);
}
