// One component that reads all variables.
//@ name whole
//@ bounds -4 6
//@ n 40
//@ components 1
//@ reads whole
//@ f sqrt(s0)

static void component(uint k, point x, data d, real *acc)
{
    real sum = R(0.0);
    for (uint i = 0; i < DIM; i++) {
        sum += at(x, i);
        acc[0] += sq(at(x, i) - R(1.0)) + sq(sum) / (real)(i + 1);
    }
}
