// components that read six neighbours
//@ n 500
//@ bounds -1 1
//@ components n-5
//@ reads k..k+5
//@ best 0
static void component(uint k, point x, data d, real *acc)
{
    real s = at(x, k) - R(0.2);
    for (uint j = 1; j <= 5; j++)
        s += at(x, k + j) - R(0.2);
    real v = at(x, k) - R(0.2);
    acc[0] += sq(v * (2 + 5 * sq(v))) + R(0.1) * sq(s);
}
