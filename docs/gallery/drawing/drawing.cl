//@ name drawing
//@ bounds -300 300
//@ data pair pairs.npy
//@ components rows(pair)
//@ reads lists variables.txt
//@ label s0 stress
static void component(uint k, point x, data d, real *acc)
{
    // variables 2 i and 2 i + 1 are the position of vertex i
    uint i = 2 * (uint)d.pair[3 * k], j = 2 * (uint)d.pair[3 * k + 1];
    acc[0] += sq(hypot(at(x, i) - at(x, j), at(x, i + 1) - at(x, j + 1)) / d.pair[3 * k + 2] - R(1.0));
}
