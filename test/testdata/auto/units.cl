// neighbours in different units
//@ n 400
//@ bounds -1000 1000
//@ components n-1
//@ reads k..k+1
//@ best 0
static void component(uint k, point x, data d, real *acc)
{
    real u = k % 2 ? R(1e-2) : R(1e2), w = k % 2 ? R(1e2) : R(1e-2);
    acc[0] += sq(at(x, k) / u - 1) + sq(at(x, k) / u - at(x, k + 1) / w);
}
