// the analytic centre of a polytope: logarithms of distances to 30 planes, of which most of the box is behind one
//@ bounds 0 10
//@ n 12
//@ data a centre.csv
//@ components 42
static void component(uint k, point x, data d, real *acc)
{
    if (k < 12) {
        acc[0] -= log(at(x, k));
        return;
    }
    real s = 10;
    for (uint i = 0; i < 12; i++) s -= d.a[12*(k - 12) + i]*at(x, i);
    acc[0] -= log(s);
}
