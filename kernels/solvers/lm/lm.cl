// lm/lm.cl: residuals and their derivatives for the Levenberg-Marquardt method. Comes after the problem's text in the
// form with residuals.
//
// The host lists some components of the problem, each with LM_NUMBERS numbers, see lm_item. A component has entries,
// which are residuals at a point: the first is at x, and for variable v of those that it reads, the entries 1 + 2 v and
// 2 + 2 v are above and below x, where `variable` has `value`. With LM_SLOPES the text of the problem has
// component_slopes, and entry 1 + v is for variable v. The residuals of the entries of a component stand one after the
// other. Where values of some points are wanted and no derivatives, each point is an entry. The points stand one after
// the other in x.

#define LM_NUMBERS 5u
#define LM_APART (LM_SLOPES ? 1u : 2u) // entries of a variable

// An item of the list, and one of its entries.
typedef struct {
    uint component;
    uint entry;  // index of its first entry
    uint size;   // number of its residuals
    uint first;  // index of its first residual
    uint row;    // index of its first product
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

// Computes the residuals of an item at each of some points, and the sums of their squares as its products.
kernel void lm_values(global const real *x, global const uint *list, const uint points, global real *residual,
                      global real *product, const uint from, const uint count DATA_PARAMS)
{
    const uint e = from + get_global_id(0);
    if (get_global_id(0) >= count) return;
    DATA_INIT;
    const lm_item c = lm_at(list, e / points, e % points);
    global real *r = residual + c.first + c.number * c.size;
    component_residuals(c.component, (point){ x + (size_t)c.number * DIM, 0, DIM, R(0.0) }, d, r);
    product[c.row + c.number] = lm_dot(r, r, c.size);
}

// Computes derivatives of the residuals. Without LM_SLOPES, entries above x divide the differences of their residuals
// and those of the next entry, and keep them in the place of their residuals; what is not finite becomes 0. With
// LM_SLOPES, an item does this for all its variables, with differences of the size difference[i].
kernel void lm_derivatives(global const real *x, global const uint *list, const uint items,
                           global const real *difference, global const real *value, global real *residual,
                           const uint from, const uint count DATA_PARAMS)
{
    const uint e = from + get_global_id(0);
    if (get_global_id(0) >= count) return;
    DATA_INIT;
#if LM_SLOPES
    const lm_item c = lm_at(list, e, 0);
    component_slopes(c.component, (point){ x, 0, DIM, R(0.0) }, difference[e], d, residual + c.first + c.size);
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
