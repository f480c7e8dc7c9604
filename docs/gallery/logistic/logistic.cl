//@ name logistic
//@ bounds -5 5
//@ data A rows.mtx
//@ data y labels.csv
//@ n cols(A)
//@ components rows(A) + cols(A)
//@ reads lists reads.txt
//@ sums 2
//@ label s0 loss
//@ label s1 squared weights
//@ f s0 + 0.5*s1
static void component(uint k, point x, data d, real *acc)
{
    if (k >= d.A_rows) { // the square of a weight
        acc[1] += sq(at(x, k - d.A_rows));
        return;
    }
    real m = R(0.0); // the logarithm of the odds for the label of row k
    for (uint j = d.A_row_start[k]; j < d.A_row_start[k + 1]; j++) m += d.A_val[j] * at(x, d.A_col[j]);
    m *= d.y[k];
    acc[0] += fmax(-m, R(0.0)) + log1p(exp(-fabs(m))); // log(1 + exp(-m)) without overflow
}
