// absolute values, without derivatives at the minimum
//@ n 500
//@ bounds -10 10
//@ components n-4
//@ reads k..k+4
//@ best 0
static void component(uint k, point x, data d, real *acc)
{
    acc[0] += fabs(at(x, k) - at(x, k + 4)) + fabs(at(x, k + 2) - R(0.5));
    if (k < 2 || k + 7 > DIM)
        acc[0] += fabs(at(x, k) - R(0.5));
}
