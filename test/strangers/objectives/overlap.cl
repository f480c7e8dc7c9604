// windows of six that share two variables, rugged
//@ n 602
//@ bounds -10 10
//@ components (n-2)/4
//@ reads 4*k..4*k+5
//@ best 0
static void component(uint k, point x, data d, real *acc)
{
    real s = 0, q = 0, p = 1;
    for (uint j = 0; j < 6; j++) {
        real v = at(x, 4*k + j) - R(0.7);
        s += (j + 1) * v; q += sq(v); p *= cos(v / sqrt((real)(j + 1)));
    }
    acc[0] += q / 20 + 1 - p + sq(s) / 10;
}
