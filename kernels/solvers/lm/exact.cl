// lm/exact.cl: exact derivatives of residuals, from the tangent or the adjoint of component_residuals. Comes after
// lm/lm.cl; the text of the tangent or the adjoint follows.
//
// A component of an item has values: its residuals first, then with LM_TANGENTS the derivatives of all of them by each
// variable, else those of each residual by all variables. An adjoint keeps numbers on a tape, where TAPE(i) is a place
// of one of `lanes` items.
//
// Defines: LM_EXACT, LM_TANGENTS.

#define TAPE(i) out.tape[(ulong)(i) * out.lanes]

// The derivatives of a residual: entry v is row[v * size], for variable variable[v].
typedef struct {
    global real *row, *tape;
    global const uint *variable;
    uint variables, size, lanes;
} gradient;

// Adds v to the derivative by variable i.
static void put(gradient out, uint i, real v)
{
    if (!isfinite(v)) return;
    uint r = 0, end = out.variables;
    if (end == DIM) r = i;
    else {
        while (r + 1 < end) {
            const uint mid = r + (end - r) / 2;
            if (out.variable[mid] <= i) r = mid;
            else end = mid;
        }
        if (out.variable[r] != i) return;
    }
    out.row[(size_t)r * out.size] += v;
}

#if LM_TANGENTS
#define along(x, i) ((i) == (x).j ? R(1.0) : R(0.0))
static void component_residuals_tangent(uint k, point x, data d, global real *r);
#else
static void component_residuals_adjoint(uint k, point x, data d, const real *, gradient out);
#endif

// Computes value number e of the items: the residuals of a component at x, or derivatives, not finite ones as 0.
kernel void lm_exact(global const real *x, global const uint *list, const uint items, global const uint *variable,
                     global real *residual, global real *tape, const uint from, const uint count DATA_PARAMS)
{
    const uint e = from + get_global_id(0);
    if (get_global_id(0) >= count) return;
    DATA_INIT;
    const lm_item c = lm_find(list, items, 7, e);
    const uint values = 1 + (LM_TANGENTS ? c.variables : c.squares), number = c.number % values, k = c.number / values;
    global real *own = residual + c.first + k * c.squares;
    const point p = { x, 0, DIM, R(0.0) };
    if (number == 0) {
        lm_compute(c.component + k, p, d, own, c.squares);
        return;
    }
    global const uint *vars = variable + c.entry;
#if LM_TANGENTS
    global real *to = own + (size_t)number * c.size;
    const point by = { x, 0, vars[number], x[vars[number]] };
    for (uint i = 0; i < c.squares; i++) to[i] = R(0.0);
    component_residuals_tangent(c.component + k, by, d, to);
    for (uint i = 0; i < c.squares; i++) to[i] = isfinite(to[i]) ? to[i] : R(0.0);
#else
    real lm_w[LM_WEIGHTS];
    for (uint i = 0; i < LM_WEIGHTS; i++) lm_w[i] = i == number - 1 ? R(1.0) : R(0.0);
    global real *row = own + number - 1 + c.size;
    for (uint v = 0; v < c.variables; v++) row[(size_t)v * c.size] = R(0.0);
    component_residuals_adjoint(c.component + k, p, d, lm_w, (gradient){ row, tape + get_global_id(0), vars + 1,
                                                                     c.variables, c.size, count });
    for (uint v = 0; v < c.variables; v++) {
        global real *at = row + (size_t)v * c.size;
        *at = isfinite(*at) ? *at : R(0.0);
    }
#endif
}
