// Components that read any three variables, by lists.
//@ name lists
//@ bounds -3 3
//@ n 60
//@ components 80
//@ reads lists lists.txt

static void component(uint k, point x, data d, real *acc)
{
    real sum = R(0.0);
    for (uint j = d.reads_start[k]; j < d.reads_start[k + 1]; j++)
        sum += at(x, d.reads[j]) - R(0.01) * (real)k;
    acc[0] += sq(sum) + R(2.0) - cos_2pi(sum);
}
