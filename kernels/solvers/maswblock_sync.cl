// maswblock_sync.cl: the synchronous algorithm of MASW on every block by itself.
// Behind maswblock_search.cl. Go file: solvers/maswblock.go.
//
// mate[(u - first)*POP + j] = second parent of child j of block u; child[((u - first)*POP + j)*ACCS + a] = its accumulators;
// take[(u - first)*POP + j] = the child that takes slot j, POP if none.
//
// maswblock_children: children of all individuals, evaluated and written nowhere.
//   launch: groups (POP, blocks), GROUP items each.
// maswblock_survive: the P best of parents and children: by value, a parent before a child of equal value, then by index.
//   Surviving children in increasing order take the slots of removed parents in increasing order.
//   launch: groups (1, blocks), GROUP items each.
// maswblock_write: those children, in place. A group reads WRITE_VARS variables of all individuals before it writes them.
//   launch: groups (pieces of WRITE_VARS variables of a tile, blocks), GROUP items each.
// maswblock_start: rho of the fresh chains, as in maswblock_begin.
//   launch: groups (POP, blocks), GROUP items each.

kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void maswblock_children(BLOCK_PARAMS, global sum *child, global uint *mate, const uint when DATA_PARAMS)
{
    local real scratch[SCRATCH];
    local sum tree[3 * GROUP];
    BLOCK_Y;
    DATA_INIT;
    const uint l = get_local_id(0), j = get_group_id(0);
    uint u = BLOCK_OF_GROUP;
    BLOCK_ENTER(u)
    const ulong home = u - first;
    const maswblock_range range = BLOCK_VARS(u);
    const uint2 key = (uint2)(seed, run);
    const uint4 w = draw_words(u, j, when, DRAW_MATE, key);
    const uint father = maswblock_farthest(x, stride, lo, range, j, maswblock_others(j, w.x, w.y, w.z), tree);
    const maswblock_mutation m = maswblock_mutate(u, range, j, when, key);
    BLOCK_EACH(range, {
        const uint4 c = draw_words(q, j, when, DRAW_CROSS, key);
        BLOCK_FOUR(range, {
            real gene = maswblock_gene(x[stride * j + (i - lo)], x[stride * father + (i - lo)], draw_pick(c, k_));
            if (i == m.var) gene = fmin(fmax(gene + m.move, BOX_LO), BOX_HI);
            y[v] = gene;
        })
    })
    barrier(BLOCK_FENCE);
    sum s[ACCS];
    maswblock_evaluate(u, BLOCK_POINT(u), d, parts, scratch, tree, s);
    if (l > 0) return;
    mate[home * POP + j] = father;
    for (int a = 0; a < ACCS; a++) child[(home * POP + j) * ACCS + a] = s[a];
    if (!maswblock_finite(maswblock_value(s))) atomic_inc(now + 4 * home + 2);
}

kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void maswblock_survive(BLOCK_PARAMS, global const sum *child, global uint *take)
{
    local sum f[2 * POP];
    local uint kept[2 * POP], taken[POP];
    const uint l = get_local_id(0);
    uint u = BLOCK_OF_GROUP;
    BLOCK_ENTER(u)
    const ulong home = u - first;
    global sum *mine = acc + home * POP * ACCS;
    child += home * POP * ACCS;
    for (uint b = 0; b < 2 * POP; b += GROUP) {
        const uint e = b + l;
        if (e < 2 * POP) f[e] = maswblock_ranked(e < POP ? maswblock_stored(mine, e) : maswblock_stored(child, e - POP));
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint b = 0; b < 2 * POP; b += GROUP) {
        const uint e = b + l;
        if (e >= 2 * POP) continue;
        const sum v = f[e];
        uint before = 0;
        for (uint i = 0; i < e; i++) before += !maswblock_less(v, f[i]);
        for (uint i = e + 1; i < 2 * POP; i++) before += maswblock_less(f[i], v);
        kept[e] = before < POP;
    }
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE); // items write what others have read
    for (uint b = 0; b < POP; b += GROUP) {
        const uint c = b + l;
        if (c >= POP || !kept[POP + c]) continue;
        uint before = 0;
        for (uint i = 0; i < c; i++) before += kept[POP + i];
        taken[before] = c;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint b = 0; b < POP; b += GROUP) {
        const uint j = b + l;
        if (j >= POP) continue;
        uint t = POP;
        if (!kept[j]) {
            uint before = 0;
            for (uint i = 0; i < j; i++) before += !kept[i];
            t = taken[before];
            for (int a = 0; a < ACCS; a++) mine[j * ACCS + a] = child[t * ACCS + a];
            chain[(home * BLOCK_ROWS + j) * 6] = POP;
        }
        take[home * POP + j] = t;
    }
}

kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void maswblock_write(BLOCK_PARAMS, global const uint *mate, global const uint *take, const uint when)
{
    local real rows[POP * WRITE_VARS];
    uint u = BLOCK_OF_GROUP;
    BLOCK_ENTER(u)
    const ulong home = u - first;
    const maswblock_range range = BLOCK_VARS(u);
    const uint2 key = (uint2)(seed, run);
    // pieces begin at a multiple of four, so that four variables share the words of a draw
    const uint base = (range.base & ~3u) + get_group_id(0) * WRITE_VARS;
    for (uint b = 0; b < POP * WRITE_VARS; b += GROUP) {
        const uint k = b + get_local_id(0);
        if (k >= POP * WRITE_VARS) continue;
        const uint i = base + k % WRITE_VARS;
        if (i - range.base < range.n) rows[k] = x[stride * (k / WRITE_VARS) + (i - lo)];
    }
    // Global as well: other items of the group write what this one has read.
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    for (uint k = get_local_id(0); k < POP * (WRITE_VARS / 4); k += GROUP) {
        const uint j = k / (WRITE_VARS / 4), v = 4 * (k % (WRITE_VARS / 4));
        const uint t = take[home * POP + j];
        if (t == POP) continue;
        const uint father = mate[home * POP + t];
        const maswblock_mutation m = maswblock_mutate(u, range, t, when, key);
        const uint4 c = draw_words((base + v) >> 2, t, when, DRAW_CROSS, key);
        for (uint k_ = 0; k_ < 4; k_++) {
            const uint i = base + v + k_;
            if (i - range.base >= range.n) continue;
            real g = maswblock_gene(rows[t * WRITE_VARS + v + k_], rows[father * WRITE_VARS + v + k_], draw_pick(c, k_));
            if (i == m.var) g = fmin(fmax(g + m.move, BOX_LO), BOX_HI);
            x[stride * j + (i - lo)] = g;
        }
    }
}

kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void maswblock_start(BLOCK_PARAMS)
{
    local sum f[POP];
    const uint l = get_local_id(0), j = get_group_id(0);
    uint u = BLOCK_OF_GROUP;
    BLOCK_ENTER(u)
    const ulong home = u - first;
    const maswblock_range range = BLOCK_VARS(u);
    global uint *c = chain + (home * BLOCK_ROWS + j) * 6;
    const bool fresh = c[0] == POP;
    if (fresh) maswblock_gaps(x, stride, lo, range, j, f);
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    if (l > 0 || !fresh) return;
    maswblock_fresh(c, pace + (home * BLOCK_ROWS + j) * 2, j, range, f);
}
