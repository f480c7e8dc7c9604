// a tour through 15 cities: the order of the variables is the order of the visits
//@ bounds 0 1
//@ n 15
//@ data c tour.csv
//@ components 1
static void component(uint k, point x, data d, real *acc)
{
    uint o[15];
    for (uint i = 0; i < 15; i++) {
        uint j = i;
        while (j > 0 && at(x, o[j - 1]) > at(x, i)) { o[j] = o[j - 1]; j--; }
        o[j] = i;
    }
    for (uint i = 0; i < 15; i++) {
        uint a = o[i], b = o[(i + 1) % 15];
        acc[0] += hypot(d.c[2*a] - d.c[2*b], d.c[2*a + 1] - d.c[2*b + 1]);
    }
}
