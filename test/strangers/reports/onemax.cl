// a steep ellipsoid of ten variables, and ten steps at zero
//@ bounds -5 5
//@ n 20
//@ reads k
static void component(uint k, point x, data d, real *acc)
{
    real v = at(x, k);
    if (k < 10) acc[0] += sq(pow(R(1000.0), k/R(9.0))*v);
    else acc[0] += v > 0 ? 0 : 10;
}
