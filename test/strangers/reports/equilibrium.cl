// problem 112 of Hock and Schittkowski: a chemical equilibrium, with three balances as penalties
//@ bounds 0 2
//@ n 10
//@ sums 4
//@ data c equilibrium.csv
//@ f s0 + 1000*(abs(s1 - 2) + abs(s2 - 1) + abs(s3 - 1))
static void component(uint k, point x, data d, real *acc)
{
    real all = 0, v = at(x, k);
    for (uint i = 0; i < 10; i++) all += at(x, i);
    acc[0] += v*(d.c[4*k] + log(v/all));
    acc[1] += d.c[4*k + 1]*v;
    acc[2] += d.c[4*k + 2]*v;
    acc[3] += d.c[4*k + 3]*v;
}
