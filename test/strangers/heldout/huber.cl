// positions from differences with outliers, Huber's loss: lists
//@ bounds -200 200
//@ n 800
//@ data m huber.csv
//@ components len(m)
//@ reads lists huber.txt
static void component(uint k, point x, data d, real *acc)
{
    uint j = d.reads_start[k];
    real r = fabs(at(x, d.reads[j + 1]) - at(x, d.reads[j]) - d.m[k]);
    acc[0] += r < R(0.1) ? r*r : R(0.2)*r - R(0.01);
    if (k == 0) acc[0] += sq(at(x, 0));
}
