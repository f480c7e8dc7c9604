//@ name rosenbrock
//@ bounds -2.048 2.048
//@ n 1000
//@ sums 2                 the valley's walls and its floor
//@ reads k..k+1
//@ components n-1
//@ f s0 + s1
//@ best 0

static void component(uint k, point x, data d, real *acc)
{
    real v = at(x, k);
    acc[0] += R(100.0) * sq(at(x, k + 1) - v * v);
    acc[1] += sq(R(1.0) - v);
}
