// a parabola below noise: separable
//@ n 500
//@ bounds -5 5
//@ reads k
static void component(uint k, point x, data d, real *acc)
{
    real v = at(x, k), h = sin(v * R(1234.567) + k) * R(43758.5453);
    acc[0] += sq(v - 1) + (h - floor(h));
}
