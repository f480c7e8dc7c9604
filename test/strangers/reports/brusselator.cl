// two rates of an oscillating reaction from 30 seconds of it
//@ bounds 0 10
//@ n 2
//@ data u brusselator.csv
//@ components 1
static void component(uint k, point x, data d, real *acc)
{
    real a = at(x, 0), b = at(x, 1), h = R(0.02), u = 1, v = 1;
    for (uint i = 1; i <= 30; i++) {
        for (uint j = 0; j < 50; j++) {
            real f1 = a - (b + 1)*u + u*u*v, g1 = b*u - u*u*v;
            real p = u + h/2*f1, q = v + h/2*g1;
            real f2 = a - (b + 1)*p + p*p*q, g2 = b*p - p*p*q;
            u += h*f2;
            v += h*g2;
        }
        acc[0] += sq(u - d.u[2*i]) + sq(v - d.u[2*i + 1]);
    }
}
