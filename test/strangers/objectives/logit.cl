// logistic regression with a small ridge, nothing declared
//@ bounds -10 10
//@ data A logit.npy
//@ n cols(A)
//@ components rows(A)
static void component(uint k, point x, data d, real *acc)
{
    real m = 0;
    for (uint j = 0; j < DIM; j++) m += d.A[k * DIM + j] * at(x, j);
    acc[0] += m > 0 ? log1p(exp(-m)) : log1p(exp(m)) - m;
    if (k < DIM) acc[0] += R(0.05) * sq(at(x, k));
}
