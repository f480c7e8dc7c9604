// a network of four equal layers, each in the array of the one before
//@ bounds -1 1
//@ n 4*8*8
//@ components 20
//@ data X X.txt
//@ data t t.txt
static void component(uint k, point x, data d, real *acc)
{
    real a[8], b[8];
    for (uint i = 0; i < 8; i++) a[i] = d.X[8*k + i];
    for (uint l = 0; l < 4; l++) {
        for (uint i = 0; i < 8; i++) {
            real s = 0;
            for (uint j = 0; j < 8; j++) s += at(x, 64*l + 8*i + j)*a[j];
            b[i] = tanh(s);
        }
        for (uint i = 0; i < 8; i++) a[i] = b[i];
    }
    for (uint i = 0; i < 8; i++) acc[0] += sq(a[i] - d.t[k]);
}
