// cec2013_stretched.cl: elliptic (F1), rastrigin (F2), ackley (F3) and
// rosenbrock (F12) over all DIM variables, without shift: mode paper of the
// CEC'2013 functions. Formulas as in cec2013.cl, with u_i = i/(DIM-1). For
// package problems, cec2013_text.go.
//
//   component k   the term of variable k; rosenbrock: of variables k, k+1
//   acc           the sum; ackley: Σ y² and Σ sin²(πy), joined on the host
//
// Item form, no tables. Defines: CEC_BASE and its values CEC_ELLIPTIC ….

#if REAL_BITS == 64
#define CEC_TINY R(2.3e-308)
#else
#define CEC_TINY R(1.2e-38)
#endif

static real cec_wave(real z, real l)
{
    return R(0.049) * (sin((z > R(0.0) ? R(10.0) : R(5.5)) * l) + sin((z > R(0.0) ? R(7.9) : R(3.1)) * l));
}

// 10^(u/2) T_asy(T_osz(z))
static real cec_y(real z, real u)
{
    if (fabs(z) < CEC_TINY) return R(0.0);
    const real l = log(fabs(z)), y = l + cec_wave(z, l), root = exp(R(0.5) * y);
    const real lambda = exp(R(1.15129254649702284201) * u); // ln(10)/2
    return lambda * (z > R(0.0) ? exp(y * (R(1.0) + R(0.2) * u * root)) : -root * root);
}

static void component(uint k, point x, data d, real *acc)
{
    const real z = at(x, k);
#if CEC_BASE == CEC_ROSENBROCK
    acc[0] += R(100.0) * sq(z * z - at(x, k + 1)) + sq(z - R(1.0));
#else
    const real u = (real)k / (real)(DIM - 1u);
#if CEC_BASE == CEC_ELLIPTIC
    if (fabs(z) < CEC_TINY) return;
    acc[0] += z * z * exp(R(2.0) * cec_wave(z, log(fabs(z))) + R(13.81551055796427410411) * u); // 6 ln(10)
#else
    const real y = cec_y(z, u);
#if CEC_BASE == CEC_RASTRIGIN
    acc[0] += y * y + R(20.0) * sq(sinpi(y));
#else
    acc[0] += y * y;
    acc[1] += sq(sinpi(y));
#endif
#endif
#endif
}
