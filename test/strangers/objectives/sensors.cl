// places of sensors from distances: lists
//@ n 300
//@ bounds 0 1
//@ components rows(a)
//@ reads lists sensors.txt
//@ data a sensors.npy
//@ best 0
static void component(uint k, point x, data d, real *acc)
{
    uint s = d.reads_start[k], e = d.reads_start[k + 1];
    real u = at(x, d.reads[s]), v = at(x, d.reads[s + 1]);
    if (e - s == 4) { u -= at(x, d.reads[s + 2]); v -= at(x, d.reads[s + 3]); }
    else { u -= d.a[3*k + 1]; v -= d.a[3*k + 2]; }
    acc[0] += sq(sqrt(sq(u) + sq(v)) - d.a[3*k]);
}
