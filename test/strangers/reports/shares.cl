// the shares of 60 stocks with the least risk; a penalty for a sum that is not one
//@ bounds 0 1
//@ data c shares.csv
//@ n 60
//@ sums 2
//@ f s0 + 100*abs(s1 - 1)
static void component(uint k, point x, data d, real *acc)
{
    real s = 0;
    for (uint j = 0; j < 4; j++) {
        real t = 0;
        for (uint i = 0; i < 60; i++) t += d.c[5*i + j]*at(x, i);
        s += t*d.c[5*k + j];
    }
    acc[0] += at(x, k)*(s + d.c[5*k + 4]*at(x, k));
    acc[1] += at(x, k);
}
