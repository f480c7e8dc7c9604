// a root by Newton's method, which stops when it is near, in each component
//@ bounds 1 3
//@ n 10
//@ components 10
static void component(uint k, point x, data d, real *acc)
{
    real v = 1, a = at(x, k);
    for (int i = 0; i < 30; i++) {
        real step = (v*v*v - a)/(3*v*v);
        v -= step;
        if (fabs(step) < R(1e-12)) break;
    }
    acc[0] += v + sq(a);
}
