// a matrix of 12 by 10 as a product of two matrices of rank 3 without negative elements
//@ bounds 0 10
//@ n 66
//@ data v parts.csv
//@ components 120
static void component(uint k, point x, data d, real *acc)
{
    real s = -d.v[k];
    for (uint j = 0; j < 3; j++) s += at(x, 3*(k/10) + j)*at(x, 36 + 3*(k % 10) + j);
    acc[0] += s*s;
}
