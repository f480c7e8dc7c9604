// optimal control: swing up a pendulum in 1000 steps
//@ n 3000
//@ bounds -10 10
//@ components n/3-1
//@ reads 3*k..3*k+5
static void component(uint k, point x, data d, real *acc)
{
    const real h = R(0.01);
    real a = at(x, 3*k), w = at(x, 3*k + 1), u = at(x, 3*k + 2);
    real a2 = at(x, 3*k + 3), w2 = at(x, 3*k + 4);
    acc[0] += h * sq(u) + R(1000.0) * (sq(a2 - a - h * w) + sq(w2 - w - h * (u - R(9.81) * sin(a))));
    if (k == 0) acc[0] += 100 * (sq(a) + sq(w));
    if (k == COMPS - 1) acc[0] += 100 * (sq(a2 - PI) + sq(w2));
}
