//@ n 10
//@ bounds -100 100
//@ data A absolute.csv
//@ data y absolute-y.csv
//@ components rows(A)
//@ label s0 absolute error
static void component(uint k, point x, data d, real *acc)
{
    real e = d.y[k];
    for (int j = 0; j < 10; j++) e -= d.A[10*k + j]*at(x, j);
    acc[0] += fabs(e);
}
