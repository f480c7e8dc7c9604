// 25 atoms with Morse's potential, nothing declared
//@ n 75
//@ bounds -2.5 2.5
//@ components 25
static void component(uint k, point x, data d, real *acc)
{
    for (uint j = 0; j < k; j++) {
        real s = 0;
        for (uint c = 0; c < 3; c++) s += sq(at(x, 3*k + c) - at(x, 3*j + c));
        real e = exp(R(6.0) * (1 - sqrt(s + R(1e-12))));
        acc[0] += e * (e - 2);
    }
}
