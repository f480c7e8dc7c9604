// 20 stations that cover 300 places, weighted distance to the nearest: min inside, nothing declared
//@ bounds 0 100
//@ n 40
//@ data p station.csv
//@ components rows(p)
static void component(uint k, point x, data d, real *acc)
{
    real best = R(1e30);
    for (uint i = 0; i < DIM / 2; i++)
        best = fmin(best, sq(at(x, 2*i) - d.p[3*k]) + sq(at(x, 2*i+1) - d.p[3*k+1]));
    acc[0] += d.p[3*k+2] * sqrt(best);
}
