// lm/lm.cl: residuals and their derivatives for the Levenberg-Marquardt method. Comes after the problem's text in the
// form with residuals.
//
// The host lists some components of the problem. Component o of the list is component[o] of the problem and is the sum
// of size[o] squares. Each has entries, which are residuals at a point: entry[o] is at x; for variable v of those that
// the component reads, the entries entry[o] + 1 + 2 v and the next one are above and below x. Entry e belongs to
// component owner[e] and has value[e] for variable[e] (DIM: x as it is). The residuals of the entries of a component
// stand one after the other from residual[first[o]] on.
//
// With LM_SLOPES the text of the problem has component_slopes, and entry[o] + 1 + v is for variable v. value[entry[o]]
// is the size of differences.

#define LM_APART (LM_SLOPES ? 1u : 2u) // entries of a variable

// Computes the residuals of an entry.
kernel void lm_residuals(global const real *x, global const uint *component, global const uint *entry,
                         global const uint *size, global const uint *first, global const uint *owner,
                         global const uint *variable, global const real *value, global real *residual,
                         const uint from, const uint count DATA_PARAMS)
{
    const uint e = from + get_global_id(0);
    if (get_global_id(0) >= count) return;
    DATA_INIT;
    const uint o = owner[e];
    if (LM_SLOPES && e != entry[o]) return;
    component_residuals(component[o], (point){ x, 0, variable[e], value[e] }, d,
                        residual + first[o] + (e - entry[o]) * size[o]);
}

// Computes derivatives of the residuals. Without LM_SLOPES, entries above x divide the differences of their residuals and
// those of the next entry, and keep them in the place of their residuals; what is not finite becomes 0. With LM_SLOPES,
// entries at x do this for all variables of their component.
kernel void lm_derivatives(global const real *x, global const uint *component, global const uint *entry,
                           global const uint *size, global const uint *first, global const uint *owner,
                           global const real *value, global real *residual, const uint from,
                           const uint count DATA_PARAMS)
{
    const uint e = from + get_global_id(0);
    if (get_global_id(0) >= count) return;
    DATA_INIT;
    const uint o = owner[e], number = e - entry[o], n = size[o];
#if LM_SLOPES
    if (number > 0) return;
    component_slopes(component[o], (point){ x, 0, DIM, R(0.0) }, value[e], d, residual + first[o] + n);
#else
    if (number % 2 == 0) return;
    global real *above = residual + first[o] + number * n;
    const real width = value[e] - value[e + 1];
    for (uint i = 0; i < n; i++) {
        const real v = (above[i] - above[n + i]) / width;
        above[i] = isfinite(v) ? v : R(0.0);
    }
#endif
}

// The inner product of two vectors, as four sums of every fourth product.
static real lm_dot(global const real *a, global const real *b, uint n)
{
    real s[4] = { R(0.0), R(0.0), R(0.0), R(0.0) };
    const uint whole = n & ~3u;
    for (uint i = 0; i < whole; i += 4) {
        for (uint u = 0; u < 4; u++) s[u] += a[i + u] * b[i + u];
    }
    for (uint i = whole; i < n; i++) s[0] += a[i] * b[i];
    return (s[0] + s[1]) + (s[2] + s[3]);
}

// Computes inner products of the vectors of a component, from product[row[o]] on: for the entry at x the square of its
// residuals, and after it for each variable those of its derivatives with the derivatives by the variables up to it,
// and with the residuals.
kernel void lm_products(global const uint *entry, global const uint *size, global const uint *first,
                        global const uint *row, global const uint *owner, global const real *residual,
                        global real *product, const uint from, const uint count)
{
    const uint e = from + get_global_id(0);
    if (get_global_id(0) >= count) return;
    const uint o = owner[e], number = e - entry[o], n = size[o];
    global const real *at = residual + first[o], *own = at + number * n;
    global real *to = product + row[o];
    if (number == 0) {
        *to = lm_dot(at, at, n);
    } else if ((number - 1) % LM_APART == 0) {
        const uint v = (number - 1) / LM_APART;
        to += 1 + v * (v + 3) / 2;
        for (uint w = 0; w <= v; w++) to[w] = lm_dot(own, at + (1 + LM_APART * w) * n, n);
        to[v + 1] = lm_dot(own, at, n);
    }
}
