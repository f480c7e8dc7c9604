// graybox/sync.cl: the synchronous algorithm of masw on each part by itself.
// Comes after graybox/search.cl.
//
// mate[(u - first)*POP + j] is the second parent of child j of part u, and child[((u - first)*POP + j)*ACCS + a] its
// accumulators. take[(u - first)*POP + j] is the child that takes slot j, POP if none does.
//
// graybox_children: evaluates children of all individuals, without writing them.
//   launch: groups (⌈POP/POINTS⌉, parts), GROUP items each.
// graybox_survive: selects the POP best of parents and children: by value, a parent before a child of equal value, then
//   by index. Surviving children in increasing order take the slots of removed parents in increasing order.
//   launch: groups (1, parts) of any size.
// graybox_write: writes these children to their slots. A group makes WRITE_VARS variables of all individuals before it
//   writes them.
//   launch: groups (pieces of WRITE_VARS variables of a tile, parts), GROUP items each.
// graybox_start: sets rho of fresh chains, as in graybox_begin.
//   launch: groups (POP, parts), GROUP items each.

// Evaluates a child of every individual of a part, without storing it.
kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void graybox_children(PART_PARAMS, global sum *child, global uint *mate, const uint when DATA_PARAMS)
{
    local real scratch[SCRATCH] __attribute__((aligned(128)));
    local sum tree[3 * GROUP]; // POINTS is at most 2
    PART_Y;
    DATA_INIT;
    const uint l = get_local_id(0), j0 = get_group_id(0) * POINTS;
    PART_HEAD
    const uint2 key = (uint2)(seed, run);
    uint father[POINTS];
    graybox_mutation m[POINTS];
#pragma unroll
    for (uint k = 0; k < POINTS; k++) {
        const uint j = min(j0 + k, POP - 1u); // the last group repeats the last child
        const uint4 w = draw_words(u, j, when, DRAW_MATE, key);
        father[k] = graybox_farthest(x, stride, lo, range, j, graybox_others(j, w.x, w.y, w.z), tree);
        m[k] = graybox_mutate(u, range, j, when, key);
    }
#pragma unroll
    for (uint k = 0; k < POINTS; k++) {
        const uint j = min(j0 + k, POP - 1u);
        PART_EACH(range, {
            PART_GET(a, x + stride * j)
            PART_GET(b, x + stride * father[k])
            const uint4 c = draw_words(q, j, when, DRAW_CROSS, key);
            PART_QUAD(range, {
                real gene = graybox_gene(PART_GOT(a), PART_GOT(b), draw_pick(c, k_));
                if (i == m[k].var) gene = fmin(fmax(gene + m[k].move, BOX_LO), BOX_HI);
                y[k * PART_SPAN + v] = gene;
            })
        })
    }
    barrier(PART_FENCE);
    sum s[POINTS * ACCS];
    point at[POINTS];
    for (uint k = 0; k < POINTS; k++) at[k] = PART_POINT(u, k);
    graybox_evaluate(u, at, d, parts, scratch, tree, s);
    if (l > 0) return;
#pragma unroll
    for (uint k = 0; k < POINTS; k++) {
        const uint j = j0 + k;
        if (j >= POP) break;
        mate[home * POP + j] = father[k];
        for (int a = 0; a < ACCS; a++) child[(home * POP + j) * ACCS + a] = s[k * ACCS + a];
        if (!graybox_finite(graybox_value(s + k * ACCS))) atomic_inc(now + 4 * home + 2);
    }
}

// How many of the first n bits are set.
static uint graybox_count(local const uint *bits, uint n)
{
    uint c = popcount(bits[n >> 5] & ((1u << (n & 31u)) - 1u));
    for (uint k = 0; k < n >> 5; k++) c += popcount(bits[k]);
    return c;
}

