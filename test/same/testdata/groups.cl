// Components that read five variables each, apart from all others.
//@ name groups
//@ bounds -10 10
//@ components n/5
//@ reads 5*k..5*k+4

static void component(uint k, point x, data d, real *acc)
{
    real sum = R(0.0);
    for (uint i = 5 * k; i < 5 * k + 5; i++) {
        sum += at(x, i);
        acc[0] += sq(sum - R(1.0));
    }
}
