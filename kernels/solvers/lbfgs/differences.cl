// lbfgs/differences.cl: the gradient of components that read few variables, from differences. Comes after
// lib/view_replaced.cl and lib/partial.cl. The vectors are those of lbfgs/lbfgs.cl.

// Sets `direction` to the derivatives of f by the variables from `from` on, from differences of the components that
// read them. Differences are central, and one-sided at a bound. A launch may be repeated, since nothing else changes.
// slope[a] is the derivative of f by accumulator a. A difference has a step of at least the share of_value of the
// variable and the share of_range of its interval.
kernel void lbfgs_differentiate(global const real *x, const uint lo, global real *direction, const uint own,
                                global const real *slope, const real of_value, const real of_range,
                                const uint from, const uint count DATA_PARAMS)
{
    const uint i = from + get_global_id(0);
    if (get_global_id(0) >= count) return;
    DATA_INIT;
    const real v = x[i - lo], a = box_lower(i, d), b = box_upper(i, d);
    const real h = fmax(of_value * fmax(fabs(v), R(1e-3) * (b - a)), of_range * (b - a));
    const real up = v + h <= b ? v + h : v, down = v - h >= a ? v - h : v;
    sum change[ACCS];
    partial_change((point){ x, lo, i, down }, (point){ x, lo, i, up }, i, d, change);
    real rise = R(0.0);
    for (int j = 0; j < ACCS; j++) rise = fma(slope[j], sum_real(change[j]), rise);
    direction[i - own] = isfinite(rise) && up > down ? rise / (up - down) : R(0.0);
}
