// lbfgs/slots.cl: the gradient of components that read few variables, from their adjoints. An item stores what its
// component adds to a variable in a slot of the two; then the slots of a variable are added in the order of their
// components. Comes after lbfgs/view.cl and lib/touch.cl; the text of the adjoint follows.
//
// Layout: the slot of component touched(q, i, d) and variable i is parts[SLOT_AT(i - own, q, touch_first(i, d))]. For
// lists the slots of a component are together: slot r, slot_start[k] <= r < slot_start[k + 1], is that of component k
// and variable slot_reads[r], which increases, and number q has slot[q]. TAPE(i) is a place of what an adjoint keeps,
// in a tape with `items` places for each.
//
// Defines: SLOTS (of a variable, at most; 0: lists).

#if SLOTS
#define SLOT_AT(v, q, first) ((ulong)(v) * SLOTS + ((q) - (first)))
#else
#define SLOT_AT(v, q, first) d.slot[q]
#endif
#define TAPE(i) out.tape[(ulong)(i) * out.items]

typedef struct {
    global real *slots, *tape;
    uint items, own, count, k;
    data d;
} gradient;

// Adds v to the slot of component out.k and variable i, if the shard has that variable.
static void put(gradient out, uint i, real v)
{
    if (i - out.own >= out.count || !isfinite(v)) return;
#if SLOTS
    const uint first = touch_first(i, out.d);
    uint q = first, end = touch_end(i, out.d);
    while (q + 1 < end) {
        const uint mid = q + (end - q) / 2;
        if (touched(mid, i, out.d) <= out.k) q = mid;
        else end = mid;
    }
    if (q < end && touched(q, i, out.d) == out.k) out.slots[SLOT_AT(i - out.own, q, first)] += v;
#else
    uint r = out.d.slot_start[out.k], end = out.d.slot_start[out.k + 1];
    while (r + 1 < end) {
        const uint mid = r + (end - r) / 2;
        if (out.d.slot_reads[mid] <= i) r = mid;
        else end = mid;
    }
    if (r < end && out.d.slot_reads[r] == i) out.slots[r] += v;
#endif
}

// Puts the derivatives of the sum of w[j] times sum j of component k.
static void component_adjoint(uint k, point x, data d, const real *w, gradient out);

// Stores what components `from` to from + items - 1 add to the `count` variables from `own` on.
kernel void lbfgs_slots(global const real *x, const uint lo, global const real *kinks, const uint first_kink,
                        global const real *slope, global real *parts, global real *tape, const uint own,
                        const uint count, const uint from, const uint items DATA_PARAMS)
{
    const uint e = get_global_id(0);
    if (e >= items) return;
    DATA_INIT;
    real w[ACCS];
    for (int j = 0; j < ACCS; j++) w[j] = slope[j];
    const gradient out = { parts, tape + e, items, own, count, from + e, d };
    component_adjoint(from + e, (point){ x, lo, kinks, first_kink }, d, w, out);
}

// Sets `direction` to the sums of the slots of the `count` variables from `own` on.
kernel void lbfgs_add(global const real *parts, global real *direction, const uint own, const uint count DATA_PARAMS)
{
    const uint v = get_global_id(0);
    if (v >= count) return;
    DATA_INIT;
    const uint first = touch_first(own + v, d), end = touch_end(own + v, d);
    sum all = sum_zero();
    for (uint q = first; q < end; q++) sum_add(&all, parts[SLOT_AT(v, q, first)]);
    const real g = sum_real(all);
    direction[v] = isfinite(g) ? g : R(0.0);
}
