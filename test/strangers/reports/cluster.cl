// thirteen atoms with the potential of Lennard-Jones, infinite where two meet
//@ bounds -2 2
//@ n 39
//@ components 13
static void component(uint k, point x, data d, real *acc)
{
    for (uint j = 0; j < k; j++) {
        real r = 0;
        for (uint c = 0; c < 3; c++) r += sq(at(x, 3*k + c) - at(x, 3*j + c));
        acc[0] += 4*(pow(r, R(-6.0)) - pow(r, R(-3.0)));
    }
}
