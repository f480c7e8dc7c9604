// six jobs on six machines (Fisher and Thompson): the order of the variables is the order of the steps
//@ bounds 0 1
//@ n 36
//@ data p jobs.csv
//@ components 1
static void component(uint k, point x, data d, real *acc)
{
    uint o[36], next[6] = {0, 0, 0, 0, 0, 0};
    real job[6] = {0, 0, 0, 0, 0, 0}, machine[6] = {0, 0, 0, 0, 0, 0}, end = 0;
    for (uint i = 0; i < 36; i++) {
        uint j = i;
        while (j > 0 && at(x, o[j - 1]) > at(x, i)) { o[j] = o[j - 1]; j--; }
        o[j] = i;
    }
    for (uint i = 0; i < 36; i++) {
        uint j = o[i] % 6, m = d.p[12*j + 2*next[j]];
        real t = fmax(job[j], machine[m]) + d.p[12*j + 2*next[j] + 1];
        job[j] = machine[m] = t;
        end = fmax(end, t);
        next[j]++;
    }
    acc[0] += end;
}
