// classic/wells.cl: sums of wells around points p_k, k < WELLS. Accumulator k is
// the squared distance a_k = |x - p_k|², to which component i adds
// (x_i - p_ki)². Tables: d.a[i*WELLS + k] = p_ki, d.c[k] = c_k. With CLASSIC_LANGERMANN
//
//   f = -Σ c_k exp(-a_k/π) cos(π a_k),  else  f = -Σ 1/(a_k + c_k)

static void component(uint i, point x, data d, real *acc)
{
    const real v = at(x, i);
    for (uint k = 0; k < WELLS; k++) acc[k] += sq(v - d.a[i * WELLS + k]);
}

static real objective(const sum *acc, data d)
{
    real f = R(0.0);
    for (uint k = 0; k < WELLS; k++) {
        const real r = sum_real(acc[k]);
#if CLASSIC_LANGERMANN
        f -= d.c[k] * exp(-r / PI) * cospi(r);
#else
        f -= R(1.0) / (r + d.c[k]);
#endif
    }
    return f;
}
