// a long beam under load, on springs: windows of three
//@ n 2000
//@ bounds -100 100
//@ components n-2
//@ reads k..k+2
static void component(uint k, point x, data d, real *acc)
{
    real a = at(x, k), b = at(x, k + 1), c = at(x, k + 2);
    acc[0] += 1000 * sq(a - 2*b + c) - R(0.001) * b * (1 + sin(R(0.01) * k));
    if (k == 0) acc[0] += 1000 * (sq(a) + sq(b));
    if (k == COMPS - 1) acc[0] += 1000 * (sq(b) + sq(c));
}
