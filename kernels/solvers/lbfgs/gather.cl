// lbfgs/gather.cl: the gradient of components that read few variables, from their adjoints. An item has a variable, and
// computes the adjoints of all components that read it. That is fast where devices wait for memory. Comes after
// lbfgs/view.cl and lib/touch.cl; the text of the adjoint follows.
//
// TAPE(i) is a place of what an adjoint keeps, in a tape with `items` places for each.

#define TAPE(i) out.tape[(ulong)(i) * out.items]

typedef struct {
    real *g; // of variable i
    global real *tape;
    uint items, i;
} gradient;

// Adds v to the derivative by variable out.i.
static void put(gradient out, uint i, real v)
{
    if (i == out.i && isfinite(v)) *out.g += v;
}

// Puts the derivatives of the sum of w[j] times sum j of component k.
static void component_adjoint(uint k, point x, data d, const real *w, gradient out);

// Sets `direction` to the derivatives by the `items` variables from `from` on.
kernel void lbfgs_gather(global const real *x, const uint lo, global const real *kinks, const uint first_kink,
                         global const real *slope, global real *direction, global real *tape, const uint own,
                         const uint from, const uint items DATA_PARAMS)
{
    const uint e = get_global_id(0), i = from + e;
    if (e >= items) return;
    DATA_INIT;
    real w[ACCS];
    for (int j = 0; j < ACCS; j++) w[j] = slope[j];
    sum all = sum_zero();
    const uint end = touch_end(i, d);
    for (uint q = touch_first(i, d); q < end; q++) {
        real one = R(0.0);
        const gradient out = { &one, tape + e, items, i };
        component_adjoint(touched(q, i, d), (point){ x, lo, kinks, first_kink }, d, w, out);
        sum_add(&all, one);
    }
    const real g = sum_real(all);
    direction[i - own] = isfinite(g) ? g : R(0.0);
}
