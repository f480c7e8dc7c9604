// Powell's singular function on groups of four
//@ n 1000
//@ bounds -4 5
//@ components n/4
//@ reads 4*k..4*k+3
//@ best 0
static void component(uint k, point x, data d, real *acc)
{
    real a = at(x, 4 * k), b = at(x, 4 * k + 1), c = at(x, 4 * k + 2), e = at(x, 4 * k + 3);
    acc[0] += sq(a + 10 * b) + 5 * sq(c - e) + sq(sq(b - 2 * c)) + 10 * sq(sq(a - e));
}
