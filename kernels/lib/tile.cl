// tile.cl: evaluates one tile at POINTS points, from either form of a problem.
//
// A problem in item form defines component(k, x, d, acc). Where component k reads variable k alone, it may also
// define component_eight(k, z, d, acc), which adds the terms of components k to k + 7 to acc, k a multiple of eight,
// and COMPONENT_EIGHT, which says so. It is used where WIDE and where the view makes eight variables at once
// (VIEW_EIGHTS). A problem in cooperative form defines tile() instead.
//
// Defines: COOPERATIVE (the problem defines tile()), QUADS (lib/quad.cl stands before the problem), POINTS (points
// that a group evaluates together, so that tables are read once for all of them), TILE_COMPS, TILES, WHOLE (components
// may read any variable).

#if !COOPERATIVE
#if QUADS
#define TILE_POINT quad
#else
#define TILE_POINT point
#endif

static void tile_add(uint k, TILE_POINT x, data d, sum *acc)
{
    real a[ACCS];
    for (int j = 0; j < ACCS; j++) a[j] = 0;
    component(k, x, d, a);
    for (int j = 0; j < ACCS; j++) sum_add(acc + j, a[j]);
}

#endif

#if WHOLE && !COOPERATIVE
// Components may be few and long: each item takes one at a time.
static void tile(uint t, const point *x, data d, local real *scratch, local sum *tree, sum *acc)
{
    const uint lo = t * TILE_COMPS;
    const uint hi = t + 1 == TILES ? COMPS : min(lo + TILE_COMPS, COMPS);
    for (uint k = lo + get_local_id(0); k < hi; k += GROUP)
        for (int p = 0; p < POINTS; p++) tile_add(k, x[p], d, acc + p * ACCS);
}
#elif !COOPERATIVE
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
    // An item takes four neighbours, whose variables the view makes as a quad.
    for (uint k = from + 4 * get_local_id(0); k < hi; k += 4 * GROUP) {
        for (int p = 0; p < POINTS; p++) {
#if QUADS
            quad b;
            quad_of(&b, x[p], k, DIM);
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

// tile_sums evaluates tile t. All items of a group must call it; afterwards accumulator a at point x[k] is
// tree[(k*ACCS + a)*GROUP]. It must be inlined: Mesa 25 crashes on a function that is passed local memory.
static inline __attribute__((always_inline)) void tile_sums(uint t, const point *x, data d,
                                                            local real *scratch, local sum *tree)
{
    sum acc[POINTS * ACCS];
    for (int j = 0; j < POINTS * ACCS; j++) acc[j] = sum_zero();
    tile(t, x, d, scratch, tree, acc);
    group_sums(acc, POINTS * ACCS, tree);
}
