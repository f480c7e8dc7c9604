// four rates of an epidemic in a million people, from the infected and the dead of 100 days
//@ bounds 0 1
//@ n 4
//@ data p epidemic.csv
//@ components 1
static void component(uint k, point x, data d, real *acc)
{
    real s = 999990, e = 0, i = 10, dead = 0;
    for (uint day = 0; day < 100; day++) {
        real a = at(x, 0)*s*i/1000000, b = at(x, 1)*e, c = at(x, 2)*i, m = at(x, 3)*i;
        s -= a;
        e += a - b;
        i += b - c - m;
        dead += m;
        acc[0] += sq(i - d.p[2*day]) + sq(dead - d.p[2*day + 1]);
    }
}
