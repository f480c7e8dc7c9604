// the second best minimum of each variable is far from the best one
//@ n 500
//@ bounds -500 500
//@ reads k
//@ best 0
static void component(uint k, point x, data d, real *acc)
{
    real v = at(x, k);
    acc[0] += R(418.98288727243369) - v * sin(sqrt(fabs(v)));
}
