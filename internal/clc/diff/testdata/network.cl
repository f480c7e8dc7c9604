// a network of two layers, fitted to 20 samples of 8 numbers
//@ bounds -3 3
//@ n 8*8 + 8 + 8*8 + 8 + 8 + 1
//@ components 20
//@ data X X.txt
//@ data t t.txt
static void component(uint k, point x, data d, real *acc)
{
    real a[8];
    for (uint i = 0; i < 8; i++) {
        real s = at(x, 64 + i);
        for (uint j = 0; j < 8; j++) s += at(x, 8*i + j)*d.X[8*k + j];
        a[i] = tanh(s);
    }
    real o = at(x, 152);
    for (uint i = 0; i < 8; i++) {
        real s = at(x, 136 + i);
        for (uint j = 0; j < 8; j++) s += at(x, 72 + 8*i + j)*a[j];
        o += at(x, 144 + i)*tanh(s);
    }
    acc[0] += sq(o - d.t[k])*R(0.05);
}
