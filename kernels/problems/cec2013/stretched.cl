// cec2013/stretched.cl: elliptic (F1), rastrigin (F2), ackley (F3) and rosenbrock (F12) over all DIM variables,
// without shift. These are the CEC'2013 functions with mode=paper. The formulas are those of cec2013/cec2013.cl and
// lib/tosz.cl, with u_i = i/(DIM-1).
//
//   component k   the term of variable k; rosenbrock: of variables k, k+1
//   acc           the sum; ackley: Σ y² and Σ sin²(πy), joined on the host
//   power         10^(e u_k) = coarse[k / 1024] fine[k mod 1024], e = 6 for elliptic, else 1/2
//
// Item form; on processors eight components at a time.
// Defines: CEC_BASE, one of CEC_ELLIPTIC …; CEC_STEP = 1/(DIM-1).

#if CEC_BASE == CEC_ROSENBROCK
static void component(uint k, point x, data d, real *acc)
{
    const real z = at(x, k);
    acc[0] += R(100.0) * sq(z * z - at(x, k + 1)) + sq(z - R(1.0));
}
#else
static void component(uint k, point x, data d, real *acc)
{
    const real z = at(x, k), power = d.coarse[k >> 10] * d.fine[k & 1023u];
#if CEC_BASE == CEC_ELLIPTIC
    acc[0] += power * sq(tosz(z));
#else
    const real y = power * tosz_asy(z, (real)k * CEC_STEP), w = sin2_pi(y);
    acc[0] += CEC_BASE == CEC_RASTRIGIN ? y * y + R(20.0) * w : y * y;
    if (CEC_BASE == CEC_ACKLEY) acc[ACCS - 1] += w;
#endif
}
#endif

#if WIDE && CEC_BASE != CEC_ROSENBROCK
#define COMPONENT_EIGHT // see lib/tile.cl

// The terms of components k to k + 7, whose variables are z; k is a multiple of eight.
static void component_eight(uint k, real8 z, data d, sum *acc)
{
    const real8 power = d.coarse[k >> 10] * vload8(0, d.fine + (k & 1023u));
#if CEC_BASE == CEC_ELLIPTIC
    const real8 t = tosz(z);
    sum_eight(acc, power * (t * t));
#else
    const real8 y = power * tosz_asy(z, REAL8(EIGHT_FROM(k)) * CEC_STEP), w = sin2_pi(y);
    sum_eight(acc, CEC_BASE == CEC_RASTRIGIN ? y * y + R(20.0) * w : y * y);
    if (CEC_BASE == CEC_ACKLEY) sum_eight(acc + (ACCS - 1), w);
#endif
}
#endif
