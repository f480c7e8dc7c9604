// a pole on a cart swings up in 100 steps
//@ bounds -10 10
//@ n 100
//@ components 1
static void component(uint k, point x, data d, real *acc)
{
    real p = 0, v = 0, a = 0, w = 0, h = R(0.04), J = 0;
    for (uint i = 0; i < 100; i++) {
        real u = at(x, i), s = sin(a), c = cos(a), q = R(1.0) + R(0.3)*s*s;
        real pa = (u + R(0.3)*s*(R(0.5)*w*w + R(9.81)*c))/q;
        real aa = -(u*c + R(0.15)*w*w*c*s + R(1.3)*R(9.81)*s)/(R(0.5)*q);
        v += h*pa; w += h*aa; p += h*v; a += h*w; J += h*R(0.01)*u*u;
    }
    acc[0] += J + R(100.0)*(sq(R(1.0) + cos(a)) + sq(sin(a))) + R(10.0)*(w*w + v*v + p*p);
}
