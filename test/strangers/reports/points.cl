// ten points in a square, as far apart as possible
//@ bounds 0 1
//@ n 20
//@ components 1
static void component(uint k, point x, data d, real *acc)
{
    real least = 2;
    for (uint i = 0; i < 10; i++)
        for (uint j = 0; j < i; j++)
            least = fmin(least, hypot(at(x, 2*i) - at(x, 2*j), at(x, 2*i + 1) - at(x, 2*j + 1)));
    acc[0] -= least;
}
