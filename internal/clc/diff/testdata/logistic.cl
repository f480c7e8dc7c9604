// logistic regression with rows of five numbers, and a penalty
//@ bounds -20 20
//@ n 30
//@ components 50
//@ data J J.txt uint
//@ data V X.txt
//@ data l t.txt
static void component(uint k, point x, data d, real *acc)
{
    if (k >= 20) { acc[0] += R(0.05)*sq(at(x, k - 20)); return; }
    real s = 0;
    for (uint j = 0; j < 5; j++) s += d.V[5*k + j]*at(x, d.J[5*k + j]);
    s *= -d.l[k];
    acc[0] += s > 0 ? s + log1p(exp(-s)) : log1p(exp(s));
}
