// rugged groups of ten variables with steep directions across
//@ n 400
//@ bounds -5 5
//@ components n/10
//@ reads 10*k..10*k+9
//@ best 0
static void component(uint k, point x, data d, real *acc)
{
    real s = 0, t = 0;
    for (uint j = 0; j < 10; j++)
    {
        real v = at(x, 10 * k + j) - R(0.1) * j;
        s += v;
        t += (j % 2 ? -v : v) * (1 + j);
        acc[0] += sq(v) + 1 - cos_2pi(v);
    }
    acc[0] += 100 * sq(s) + sq(t);
}
