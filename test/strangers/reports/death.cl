// ten numbers with a sum of at least ten and the smallest squares; infinite where the sum is less
//@ bounds 0 10
//@ n 10
//@ components 1
static void component(uint k, point x, data d, real *acc)
{
    real s = 0, q = 0;
    for (uint i = 0; i < 10; i++) { s += at(x, i); q += sq(at(x, i)); }
    if (s < 10) acc[0] += INFINITY;
    else acc[0] += q;
}
