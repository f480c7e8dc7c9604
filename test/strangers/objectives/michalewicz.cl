// Michalewicz's function: separable
//@ n 1000
//@ bounds 0 3.141592653589793
//@ reads k
static void component(uint k, point x, data d, real *acc)
{
    real v = at(x, k), s = sin((k + 1) * sq(v) / PI);
    acc[0] -= sin(v) * pow(fabs(s), R(20.0));
}
