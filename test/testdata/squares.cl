//@ name rosenbrock
//@ bounds -2.048 2.048
//@ n 1000
//@ squares 2
//@ reads k..k+1
//@ components n-1
//@ best 0

static void residuals(uint k, point x, data d, real *r)
{
    real v = at(x, k);
    r[0] = R(10.0) * (at(x, k + 1) - v * v);
    r[1] = R(1.0) - v;
}
