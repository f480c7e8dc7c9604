// tile.cl: one tile of one point, from either form of a problem.
//
// tile_sum: all items of a group call it; afterwards every item holds the
// accumulators of tile t at x in acc[0..ACCS).
// Defines: COOPERATIVE (the problem has tile()), TILE_COMPS, TILES.

#ifndef VIEW_OF
#define VIEW_OF(x, k) (x) // the point as component k sees it
#endif

#if !COOPERATIVE
static void tile_add(uint k, point x, data d, sum *acc)
{
    real a[ACCS];
    for (int j = 0; j < ACCS; j++) a[j] = 0;
    component(k, VIEW_OF(x, k), d, a);
    for (int j = 0; j < ACCS; j++) sum_add(acc + j, a[j]);
}

static void tile(uint t, point x, data d, local real *scratch, sum *acc)
{
    const uint lo = t * TILE_COMPS;
    const uint hi = t + 1 == TILES ? COMPS : min(lo + TILE_COMPS, COMPS);
    // Four neighbours an item: under a view that draws, they share the words of
    // one block, and the compiler makes these once.
    for (uint k = lo + 4 * get_local_id(0); k < hi; k += 4 * GROUP) {
        if (k + 4 <= hi) {
            tile_add(k, x, d, acc);
            tile_add(k + 1, x, d, acc);
            tile_add(k + 2, x, d, acc);
            tile_add(k + 3, x, d, acc);
        } else {
            for (uint j = k; j < hi; j++) tile_add(j, x, d, acc);
        }
    }
}
#endif

// Inlined by force: Mesa 25 crashes on local memory handed to a function.
static inline __attribute__((always_inline)) void tile_sum(uint t, point x, data d, local real *scratch, local sum *tree, sum *acc)
{
    for (int j = 0; j < ACCS; j++) acc[j] = sum_zero();
    tile(t, x, d, scratch, acc);
    for (int j = 0; j < ACCS; j++) acc[j] = group_sum(acc[j], tree);
}
