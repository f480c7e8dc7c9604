// not bounded below: logarithms with poles along a chain
//@ bounds -1 1
//@ n 1000
//@ components n-1
//@ reads k..k+1
static void component(uint k, point x, data d, real *acc)
{
    acc[0] += log(fabs(at(x, k) - R(0.3)*at(x, k + 1)*at(x, k + 1) - R(0.1))) + sq(at(x, k + 1));
}
