// problem 71 of Hock and Schittkowski, with its two constraints as one penalty
//@ bounds 1 5
//@ n 4
//@ components 1
static void component(uint k, point x, data d, real *acc)
{
    real a = at(x, 0), b = at(x, 1), c = at(x, 2), e = at(x, 3);
    acc[0] += a*e*(a + b + c) + c + 100*hypot(fmax(R(0.0), 25 - a*b*c*e), a*a + b*b + c*c + e*e - 40);
}
