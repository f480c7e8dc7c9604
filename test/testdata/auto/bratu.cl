// Bratu's equation u'' + exp(u) = 0 at 402 points, as squares of residuals
//@ n 402
//@ bounds -1 5
//@ components n-2
//@ reads k..k+2
//@ squares 2
//@ best 0
static void residuals(uint k, point x, data d, real *r)
{
    real h = R(1.0) / (DIM - 1), u = at(x, k + 1);
    r[0] = (at(x, k) - 2 * u + at(x, k + 2)) / (h * h) + exp(u);
    r[1] = k == 0 ? at(x, k) / (h * h) : k + 3 == DIM ? at(x, k + 2) / (h * h) : R(0.0);
}
