//@ name cluster
//@ bounds -3.5 3.5
//@ data pair pairs.csv uint
//@ components rows(pair)
//@ reads lists variables.txt
//@ label s0 energy, epsilon
static void component(uint k, point x, data d, real *acc)
{
    uint i = 3 * d.pair[2 * k], j = 3 * d.pair[2 * k + 1];
    real s = sq(at(x, i) - at(x, j)) + sq(at(x, i + 1) - at(x, j + 1)) + sq(at(x, i + 2) - at(x, j + 2));
    real far = fmax(s, R(0.5)), v = R(1.0) / (far * far * far);
    acc[0] += R(4.0) * v * (v - R(1.0)) + R(2880.0) * (far - s); // a straight line where two atoms nearly meet
}
