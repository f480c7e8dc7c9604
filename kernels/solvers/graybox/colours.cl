// graybox/colours.cl: parts that have components in common, and parts that are lists of variables.
// Comes after graybox/search.cl.
//
// The parts of one colour move while all others stay. work holds the assembled point, from variable lo - PART_BEFORE
// on. The value of a part is that of all components that read it; they read the variables of other parts in work.
//
// graybox_draw: draws all stored variables of the individuals uniformly in the box, except for individuals below
//   `given`, which are stored already.
//   launch: (quads that the shard touches, POP) items; with several runs (variables of the shard, POP) items.
// graybox_rows: sums[((t - tile_first)*rows + j)*ACCS + a] = accumulators of tile t of the stored points j < rows.
//   tile_first is the shard's first tile.
//   launch: groups (rows, tiles from tile0 on), GROUP items each.
// graybox_adopt: sets work to individual `row`, for vars variables from number `from` of the shard on. Clears marks and
//   chains of part_count parts from part0 on.
//   launch: one item per variable and part.
// graybox_refresh: sets acc of all individuals, or rows of acc, of the parts of a colour.
//   launch: groups (POP or rows, parts), GROUP items each.
// graybox_assemble: copies the best row of the parts of a colour to work.
//   launch: groups (1, parts), GROUP items each.
// graybox_total: sums[(t - tile_first)*(ACCS + 1) + a] = accumulators of tile t of the point in work; a = ACCS: how
//   many values of its parts were not finite.
//   launch: groups (1, tiles), GROUP items each.

// Draws the individuals of parts with common components uniformly in the box.
kernel void graybox_draw(PART_PARAMS, const uint vars, const uint given)
{
    const uint j = get_global_id(1);
    if (j < given) return;
#if PART_RUNS
    const uint of = (lo + get_global_id(0)) / DIM, at_i = (lo + get_global_id(0)) % DIM;
    const uint4 word = draw_words(at_i >> 2, j, 0, DRAW_INIT, (uint2)(seed, run + of));
    x[stride * j + get_global_id(0)] = fma(draw_uniform(draw_pick(word, at_i & 3u)), BOX_HI - BOX_LO, BOX_LO);
#else
    const uint q = (lo >> 2) + get_global_id(0);
    const uint4 w = draw_words(q, j, 0, DRAW_INIT, (uint2)(seed, run));
    for (uint k = 0; k < 4; k++) {
        const uint i = 4 * q + k;
        if (i >= lo && i < lo + vars)
            x[stride * j + (i - lo)] = fma(draw_uniform(draw_pick(w, k)), BOX_HI - BOX_LO, BOX_LO);
    }
#endif
}

// Evaluates a tile of the stored points.
kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void graybox_rows(PART_PARAMS, const uint rows, const uint tile_first, const uint tile0, global sum *sums DATA_PARAMS)
{
    local real scratch[SCRATCH];
    local sum tree[GROUP];
    local real y[1];
    DATA_INIT;
    const uint j = get_group_id(0), row = tile0 + get_group_id(1) - tile_first;
    uint t = tile0 + get_group_id(1);
    PART_ENTER_TILE(t)
    sum s[ACCS];
    const point at = PART_STORED(x + stride * j, lo, t);
    graybox_tile(t, &at, d, scratch, tree, s);
    if (get_local_id(0) == 0)
        for (int a = 0; a < ACCS; a++) sums[((ulong)row * rows + j) * ACCS + a] = s[a];
}

// Sets the assembled point to one individual, and clears marks and chains.
kernel void graybox_adopt(PART_PARAMS, const uint from, const uint vars, const uint part0, const uint part_count,
                          const uint row)
{
    const uint v = get_global_id(0);
    if (v < vars) work[PART_BEFORE + from + v] = x[stride * row + from + v];
    if (v < part_count)
        for (uint j = 0; j < POP; j++) graybox_clear(part0 + v, j, slot, chain, now);
}

// Evaluates the individuals of the parts of one colour again, after others have moved.
kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void graybox_refresh(PART_PARAMS DATA_PARAMS)
{
    local real scratch[SCRATCH];
    local sum tree[GROUP];
    PART_Y;
    DATA_INIT;
    const uint l = get_local_id(0), j = get_group_id(0);
    uint u = PART_OF_GROUP;
    PART_ENTER(u)
    const graybox_range range = PART_VARS(u);
    PART_EACH(range, { PART_QUAD(range, y[v] = x[stride * j + (i - lo)];) })
    barrier(PART_FENCE);
    sum s[ACCS];
    const point at = PART_POINT(u, 0);
    graybox_evaluate(u, &at, d, parts, scratch, tree, s);
    if (l > 0) return;
    for (int a = 0; a < ACCS; a++) acc[((ulong)(u - first) * PART_POINTS + j) * ACCS + a] = s[a];
    if (!graybox_finite(graybox_value(s))) atomic_inc(now + 4 * (u - first) + 2);
}

// Copies the best rows of the parts of one colour to the assembled point.
kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void graybox_assemble(PART_PARAMS, const uint rows)
{
    uint u = PART_OF_GROUP;
    PART_ENTER(u)
    const graybox_range range = PART_VARS(u);
    global const sum *mine = acc + (ulong)(u - first) * PART_POINTS * ACCS;
    uint best = 0;
    for (uint j = 1; j < rows; j++)
        if (graybox_better(graybox_stored(mine, j), graybox_stored(mine, best))) best = j;
    PART_EACH(range, { PART_QUAD(range, work[i - lo + PART_BEFORE] = x[stride * best + (i - lo)];) })
}

// Evaluates a tile of the assembled point.
kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void graybox_total(PART_PARAMS, const uint tile_first, const uint tile0, global sum *sums DATA_PARAMS)
{
    local real scratch[SCRATCH];
    local sum tree[GROUP];
    local real y[1];
    DATA_INIT;
    const uint row = tile0 + get_group_id(1) - tile_first;
    uint t = tile0 + get_group_id(1);
    PART_ENTER_TILE(t)
    sum s[ACCS];
    const point at = PART_STORED(work, lo - PART_BEFORE, t);
    graybox_tile(t, &at, d, scratch, tree, s);
    if (get_local_id(0) > 0) return;
    global sum *out = sums + (ulong)row * (ACCS + 1);
    sum strange = sum_zero();
    const uint per = max((uint)PARTS_PER_TILE, 1u);
    for (uint w = 0; w < per; w++) sum_add(&strange, (real)now[4 * ((ulong)row * per + w) + 2]);
    for (int a = 0; a < ACCS; a++) out[a] = s[a];
    out[ACCS] = strange;
}
