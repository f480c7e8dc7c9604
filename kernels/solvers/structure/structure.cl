// structure.cl: tests of which variables interact in a component, what it reads, and whether it rises with its inner
// sums. Comes after the problem in item
// form, under view.cl.
//
// A test moves the first set of variables, the second, and both. If no variable of the first set interacts with one of
// the second in component k, the second difference
//   delta = (c_k(both) - c_k(first)) - (c_k(second) - c_k(none))
// is 0 but for rounding. As in ERDG (Yang et al. 2021, doi:10.1109/TEVC.2020.3009390), the bound of rounding is
// STRUCTURE_GAMMA times the sum of the four sizes; STRUCTURE_GAMMA is gamma_m = m u/(1 - m u) with m = sqrt(DIM) + 2
// and the unit roundoff u.

// The second difference of component k in the accumulator where it exceeds its bound most, or 0 where it exceeds none.
static real2 structure_difference(uint k, point x, data d)
{
    real a[4 * ACCS];
    for (uint w = 0; w < 4; w++) {
        x.moved = w;
        for (int j = 0; j < ACCS; j++) a[w * ACCS + j] = R(0.0);
        component(k, x, d, a + w * ACCS);
    }
    real2 most = (real2)(R(0.0), R(0.0));
    for (int j = 0; j < ACCS; j++) {
        const real none = a[j], first = a[ACCS + j], second = a[2 * ACCS + j], both = a[3 * ACCS + j];
        const real delta = (both - first) - (second - none);
        const real bound = STRUCTURE_GAMMA * (fabs(none) + fabs(first) + fabs(second) + fabs(both));
        if (isfinite(bound) && fabs(delta) - bound > fabs(most.x) - most.y) most = (real2)(delta, bound);
    }
    return most;
}

static point structure_point(global const uchar *labels, uint number, uint seed, uint run)
{
    return (point){ (uint2)(seed, run), number, 0, labels, 0, 0, 0 };
}

// Finds, for each test t, the smallest number of a component whose variables of the two sets interact, and leaves
// found[t] where it is smaller. Test t has labels[t*DIM + i] and point numbers[t].
// launch: (components from first on, tests) items.
kernel void structure_scan(global const uchar *labels, global const uint *numbers, global uint *found, const uint first,
                           const uint seed, const uint run DATA_PARAMS)
{
    const uint k = first + get_global_id(0), t = get_global_id(1);
    if (k >= COMPS) return;
    DATA_INIT;
    const real2 most = structure_difference(k, structure_point(labels + (ulong)t * DIM, numbers[t], seed, run), d);
    if (fabs(most.x) > most.y) atomic_min(found + t, k);
}

// Writes the second difference of component k to out[2*t] and its bound to out[2*t + 1], for each test t.
// launch: one item per test.
kernel void structure_measure(global const uchar *labels, global const uint *numbers, global real *out, const uint k,
                              const uint seed, const uint run DATA_PARAMS)
{
    const uint t = get_global_id(0);
    DATA_INIT;
    const real2 most = structure_difference(k, structure_point(labels + (ulong)t * DIM, numbers[t], seed, run), d);
    out[2 * t] = most.x;
    out[2 * t + 1] = most.y;
}

// Notes the variables that components read at a point: lists[k*width] and those after it, counts[k] of them.
// launch: one item per component from first on.
kernel void structure_reads(global uint *lists, global uint *counts, const uint width, const uint first,
                            const uint number, const uint seed, const uint run DATA_PARAMS)
{
    const uint k = first + get_global_id(0);
    if (k >= COMPS) return;
    DATA_INIT;
    const point x = { (uint2)(seed, run), number, 0, 0, lists + (ulong)k * width, counts + k, width };
    real a[ACCS];
    for (int j = 0; j < ACCS; j++) a[j] = R(0.0);
    component(k, x, d, a);
}

#if INNER
// Finds the smallest number of a component that falls where one of its inner sums rises, and leaves it in *found where
// it is smaller. In test t, one sum of point 2t after the other is replaced by that of point 2t + 1.
// launch: (components from first on, tests) items.
kernel void structure_falls(global uint *found, const uint first, const uint seed, const uint run DATA_PARAMS)
{
    const uint k = first + get_global_id(0), t = get_global_id(1);
    if (k >= COMPS) return;
    DATA_INIT;
    real a[INNER], b[INNER];
    for (int j = 0; j < INNER; j++) a[j] = b[j] = R(0.0);
    component_inner(k, structure_point(0, 2 * t, seed, run), d, a);
    component_inner(k, structure_point(0, 2 * t + 1, seed, run), d, b);
    const real before = component_value(k, a, d);
    for (int j = 0; j < INNER; j++) {
        const real kept = a[j];
        a[j] = b[j];
        const real after = component_value(k, a, d);
        a[j] = kept;
        const real fall = b[j] > kept ? before - after : after - before;
        if (isfinite(fall) && fall > STRUCTURE_GAMMA * (fabs(before) + fabs(after))) atomic_min(found, k);
    }
}
#endif
