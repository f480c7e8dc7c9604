// lm/lm.cl: residuals and their derivatives for the Levenberg-Marquardt method. Comes after the problem's text in the
// form with residuals.
//
// The host lists some components of the problem, each with LM_NUMBERS numbers, see lm_item. A component has entries,
// which are residuals at a point: the first is at x, and for variable v of those that it reads, the entries 1 + 2 v and
// 2 + 2 v are above and below x, where `variable` has `value`. With LM_SLOPES the text of the problem has
// component_slopes, and entry 1 + v is for variable v. The residuals of the entries of a component stand one after the
// other.
//
// x has the point of the derivatives, and after it other points, one after the other. For values of components at some
// of these, each point is an entry. For steps, entry 1 + v is for variable v.

#define LM_NUMBERS 5u
#define LM_APART (LM_SLOPES ? 1u : 2u) // entries of a variable

// An item of the list, and one of its entries.
typedef struct {
    uint component;
    uint entry;  // index of its first entry
    uint size;   // number of its residuals, or for steps of its variables
    uint first;  // index of its first residual
    uint row;    // index of its first product, or of its value at the first point
    uint number; // of the entry
} lm_item;

// Returns entry `number` of item i.
static lm_item lm_at(global const uint *list, uint i, uint number)
{
    global const uint *at = list + LM_NUMBERS * i;
    return (lm_item){ at[0], at[1], at[2], at[3], at[4], number };
}

