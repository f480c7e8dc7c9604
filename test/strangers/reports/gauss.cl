// a Gaussian peak of height 1.2e-8 through 100 points
//@ bounds gauss-box.csv
//@ n 3
//@ components 100
//@ squares 1
static void residuals(uint k, point x, data d, real *r)
{
    real w = R(1.0) + k/R(99.0);
    r[0] = at(x, 0)*exp(R(-0.5)*sq((w - at(x, 1))/at(x, 2))) - R(1.2e-8)*exp(R(-0.5)*sq((w - R(1.4))/R(0.11)));
}
