// eval.cl: full evaluation of P points under any view, in two steps. Launched by shard.Placement.
//
// eval_write: to[p*DIM + i] = variable i of point point0 + p, where points are written before they are evaluated
//   (WRITES). The program has no text of the problem then.
//   launch: one item per four variables, from quad0 on, and point.
// eval_tiles: sums[(t*P + p)*ACCS + a] = accumulator a of tile t at point p, t counted from tile `first`.
//   launch: groups (points from point0 on, POINTS of them each; tiles from tile0 on), GROUP items each. All points
//   of a tile come together, so that the tables they share stay in the cache.
// eval_fold: super[(s*P + p)*ACCS + a] = the tiles of super-tile s added in order.
//   launch: one item per (p, a) and super-tile.
// eval_total: total[p*ACCS + a] = the super-tiles added in order. The host does the same where the
//   super-tiles are on several devices or on a processor.
//   launch: one group of GROUP items per (p, a).

#if WRITES
// Writes points of a view to memory.
kernel void eval_write(VIEW_PARAMS, global real *to, const uint quad0, const uint point0 DATA_PARAMS)
{
    DATA_INIT;
    const uint q = quad0 + get_global_id(0), p = get_global_id(1);
    const point x = VIEW_POINT(point0 + p, 4 * q);
    global real *row = to + (ulong)DIM * p;
    if (4 * q + 4 <= DIM) {
        real v[4];
        at_quad(x, q, v);
        for (uint u = 0; u < 4; u++) row[4 * q + u] = v[u];
    } else {
        for (uint i = 4 * q; i < DIM; i++) row[i] = at(x, i);
    }
}
#elif defined(VIEW_PARAMS) // a view whose points exist only inside a kernel has no VIEW_PARAMS
// Evaluates tiles of the points of a view into partial sums.
kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void eval_tiles(VIEW_PARAMS, global sum *sums, const uint first, const uint tile0, const uint points,
                const uint point0 DATA_PARAMS)
{
    local real scratch[SCRATCH] __attribute__((aligned(128))); // enough for a vector of 16 doubles
    local sum tree[POINTS * ACCS * GROUP];
    const uint t = tile0 + get_group_id(1), p0 = point0 + get_group_id(0) * POINTS;
    DATA_INIT;
    point x[POINTS];
    for (int k = 0; k < POINTS; k++) {
        const uint p = min(p0 + k, points - 1); // the last group repeats the last point
        x[k] = VIEW_POINT(p, t * TILE_VARS);
    }
    tile_sums(t, x, d, scratch, tree);
    for (uint j = get_local_id(0); j < POINTS * ACCS; j += GROUP)
        if (p0 + j / ACCS < points) sums[((ulong)(t - first) * points + p0) * ACCS + j] = tree[j * GROUP];
}
#endif

#define TOTAL_ROWS 256 // sums that are in local memory at a time

// Adds the sums of all super-tiles in order.
kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void eval_total(global const sum *super, global sum *total, const uint supers, const uint width)
{
    local sum row[TOTAL_ROWS];
    const uint q = get_group_id(0);
    sum v = sum_zero();
    for (uint from = 0; from < supers; from += TOTAL_ROWS) {
        const uint rows = min(supers - from, (uint)TOTAL_ROWS);
        for (uint s = get_local_id(0); s < rows; s += GROUP) row[s] = super[(ulong)(from + s) * width + q];
        barrier(CLK_LOCAL_MEM_FENCE);
        if (get_local_id(0) == 0)
            for (uint s = 0; s < rows; s++) v = sum_join(v, row[s]);
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (get_local_id(0) == 0) total[q] = v;
}

// Adds the sums of the tiles of each super-tile in order.
kernel void eval_fold(global const sum *sums, global const uint *cuts, global sum *super, const uint width)
{
    const uint q = get_global_id(0), s = get_global_id(1);
    if (q >= width) return;
    super[(ulong)s * width + q] = sum_rows(sums + q, width, cuts[s], cuts[s + 1]);
}
