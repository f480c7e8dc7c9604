// eval.cl: full evaluation of P points under any view, in two kernels.
// Launched by shard.Placement.
//
// eval_tiles: part[(t*P + p)*ACCS + a] = accumulator a of tile tile0 + t at point p,
//   t counted from the first tile of the shard.
//   launch: groups (P, tiles), GROUP items each: the points of a tile together,
//   so that what they share stays in the cache.
// eval_fold: super[(s*P + p)*ACCS + a] = the tiles of super-tile s added in order.
//   launch: one item per (p, a) and super-tile.

#ifdef VIEW_PARAMS // not under a view of points that a kernel keeps to itself
kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void eval_tiles(VIEW_PARAMS, global sum *part, const uint first, const uint tile0, const uint points DATA_PARAMS)
{
    local real scratch[SCRATCH];
    local sum tree[GROUP];
    const uint t = tile0 + get_group_id(1), p = get_group_id(0);
    DATA_INIT;
    sum acc[ACCS];
    tile_sum(t, VIEW_POINT(p, t * TILE_VARS), d, scratch, tree, acc);
    if (get_local_id(0) == 0)
        for (int a = 0; a < ACCS; a++) part[((ulong)(t - first) * points + p) * ACCS + a] = acc[a];
}
#endif

kernel void eval_fold(global const sum *part, global const uint *cuts, global sum *super, const uint width)
{
    const uint q = get_global_id(0), s = get_global_id(1);
    if (q >= width) return;
    sum v = sum_zero();
    for (uint t = cuts[s]; t < cuts[s + 1]; t++) v = sum_join(v, part[(ulong)t * width + q]);
    super[(ulong)s * width + q] = v;
}
