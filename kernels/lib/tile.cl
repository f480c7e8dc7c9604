// tile.cl: one tile of one point, from either form of a problem.
//
// tile_sum: all items of a group call it; afterwards every item holds the
// accumulators of tile t at x in acc[0..ACCS).
// Defines: COOPERATIVE (the problem has tile()), TILE_COMPS, TILES.

#if !COOPERATIVE
static void tile(uint t, point x, data d, local real *scratch, sum *acc)
{
    const uint lo = t * TILE_COMPS;
    const uint hi = t + 1 == TILES ? COMPS : min(lo + TILE_COMPS, COMPS);
    for (uint k = lo + get_local_id(0); k < hi; k += GROUP) {
        real a[ACCS];
        for (int j = 0; j < ACCS; j++) a[j] = 0;
        component(k, x, d, a);
        for (int j = 0; j < ACCS; j++) sum_add(acc + j, a[j]);
    }
}
#endif

static void tile_sum(uint t, point x, data d, local real *scratch, local sum *tree, sum *acc)
{
    for (int j = 0; j < ACCS; j++) acc[j] = sum_zero();
    tile(t, x, d, scratch, acc);
    for (int j = 0; j < ACCS; j++) acc[j] = group_sum(acc[j], tree);
}
