// Schwefel's function, nothing declared
//@ n 200
//@ bounds -500 500
//@ best 0
static void component(uint k, point x, data d, real *acc)
{
    real v = at(x, k);
    acc[0] += R(418.98288727243369) - v * sin(sqrt(fabs(v)));
}
