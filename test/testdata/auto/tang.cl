// two minima in each variable, and nothing is declared
//@ n 100
//@ bounds -5 5
//@ best -3916.6165703771403
static void component(uint k, point x, data d, real *acc)
{
    real v = at(x, k);
    acc[0] += R(0.5) * (sq(sq(v)) - 16 * sq(v) + 5 * v);
}
