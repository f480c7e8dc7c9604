// groups that share variables, from a file of lists
//@ n 300
//@ bounds -5 5
//@ components 420
//@ reads lists overlap.txt
//@ best 0
static void component(uint k, point x, data d, real *acc)
{
    real s = 0;
    for (uint j = d.reads_start[k]; j < d.reads_start[k + 1]; j++)
        s += at(x, d.reads[j]) - 1;
    acc[0] += sq(s) + (k >= 120 ? R(0.3) * (1 - cos_2pi(s)) : 0);
}