// Selects the best of the parents and children of a part.
kernel void graybox_survive(PART_PARAMS, global const sum *child, global uint *take)
{
    local sum f[2 * POP];
    local uint kept[POP / 32 + 1], born[POP / 32 + 1], taken[POP]; // bits: parents that stay, children that survive
    const uint l = get_local_id(0), size = get_local_size(0);
    uint u = PART_OF_GROUP;
    PART_ENTER(u)
    const ulong home = u - first;
    global sum *mine = acc + home * POP * ACCS;
    child += home * POP * ACCS;
    for (uint b = 0; b < 2 * POP; b += size) {
        const uint e = b + l;
        if (e < 2 * POP) f[e] = graybox_ranked(e < POP ? graybox_stored(mine, e) : graybox_stored(child, e - POP));
        if (e < POP / 32 + 1) kept[e] = born[e] = 0;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint b = 0; b < 2 * POP; b += size) {
        const uint e = b + l;
        if (e >= 2 * POP) continue;
        const sum v = f[e];
        uint before = 0;
        // among equals the lower index ranks first; the loop has fixed bounds, so that it can be unrolled
#pragma unroll 8
        for (uint i = 0; i < 2 * POP; i++) {
            const sum w = f[i];
            before += graybox_less(w, v) || (i < e && !graybox_less(v, w));
        }
        const uint c = e < POP ? e : e - POP;
        if (before < POP) atomic_or((e < POP ? kept : born) + (c >> 5), 1u << (c & 31u));
    }
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE); // items will write what others have read
    for (uint b = 0; b < POP; b += size) {
        const uint c = b + l;
        if (c < POP && (born[c >> 5] >> (c & 31u)) & 1u) taken[graybox_count(born, c)] = c;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint b = 0; b < POP; b += size) {
        const uint j = b + l;
        if (j >= POP) continue;
        uint t = POP;
        if (!((kept[j >> 5] >> (j & 31u)) & 1u)) {
            t = taken[j - graybox_count(kept, j)];
            for (int a = 0; a < ACCS; a++) mine[j * ACCS + a] = child[t * ACCS + a];
            chain[(home * PART_ROWS + j) * 6] = POP;
        }
        take[home * POP + j] = t;
    }
}

// The quads of each row that a group of graybox_write makes, and how many quads of all rows an item makes.
#define WRITE_QUADS (WRITE_VARS / 4)
#define WRITE_EACH ((POP * WRITE_QUADS + GROUP - 1) / GROUP)

// Writes the surviving children of a part over the individuals that they replace.
kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void graybox_write(PART_PARAMS, global const uint *mate, global const uint *take, const uint when)
{
    PART_HEAD
    const uint2 key = (uint2)(seed, run);
    // quads begin at a multiple of four
    const uint base = (range.base & ~3u) + get_group_id(0) * WRITE_VARS;
    real genes[4 * WRITE_EACH];
#pragma unroll
    for (uint e = 0; e < WRITE_EACH; e++) {
        const uint k = e * GROUP + get_local_id(0), j = k / WRITE_QUADS, i0 = base + 4 * (k % WRITE_QUADS);
        const uint t = j < POP ? take[home * POP + j] : POP;
        if (t == POP) continue;
        const uint father = mate[home * POP + t];
        real a[4], b[4];
        graybox_four(x + stride * t, i0 - lo, i0 - range.base, range.n, a);
        graybox_four(x + stride * father, i0 - lo, i0 - range.base, range.n, b);
        const graybox_mutation m = graybox_mutate(u, range, t, when, key);
        const uint4 c = draw_words(i0 >> 2, t, when, DRAW_CROSS, key);
#pragma unroll
        for (uint w = 0; w < 4; w++) {
            real g = graybox_gene(a[w], b[w], draw_pick(c, w));
            if (i0 + w == m.var) g = fmin(fmax(g + m.move, BOX_LO), BOX_HI);
            genes[4 * e + w] = g;
        }
    }
    // All items have read the parents.
    barrier(CLK_GLOBAL_MEM_FENCE);
#pragma unroll
    for (uint e = 0; e < WRITE_EACH; e++) {
        const uint k = e * GROUP + get_local_id(0), j = k / WRITE_QUADS, i0 = base + 4 * (k % WRITE_QUADS);
        if (j >= POP || take[home * POP + j] == POP) continue;
        graybox_put(x + stride * j, i0 - lo, i0 - range.base, range.n, genes + 4 * e);
    }
}

// Sets the step width of each chain that begins.
kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void graybox_start(PART_PARAMS)
{
    local sum f[POP];
    const uint l = get_local_id(0), j = get_group_id(0);
    PART_HEAD
    global uint *c = chain + (home * PART_ROWS + j) * 6;
    const bool fresh = c[0] == POP;
    if (fresh) graybox_gaps(x, stride, lo, range, j, f);
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    if (l > 0 || !fresh) return;
    graybox_fresh(c, pace + (home * PART_ROWS + j) * 2, j, range, f);
}
