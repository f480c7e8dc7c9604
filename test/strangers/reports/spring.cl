// the lightest spring: wire, diameter and coils under four limits
//@ bounds spring-box.csv
//@ n 3
//@ components 1
static void component(uint k, point x, data d, real *acc)
{
    real w = at(x, 0), D = at(x, 1), N = at(x, 2), p = 0;
    p += fmax(R(0.0), 1 - D*D*D*N/(71785*w*w*w*w));
    p += fmax(R(0.0), (4*D*D - w*D)/(12566*(D*w*w*w - w*w*w*w)) + 1/(5108*w*w) - 1);
    p += fmax(R(0.0), 1 - R(140.45)*w/(D*D*N));
    p += fmax(R(0.0), (w + D)/R(1.5) - 1);
    acc[0] += (N + 2)*D*w*w + 1000*p;
}
