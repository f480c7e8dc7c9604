//@ name valleys
//@ bounds -5 5
//@ n 1000
//@ squares 4
//@ components n/2
//@ reads 2*k..2*k+1
//@ best 0
static void residuals(uint k, point x, data d, real *r)
{
    const real a = at(x, 2*k) - R(1.3), b = at(x, 2*k+1) + R(0.7);
    r[0] = a;
    r[1] = b;
    r[2] = R(4.47213595) * sin(R(3.14159265) * (a + R(0.3) * b));
    r[3] = R(4.47213595) * sin(R(3.14159265) * (b - R(0.3) * a));
}
