// shares with costs and entropy; smooth penalties for their sum and for a mean
//@ bounds 0 1
//@ n 1000
//@ sums 3
//@ reads k
//@ data c cost.csv
//@ f s0 + 1000*(s1-1)^2 + 100*max(0, s2-0.4)^2
static void component(uint k, point x, data d, real *acc)
{
    real p = at(x, k);
    acc[0] += p * d.c[k] + R(0.1) * p * log(p + R(1e-9));
    acc[1] += p;
    acc[2] += p * sin_2pi(k * R(0.01)) * R(2.0);
}
