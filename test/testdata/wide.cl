//@ bounds -10 10
//@ reads k
//@ squares 1
// a sum of squares whose minimum, 0, is at 1.5, 3, 4.5, …
static void residuals(uint k, point x, data d, real *r) { r[0] = at(x, k) - R(1.5) * (k + 1); }
