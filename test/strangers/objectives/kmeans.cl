// centres of twelve clusters, nothing declared
//@ n 24
//@ bounds -10 10
//@ components rows(p)
//@ data p kmeans.npy
static void component(uint k, point x, data d, real *acc)
{
    real b = INFINITY;
    for (uint c = 0; c < 12; c++)
        b = fmin(b, sq(at(x, 2*c) - d.p[2*k]) + sq(at(x, 2*c + 1) - d.p[2*k + 1]));
    acc[0] += b;
}
