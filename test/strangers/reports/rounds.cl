// a sphere of 256 variables of which 244 are rounded
//@ bounds -5 5
//@ n 256
//@ components 1
static void component(uint k, point x, data d, real *acc)
{
    for (uint i = 0; i < 256; i++) acc[0] += sq(i < 244 ? rint(at(x, i)) : at(x, i));
}
