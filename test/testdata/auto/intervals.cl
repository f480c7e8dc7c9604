// Schwefel's function, each variable with an interval of its own
//@ n 40
//@ bounds intervals.txt
static void component(uint k, point x, data d, real *acc)
{
    real v = at(x, k);
    acc[0] += R(418.98288727243369) - v * sin(sqrt(fabs(v)));
}
