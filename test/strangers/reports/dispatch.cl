//@ bounds dispatch-box.csv
//@ components 1
// cheapest power of three units for 850 MW
static void component(uint k, point x, data d, real *acc)
{
    real P[3];
    real cost = 0, total = 0;
    const real a[3] = {561, 310, 78}, b[3] = {7.92, 7.85, 7.97}, c[3] = {0.001562, 0.00194, 0.00482};
    const real e[3] = {300, 200, 150}, f[3] = {0.0315, 0.042, 0.063}, lo[3] = {100, 100, 50};
    for (int i = 0; i < 3; i++) {
        P[i] = at(x, i);
        cost += a[i] + b[i]*P[i] + c[i]*P[i]*P[i] + fabs(e[i]*sin(f[i]*(lo[i] - P[i])));
        total += P[i];
    }
    acc[0] += cost + 1000*fabs(total - 850);
}
