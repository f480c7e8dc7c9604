// tile.cl: one tile of POINTS points, from either form of a problem.
//
// tile_sums: all items of a group call it; afterwards accumulator a of tile t at
// point x[k] is tree[(k*ACCS + a)*GROUP].
// A problem in item form whose component k reads variable k alone may also give component_eight(k, z, d, acc), which adds
// the terms of components k to k + 7 to acc, k a multiple of eight, and says so by COMPONENT_EIGHT: vector code where WIDE
// and the view makes as many (VIEW_EIGHTS).
// Defines: COOPERATIVE (the problem has tile()), BLOCKS (lib/block.cl stands
// before the problem), POINTS (points that a group evaluates together, so that tables are read once
// for all), TILE_COMPS, TILES.

#ifndef VIEW_OF
#define VIEW_OF(x, k) (x) // the point as component k sees it
#endif

#if !COOPERATIVE
#if BLOCKS
#define TILE_POINT block
#else
#define TILE_POINT point
#endif

static void tile_add(uint k, TILE_POINT x, data d, sum *acc)
{
    real a[ACCS];
    for (int j = 0; j < ACCS; j++) a[j] = 0;
    component(k, VIEW_OF(x, k), d, a);
    for (int j = 0; j < ACCS; j++) sum_add(acc + j, a[j]);
}

static void tile(uint t, const point *x, data d, local real *scratch, local sum *tree, sum *acc)
{
    const uint lo = t * TILE_COMPS;
    const uint hi = t + 1 == TILES ? COMPS : min(lo + TILE_COMPS, COMPS);
    uint from = lo;
#if defined(COMPONENT_EIGHT) && defined(VIEW_EIGHTS)
    if (lo % 8 == 0) from += (hi - lo) / 32 * 32;
    for (uint k = lo + 32 * get_local_id(0); k < from; k += 32 * GROUP) {
        for (int p = 0; p < POINTS; p++) {
            real8 z[4];
            at_eights(x[p], k, z);
            for (uint e = 0; e < 4; e++) component_eight(k + 8 * e, z[e], d, acc + p * ACCS);
        }
    }
#endif
    // Four neighbours an item, which share what the view makes by fours.
    for (uint k = from + 4 * get_local_id(0); k < hi; k += 4 * GROUP) {
        for (int p = 0; p < POINTS; p++) {
#if BLOCKS
            block b;
            block_of(&b, x[p], k, DIM);
#else
            const point b = x[p];
#endif
            if (k + 4 <= hi) {
                tile_add(k, b, d, acc + p * ACCS);
                tile_add(k + 1, b, d, acc + p * ACCS);
                tile_add(k + 2, b, d, acc + p * ACCS);
                tile_add(k + 3, b, d, acc + p * ACCS);
            } else {
                for (uint j = k; j < hi; j++) tile_add(j, b, d, acc + p * ACCS);
            }
        }
    }
}
#endif

// Inlined by force: Mesa 25 crashes on local memory handed to a function.
static inline __attribute__((always_inline)) void tile_sums(uint t, const point *x, data d, local real *scratch, local sum *tree)
{
    sum acc[POINTS * ACCS];
    for (int j = 0; j < POINTS * ACCS; j++) acc[j] = sum_zero();
    tile(t, x, d, scratch, tree, acc);
    group_sums(acc, POINTS * ACCS, tree);
}
