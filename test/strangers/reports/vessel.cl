// a pressure vessel of sheets that come in sixteenths of an inch
//@ bounds vessel-box.csv
//@ n 4
//@ components 1
static void component(uint k, point x, data d, real *acc)
{
    real s = R(0.0625)*ceil(at(x, 0)/R(0.0625)), h = R(0.0625)*ceil(at(x, 1)/R(0.0625)), r = at(x, 2), l = at(x, 3);
    real p = fmax(R(0.0), R(0.0193)*r - s) + fmax(R(0.0), R(0.00954)*r - h);
    p += fmax(R(0.0), 1296000 - PI*r*r*l - R(4.0)/3*PI*r*r*r)/1000000;
    acc[0] += R(0.6224)*s*r*l + R(1.7781)*h*r*r + R(3.1661)*s*s*l + R(19.84)*s*s*r + 1000000*p;
}
