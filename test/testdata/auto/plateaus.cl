// flat everywhere but at steps, with neighbours
//@ n 500
//@ components n-1
//@ reads k..k+1
//@ bounds -20 20
//@ best 0
static void component(uint k, point x, data d, real *acc)
{
    acc[0] += floor(fabs(at(x, k) - 3) + fabs(at(x, k) - at(x, k + 1)));
}
