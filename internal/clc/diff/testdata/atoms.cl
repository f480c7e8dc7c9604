// atoms that attract each other
//@ bounds -3 3
//@ n 90
//@ components 30
static void component(uint k, point x, data d, real *acc)
{
    real e = 0;
    for (uint j = 0; j < 30; j++) if (j != k) {
        real s = sq(at(x,3*k)-at(x,3*j)) + sq(at(x,3*k+1)-at(x,3*j+1)) + sq(at(x,3*k+2)-at(x,3*j+2));
        s = fmax(s, R(0.1)); real q = 1/(s*s*s); e += q*q - q;
    }
    acc[0] += R(2.0)*e;
}
