// a Morse cluster of 20 atoms, pairs as components, nothing declared
//@ bounds 0 4
//@ n 60
//@ components 190
static void component(uint k, point x, data d, real *acc)
{
    uint i = 0, left = k;
    while (left >= 19 - i) { left -= 19 - i; i++; }
    uint j = i + 1 + left;
    real r = sqrt(sq(at(x,3*i)-at(x,3*j)) + sq(at(x,3*i+1)-at(x,3*j+1)) + sq(at(x,3*i+2)-at(x,3*j+2)));
    real e = exp(R(10.0) * (R(1.0) - r));
    acc[0] += e * (e - R(2.0));
}
