// partial_check.cl: evaluates changes of one variable of a point by difference and in full, for the self-check
// and the tests of problems.
//
// partial_check_changes: change c sets variable which[c] of the point x (dense) to w[c]. acc[c*ACCS + j] gets the
//   accumulators updated by difference, and acc[(changes + c)*ACCS + j] those of a full evaluation. f[c] and
//   f[changes + c] get the objective of the two.
//   launch: one item per change, from change `from` on.

// Evaluates changes of one variable by difference and in full.
kernel void partial_check_changes(global const real *x, global const uint *which, global const real *w,
                                  global sum *acc, global real *f, const uint changes, const uint from DATA_PARAMS)
{
    const uint c = from + get_global_id(0);
    if (c >= changes) return;
    DATA_INIT;
    sum kept[ACCS], full[ACCS];
    const point old = point_stored(x, 1), to = point_with(old, which[c], w[c]);
    partial_full(old, d, kept);
    partial_swap(old, to, which[c], d, kept);
    partial_full(to, d, full);
    for (uint j = 0; j < ACCS; j++) {
        acc[(ulong)c * ACCS + j] = kept[j];
        acc[(ulong)(changes + c) * ACCS + j] = full[j];
    }
    f[c] = objective(kept, d);
    f[changes + c] = objective(full, d);
}
