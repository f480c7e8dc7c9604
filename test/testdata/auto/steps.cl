// flat everywhere but at steps
//@ n 1000
//@ bounds -50 50
//@ reads k
//@ best 0
static void component(uint k, point x, data d, real *acc)
{
    acc[0] += sq(floor(at(x, k) + R(0.5)));
}
