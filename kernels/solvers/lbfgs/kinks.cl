// lbfgs/kinks.cl: what components see of their kinks. Comes after lbfgs/seen.cl and the problem.

// Sets the multipliers of components number from to from + count - 1 to the derivatives at x of what they round. A
// launch must not be repeated.
kernel void lbfgs_multipliers(global const real *x, const uint lo, global real *kinks, const uint first_kink,
                              const uint from, const uint count DATA_PARAMS)
{
    const uint e = get_global_id(0);
    if (e >= count) return;
    DATA_INIT;
    real acc[ACCS];
    for (int j = 0; j < ACCS; j++) acc[j] = R(0.0);
    component(from + e, (point){ x, lo, kinks, first_kink, 0, 0 }, d, acc);
}

// Adds the logarithms of the arguments of the kinks of a site over the components of a tile, and counts them.
//   launch: groups (1, tiles) of GROUP items.
kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void lbfgs_scales(global const real *x, const uint lo, global real *kinks, const uint first_kink, global sum *sums,
                  const uint first, const uint tile0, const uint site DATA_PARAMS)
{
    local sum tree[2 * GROUP];
    DATA_INIT;
    const uint t = tile0 + get_group_id(1), from = t * TILE_COMPS;
    const uint to = t + 1 == TILES ? COMPS : min(from + TILE_COMPS, COMPS);
    sum all[2] = { sum_zero(), sum_zero() };
    for (uint k = from + get_local_id(0); k < to; k += GROUP) {
        real acc[ACCS], seen[2] = { R(0.0), R(0.0) };
        for (int j = 0; j < ACCS; j++) acc[j] = R(0.0);
        component(k, (point){ x, lo, kinks, first_kink, site, seen }, d, acc);
        sum_add(all, seen[0]);
        sum_add(all + 1, seen[1]);
    }
    group_sums(all, 2, tree);
    if (get_local_id(0) > 0) return;
    sums[2 * (ulong)(t - first)] = tree[0];
    sums[2 * (ulong)(t - first) + 1] = tree[GROUP];
}
