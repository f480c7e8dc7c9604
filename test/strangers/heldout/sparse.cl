// Huber regression with a sparse matrix, nothing declared
//@ bounds -20 20
//@ data A sparse.mtx
//@ data b sparse.csv
//@ n cols(A)
//@ components rows(A)
static void component(uint k, point x, data d, real *acc)
{
    real r = -d.b[k];
    for (uint j = d.A_row_start[k]; j < d.A_row_start[k + 1]; j++) r += d.A_val[j] * at(x, d.A_col[j]);
    r = fabs(r);
    acc[0] += r < R(0.3) ? r*r : R(0.6)*r - R(0.09);
}
