// logistic regression with L1, a table with a heading
//@ bounds -10 10
//@ data A logreg.csv
//@ n cols(A)-1
//@ components rows(A)+n
static void component(uint k, point x, data d, real *acc)
{
    if (k >= d.A_rows) { acc[0] += R(2.0) * fabs(at(x, k - d.A_rows)); return; }
    real z = 0;
    for (uint j = 0; j < DIM; j++) z += d.A[k * d.A_cols + j] * at(x, j);
    acc[0] += log1p(exp(-d.A[k * d.A_cols + DIM] * z));
}