// Returns entry e of all items, which have at least one each.
static lm_item lm_find(global const uint *list, uint items, uint e)
{
    uint lo = 0, hi = items; // the item is in this range
    while (hi - lo > 1) {
        const uint middle = (lo + hi) / 2;
        if (list[LM_NUMBERS * middle + 1] <= e) lo = middle;
        else hi = middle;
    }
    return lm_at(list, lo, e - list[LM_NUMBERS * lo + 1]);
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

// Computes the residuals of an entry. With LM_SLOPES these are the entries at x only, one for each item.
kernel void lm_residuals(global const real *x, global const uint *list, const uint items,
                         global const uint *variable, global const real *value, global real *residual,
                         const uint from, const uint count DATA_PARAMS)
{
    const uint e = from + get_global_id(0);
    if (get_global_id(0) >= count) return;
    DATA_INIT;
#if LM_SLOPES
    const lm_item c = lm_at(list, e, 0);
    const point p = { x, 0, DIM, R(0.0) };
#else
    const lm_item c = lm_find(list, items, e);
    const point p = { x, 0, c.number > 0 ? variable[e] : DIM, c.number > 0 ? value[e] : R(0.0) };
#endif
    component_residuals(c.component, p, d, residual + c.first + c.number * c.size);
}

// Computes the residuals of an item at each of some points, and the sums of their squares.
kernel void lm_values(global const real *x, global const uint *list, const uint points, global real *residual,
                      global real *product, const uint from, const uint count DATA_PARAMS)
{
    const uint e = from + get_global_id(0);
    if (get_global_id(0) >= count) return;
    DATA_INIT;
    const lm_item c = lm_at(list, e / points, e % points);
    global real *r = residual + c.first + c.number * c.size;
    component_residuals(c.component, (point){ x + (size_t)(1 + c.number) * DIM, 0, DIM, R(0.0) }, d, r);
    product[c.row + c.number] = lm_dot(r, r, c.size);
}

// Computes derivatives of the residuals. Without LM_SLOPES, entries above x divide the differences of their residuals
// and those of the next entry, and keep them in the place of their residuals; what is not finite becomes 0. With
// LM_SLOPES, an item does this for all its variables, with differences of the size parameter[i].
kernel void lm_derivatives(global const real *x, global const uint *list, const uint items,
                           global const real *parameter, global const real *value, global real *residual,
                           const uint from, const uint count DATA_PARAMS)
{
    const uint e = from + get_global_id(0);
    if (get_global_id(0) >= count) return;
    DATA_INIT;
#if LM_SLOPES
    const lm_item c = lm_at(list, e, 0);
    component_slopes(c.component, (point){ x, 0, DIM, R(0.0) }, parameter[e], d, residual + c.first + c.size);
#else
    const lm_item c = lm_find(list, items, e);
    if (c.number % 2 == 0) return;
    global real *above = residual + c.first + c.number * c.size;
    const real width = value[e] - value[e + 1];
    for (uint i = 0; i < c.size; i++) {
        const real v = (above[i] - above[c.size + i]) / width;
        above[i] = isfinite(v) ? v : R(0.0);
    }
#endif
}

// Computes inner products of the vectors of an item: for the entry at x the square of its residuals, and after it for
// each variable those of its derivatives with the derivatives by the variables up to it, and with the residuals.
kernel void lm_products(global const uint *list, const uint items, global const real *residual, global real *product,
                        const uint from, const uint count)
{
    const uint e = from + get_global_id(0);
    if (get_global_id(0) >= count) return;
    const lm_item c = lm_find(list, items, e);
    const uint n = c.size;
    global const real *at = residual + c.first, *own = at + c.number * n;
    global real *to = product + c.row;
    if (c.number == 0) {
        *to = lm_dot(at, at, n);
    } else if ((c.number - 1) % LM_APART == 0) {
        const uint v = (c.number - 1) / LM_APART;
        to += 1 + v * (v + 3) / 2;
        for (uint w = 0; w <= v; w++) to[w] = lm_dot(own, at + (1 + LM_APART * w) * n, n);
        to[v + 1] = lm_dot(own, at, n);
    }
}

// Solves the equations (A + λ diag A) s = -g of item i, whose products are A and g, with λ = parameter[i]. A work-group
// works on an item. It writes s to product + answers from entry 1 on, and for entry 0 whether the equations are
// positive. If variable[entry 0] is not 0, variables at a bound beyond which f falls are left out of the equations.
// It also sets its variables in the LM_POINTS points after the first one to x + s, x + s/4, …, in the box.
//
// A + λ diag A = U D⁻¹ Uᵀ, where D is the diagonal of the lower triangle U. The sums do not depend on the size of the
// group.
kernel void lm_steps(global real *x, global const real *lower, global const real *upper,
                     global const uint *list, global const uint *variable, global const real *parameter,
                     global real *residual, global real *product, const uint answers, const uint from)
{
    const uint i = from + get_group_id(0), t = get_local_id(0), all = get_local_size(0);
    const uint lanes = all % 16 == 0 ? 16 : 1, rows = all / lanes;
    const lm_item c = lm_at(list, i, 0);
    const uint n = c.size;
    global const uint *entry = variable + c.entry;
    global const real *a = product + c.row + 1; // row v has v + 1 numbers of A, and one of g
    global real *u = residual + c.first, *column = u + n * (n + 1) / 2;
    global real *s = product + answers + c.entry + 1;
    for (uint v = t; v < n; v += all) {
        const uint k = entry[1 + v];
        const real g = a[v * (v + 3) / 2 + v + 1];
        const bool out = entry[0] && ((x[k] <= lower[k] && g > R(0.0)) || (x[k] >= upper[k] && g < R(0.0)));
        column[v] = out ? R(0.0) : R(1.0);
        s[v] = out ? R(0.0) : -g;
    }
    barrier(CLK_GLOBAL_MEM_FENCE);
    for (uint v = 0; v < n; v++) {
        for (uint w = t; w <= v; w += all) {
            real e = column[v] == R(0.0) || column[w] == R(0.0) ? R(0.0) : a[v * (v + 3) / 2 + w];
            if (v == w) e *= R(1.0) + parameter[i];
            u[v * (v + 1) / 2 + w] = v == w && e == R(0.0) ? R(1.0) : e; // 1: nothing depends on the variable
        }
    }
    bool positive = true;
    for (uint j = 0; j < n; j++) {
        barrier(CLK_GLOBAL_MEM_FENCE);
        for (uint v = j + t; v < n; v += all) column[v] = u[v * (v + 1) / 2 + j];
        barrier(CLK_GLOBAL_MEM_FENCE);
        const real y = s[j];
        positive = positive && column[j] > R(0.0) && isfinite(column[j]);
        for (uint v = j + 1 + t / lanes; v < n; v += rows) {
            const real f = column[v] / column[j];
            global real *row = u + v * (v + 1) / 2;
            for (uint w = j + 1 + t % lanes; w <= v; w += lanes) row[w] -= f * column[w];
            if (t % lanes == 0) s[v] -= f * y;
        }
    }
    for (uint j = n; j-- > 0;) {
        barrier(CLK_GLOBAL_MEM_FENCE);
        global const real *row = u + j * (j + 1) / 2;
        const real y = s[j] / row[j];
        for (uint w = t; w < j; w += all) s[w] -= row[w] * y;
        if (t == 0) column[j] = y;
    }
    barrier(CLK_GLOBAL_MEM_FENCE);
    for (uint v = t; v < n; v += all) {
        const uint k = entry[1 + v];
        real part = R(1.0);
        for (uint p = 1; p <= LM_POINTS; p++, part *= R(0.25)) {
            const real y = fma(part, column[v], x[k]);
            x[(size_t)p * DIM + k] = y < lower[k] ? lower[k] : y > upper[k] ? upper[k] : y;
        }
        s[v] = column[v];
    }
    if (t == 0) s[-1] = positive ? R(1.0) : R(0.0);
}
