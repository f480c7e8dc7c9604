// lm/lm.cl: residuals and their derivatives for the Levenberg-Marquardt method. Comes after the problem's text in the
// form with residuals.
//
// The host lists some components of the problem, each with LM_NUMBERS numbers, see lm_item. A component that reads v
// variables has entries, which are residuals at a point: the first is at x, and then for each variable the one above x,
// where `variable` has `value`, and after all of them those below x. With LM_SLOPES the text of the problem has
// component_slopes and component_slope, and there are no entries below x. The residuals of the entries of a component
// stand one after the other, and with LM_SLOPES after them the numbers of component_slopes.
//
// With LM_EXACT exact.cl computes derivatives from those of the text, and there are no entries below x either.
//
// For derivatives without LM_SLOPES an item may be a stack: components one after the other that read the same
// variables. Each of its entries has the residuals of the first component, then those of the second one, and so on.
//
// Derivatives take the places of the residuals above x. So the first 1 + v entries are the rows of a matrix: the
// residuals at x, and their derivatives by each variable.
//
// x has the point of the derivatives, and after it other points, one after the other. For values of components at some
// of these there are no entries. For steps, entry 1 + i is for variable i.
//
// The answers of an item are its values at some points and then, for steps, a number for each of its entries. They
// stand in product from number `answers` on, those of one item after those of another.
//
// Components of more than LM_NARROW variables are wide: they have tiles, of which a work-group computes each.

#define LM_NUMBERS 9u

// An item of the list, and one of its entries or tiles.
typedef struct {
    uint component;
    uint entry;     // index of its first entry
    uint tile;      // index of its first tile
    uint variables; // number of its variables
    uint size;      // number of the residuals of an entry
    uint first;     // index of its first residual
    uint row;       // index of its first product
    uint value;     // index of its first value: an entry, or with LM_EXACT a row, of a component of the stack
    uint squares;   // number of the residuals of a component
    uint index;     // of the item
    uint number;    // of the entry or tile
} lm_item;

// Returns entry or tile `number` of item i.
static lm_item lm_at(global const uint *list, uint i, uint number)
{
    global const uint *at = list + LM_NUMBERS * i;
    return (lm_item){ at[0], at[1], at[2], at[3], at[4], at[5], at[6], at[7], at[8], i, number };
}

// Returns the last item of which number `field` is at most e, with the difference.
static lm_item lm_find(global const uint *list, uint items, uint field, uint e)
{
    uint lo = 0, hi = items; // the item is in this range
    while (hi - lo > 1) {
        const uint middle = (lo + hi) / 2;
        if (list[LM_NUMBERS * middle + field] <= e) lo = middle;
        else hi = middle;
    }
    return lm_at(list, lo, e - list[LM_NUMBERS * lo + field]);
}

// Returns entry e of all items, which have at least one each.
static lm_item lm_entry(global const uint *list, uint items, uint e) { return lm_find(list, items, 1, e); }

// Returns tile e of all items.
static lm_item lm_tile(global const uint *list, uint items, uint e) { return lm_find(list, items, 2, e); }

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

// Computes the residuals of a component at a point. What a text does not set is 0.
static void lm_compute(uint component, point p, data d, global real *r, uint squares)
{
    for (uint i = 0; i < squares; i++) r[i] = R(0.0);
    component_residuals(component, p, d, r);
}

#if !LM_EXACT
// Computes the residuals of an entry of a component, those of the first entries first. With LM_SLOPES it computes those
// of an item at x, and the numbers from which their derivatives follow, with differences of the size parameter[i].
kernel void lm_residuals(global const real *x, global const uint *list, const uint items,
                         global const real *parameter, global const uint *variable, global const real *value,
                         global real *residual, const uint from, const uint count DATA_PARAMS)
{
    const uint e = from + get_global_id(0);
    if (get_global_id(0) >= count) return;
    DATA_INIT;
#if LM_SLOPES
    const lm_item c = lm_at(list, e, 0);
    const point p = { x, 0, DIM, R(0.0) };
    lm_compute(c.component, p, d, residual + c.first, c.squares);
    component_slopes(c.component, p, parameter[e], d, residual + c.first + (1 + c.variables) * c.size);
#else
    const lm_item c = lm_find(list, items, 7, e);
    const uint entries = 1 + 2 * c.variables, number = c.number % entries, k = c.number / entries;
    const uint at = c.entry + number;
    const point p = { x, 0, number > 0 ? variable[at] : DIM, number > 0 ? value[at] : R(0.0) };
    lm_compute(c.component + k, p, d, residual + c.first + number * c.size + k * c.squares, c.squares);
#endif
}
#endif

// Computes the residuals of an item at each of some points, and the sums of their squares.
kernel void lm_values(global const real *x, global const uint *list, const uint points, global real *residual,
                      global real *product, const uint answers, const uint from, const uint count DATA_PARAMS)
{
    const uint e = from + get_global_id(0);
    if (get_global_id(0) >= count) return;
    DATA_INIT;
    const lm_item c = lm_at(list, e / points, e % points);
    global real *r = residual + c.first + c.number * c.size;
    lm_compute(c.component, (point){ x + (size_t)(1 + c.number) * DIM, 0, DIM, R(0.0) }, d, r, c.squares);
    product[answers + c.entry + e] = lm_dot(r, r, c.size);
}

#if !LM_EXACT
// Computes the derivatives of the residuals of an entry above x. Without LM_SLOPES, these are the differences of its
// residuals and those below x, divided; what is not finite becomes 0.
kernel void lm_derivatives(global const uint *list, const uint items, global const real *value,
                           global real *residual, const uint from, const uint count DATA_PARAMS)
{
    const uint e = from + get_global_id(0);
    if (get_global_id(0) >= count) return;
    DATA_INIT;
    const lm_item c = lm_entry(list, items, e);
    if (c.number == 0 || c.number > c.variables) return;
    global real *above = residual + c.first + c.number * c.size;
#if LM_SLOPES
    component_slope(c.component, c.number - 1, d, residual + c.first + (1 + c.variables) * c.size, above);
#else
    global const real *below = above + c.variables * c.size;
    const real width = value[e] - value[e + c.variables];
    for (uint i = 0; i < c.size; i++) {
        const real v = (above[i] - below[i]) / width;
        above[i] = isfinite(v) ? v : R(0.0);
    }
#endif
}
#endif
