// the root of a variable above two cubics, by penalties; no value where the root has none
//@ bounds -10 10
//@ n 2
//@ components 1
static void component(uint k, point x, data d, real *acc)
{
    real a = at(x, 0), b = at(x, 1);
    real g = pow(2*a, R(3.0)) - b, h = pow(1 - a, R(3.0)) - b;
    acc[0] += sqrt(b) + 1000*fmax(R(0.0), g) + 1000*fmax(R(0.0), h);
}
