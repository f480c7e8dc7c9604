// a protein-like chain of two kinds of beads in the plane, by its angles: nothing declared
//@ bounds -3.141592653589793 3.141592653589793
//@ n 60
//@ components n+1
static void component(uint k, point x, data d, real *acc)
{
    real a = 0, px = 0, py = 0;
    const bool mine = (k*k + k/3) % 5 < 2;
    if (k < DIM) acc[0] += R(0.25)*(1 - cos(at(x, k)));
    for (uint j = k + 1; j <= DIM + 1; j++) {
        if (j - 1 > k) a += at(x, j - 2 < DIM ? j - 2 : 0);
        px += cos(a);
        py += sin(a);
        if (j < k + 2) continue;
        const bool other = (j*j + j/3) % 5 < 2;
        const real c = mine && other ? R(1.0) : mine || other ? R(-0.5) : R(0.5);
        const real r2 = fmax(px*px + py*py, R(0.05)), r6 = r2*r2*r2;
        acc[0] += 4*(1/(r6*r6) - c/r6);
    }
}
