// graybox/chains.cl: MA-SW-Chains on each part by itself, one work-group per part.
// Comes after graybox/graybox.cl.
//
// graybox_populate: draws the individuals uniformly in the box, except those below `given`, which are stored already.
//   Their accumulators go to acc and to sums[(u - first)*PART_TILES*POP*ACCS + j*ACCS + a]. No slot has a mark or a
//   bias. given = PART_NONE: the stored rows are evaluated again, and only acc is written.
//   launch: groups (POP, or rows of acc, parts), GROUP items each.
// graybox_evolve: makes count evaluations of steady-state evolution, numbered from `when` on.
// graybox_begin: chooses the individual to improve, copies it to row POP and gives it a bias. rho of a new chain is
//   the distance to the nearest other individual at a distance above 0, divided by 2n, or 1e-3 of the box if there is
//   none. With PART_MTS the steps are wide.
// graybox_end: keeps the improved point. It marks the individual if the gain is less than 1e-8 of its value or, with
//   PART_FOLLOWED, if the chain is over.
//   launch of these three: groups (1, parts), GROUP items each.
// graybox_best: sums[(u - first)*PART_TILES*(ACCS+1) + a] = accumulators of the best row; a = ACCS: the count of values
//   that were not finite. The rows of further tiles are zero.
//   launch: one item per part.
// graybox_gather: out[i - from] = variable i of the best row of its part.
//   launch: one item per variable.

#if PART_LOCAL
#define PART_Y local real y[POINTS * PART_SPAN]
#else
#define PART_Y global real *y = work
#endif

// Clears the mark and the bias of individual j, and with j = 0 all chains, of the part with number home in its shard.
// One item calls it.
static void graybox_clear(ulong home, uint j, global uint *slot, global uint *chain, global uint *now)
{
    slot[home * 2 * POP + j] = 0;
    slot[home * 2 * POP + POP + j] = PART_ROWS;
    if (j > 0) return;
    for (uint k = 0; k < PART_ROWS; k++) {
        chain[(home * PART_ROWS + k) * 6] = POP;
        chain[(home * PART_ROWS + k) * 6 + 1] = 0;
#if PART_FOLLOWED
        chain[(home * PART_ROWS + k) * 6 + 4] = 0;
#endif
    }
    for (uint k = 0; k < 4; k++) now[4 * home + k] = 0;
}

#if !PART_SHARED

// Draws the individuals of a part uniformly in the box, or takes stored ones, and evaluates them.
kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void graybox_populate(PART_PARAMS, const uint given, global sum *sums DATA_PARAMS)
{
    local real scratch[SCRATCH] __attribute__((aligned(128)));
    local sum tree[POINTS * GROUP];
#if PART_LOCAL
    local real y[PART_SPAN];
#else
    global real *y = x + stride * get_group_id(0); // the row itself: there is one part, from the first variable on
#endif
    DATA_INIT;
    const uint l = get_local_id(0), j = get_group_id(0);
    uint u = PART_OF_GROUP;
    PART_ENTER(u)
    const graybox_range range = PART_VARS(u);
    const uint tile = u * PART_TILES, end = min(tile + PART_TILES, TILES);
    // These include variables that no component reads.
    graybox_range owned = { range.base, (end == TILES ? DIM : min(end * TILE_VARS, DIM)) - range.base };
    for (uint b = owned.base >> 2; 4 * b < owned.base + owned.n; b += GROUP) {
        const uint q = b + l;
        const uint4 w = draw_words(q, j, 0, DRAW_INIT, (uint2)(seed, run));
        PART_QUAD(owned, {
            global real *gene = x + stride * j + (i - lo);
            if (j >= given) *gene = fma(draw_uniform(draw_pick(w, k_)), BOX_HI - BOX_LO, BOX_LO);
            if (v < range.n) y[v] = *gene;
        })
    }
    barrier(PART_FENCE);
    sum s[POINTS * ACCS];
    point at[POINTS];
    for (int k = 0; k < POINTS; k++) at[k] = PART_POINT(u, 0); // one point, POINTS times
    graybox_evaluate(u, at, d, parts, scratch, tree, s);
    if (l > 0) return;
    const ulong home = u - first;
    for (int a = 0; a < ACCS; a++) {
        acc[(home * PART_POINTS + j) * ACCS + a] = s[a];
        if (given != PART_NONE) sums[(home * PART_TILES * POP + j) * ACCS + a] = s[a];
    }
    if (given == PART_NONE) return;
    graybox_clear(home, j, slot, chain, now);
}

#endif

// Sets f[k] to the squared distance of individuals j and k over a part. Items take individuals in turn.
static inline __attribute__((always_inline)) void graybox_gaps(global const real *x, ulong stride, uint lo,
                                                               graybox_range range, uint j, local sum *f)
{
    for (uint b = 0; b < POP; b += GROUP) {
        const uint k = b + get_local_id(0);
        if (k >= POP) continue;
        sum s = sum_zero();
        for (uint v = 0; v < range.n; v++) {
            const uint i = PART_VAR(range, v);
            sum_add(&s, sq(x[stride * j + (i - lo)] - x[stride * k + (i - lo)]));
        }
        f[k] = s;
    }
}

// Begins chain c, of pace p, for individual j. f has the squared distances of j to all individuals, which give rho;
// the bias is 0. One item calls it.
static inline __attribute__((always_inline)) void graybox_fresh(global uint *c, global real *p, uint j,
                                                                graybox_range range, local const sum *f)
{
    sum nearest = sum_zero();
    for (uint k = 0; k < POP; k++)
        if (graybox_less(sum_zero(), f[k]) && (!graybox_less(sum_zero(), nearest) || graybox_less(f[k], nearest)))
            nearest = f[k];
    p[0] = graybox_less(sum_zero(), nearest) ? graybox_root(nearest) / (real)(2 * (range.n))
                                             : R(1e-3) * (BOX_HI - BOX_LO);
    p[1] = 0;
    c[0] = j;
#if PART_CMA
    if (c[4] > 0) p[0] = R(0.25) * (BOX_HI - BOX_LO);
    p[1] = INFINITY;
#elif PART_MTS
    p[0] = MTS_WIDEST * (BOX_HI - BOX_LO);
#endif
#if PART_FOLLOWED
    c[2] = c[3] = c[5] = 0;
#else
    for (uint r = 2; r < 6; r++) c[r] = 0;
#endif
}

// Returns the index of the worst value in f, the last one among equals, to all items.
static inline __attribute__((always_inline)) uint graybox_worst(local const sum *f, local uint *pick)
{
    const uint l = get_local_id(0);
    uint m = min(l, (uint)POP - 1);
    for (uint j = m; j < POP; j += GROUP)
        if (!graybox_better(f[j], f[m])) m = j;
    pick[l] = m;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint w = GROUP / 2; w > 0; w >>= 1) {
        if (l < w) {
            const uint a = pick[l], b = pick[l + w];
            // equal values: the larger index
            if (graybox_better(f[a], f[b]) || (!graybox_better(f[b], f[a]) && b > a)) pick[l] = b;
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    m = pick[0];
    return m;
}

#if !PART_SYNC

// Evolves the individuals of a part, one child at a time.
kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void graybox_evolve(PART_PARAMS, const uint when, const uint count DATA_PARAMS)
{
    local real scratch[SCRATCH];
    local sum tree[3 * GROUP], f[POP];
    local uint pick[GROUP];
    PART_Y;
    DATA_INIT;
    const uint l = get_local_id(0);
    PART_HEAD
    const uint2 key = (uint2)(seed, run);
    global sum *mine = acc + home * PART_POINTS * ACCS;
    for (uint b = 0; b < POP; b += GROUP) {
        const uint j = b + l;
        if (j < POP) f[j] = graybox_stored(mine, j);
#if PART_FOLLOWED
        // An individual whose chain goes on is not replaced, since the chain would be lost.
        if (j == now[4 * home] && slot[home * 2 * POP + j] == 0
            && slot[home * 2 * POP + POP + j] == now[4 * home + 1]) {
            sum least = sum_zero();
            sum_add(&least, (real)-MAXFLOAT);
            f[j] = least;
        }
#endif
    }
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE); // the first item writes what others have read
    uint worst = graybox_worst(f, pick);
    PART_ROUNDS(t) {
        const sum limit = f[worst];
        const uint4 w = draw_words(u, 0, t, DRAW_MATE, key);
        const uint mother = draw_int(w.x, POP);
        const uint father = graybox_farthest(x, stride, lo, range, mother, graybox_others(mother, w.y, w.z, w.w), tree);
        const graybox_mutation m = graybox_mutate(u, range, 0, t, key);
        PART_EACH(range, {
            PART_GET(a, x + stride * mother)
            PART_GET(b, x + stride * father)
            const uint4 c = draw_words(q, 0, t, DRAW_CROSS, key);
            PART_QUAD(range, {
                real gene = graybox_gene(PART_GOT(a), PART_GOT(b), draw_pick(c, k_));
                if (i == m.var) gene = fmin(fmax(gene + m.move, BOX_LO), BOX_HI);
                y[v] = gene;
            })
        })
        barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE); // all have read the parents, one of which may be replaced
        sum s[ACCS];
        const point at = PART_POINT(u, 0);
        graybox_evaluate(u, &at, d, parts, scratch, tree, s);
        const sum value = graybox_value(s);
        const bool taken = graybox_better(value, limit);
        if (taken) {
            PART_SINGLE(range, x[stride * worst + (i - lo)] = y[v];)
        }
        if (l == 0) {
            if (taken) {
                for (int a = 0; a < ACCS; a++) mine[worst * ACCS + a] = s[a];
                f[worst] = value;
                slot[home * 2 * POP + worst] = 0;
                const uint k = slot[home * 2 * POP + POP + worst];
                if (k < PART_ROWS) chain[(home * PART_ROWS + k) * 6] = POP;
                slot[home * 2 * POP + POP + worst] = PART_ROWS;
            }
            if (!graybox_finite(value)) now[4 * home + 2]++;
        }
        barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
        worst = graybox_worst(f, pick);
    }
}

// Chooses the individual of a part to improve, and prepares its chain.
kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void graybox_begin(PART_PARAMS, const uint cycle)
{
    local sum f[POP];
    local uint pick[4];
    const uint l = get_local_id(0);
    PART_HEAD
    global sum *mine = acc + home * PART_POINTS * ACCS;
    global uint *marks = slot + home * 2 * POP, *rows = marks + POP, *chains = chain + home * PART_ROWS * 6;
    if (l == 0) {
        uint c = POP;
        for (uint j = 0; j < POP; j++)
            if (marks[j] == 0 && (c == POP || graybox_better(graybox_stored(mine, j), graybox_stored(mine, c))))
                c = j;
#if PART_FOLLOWED
        // A chain is followed to its end, even if evolution makes better individuals meanwhile. What it has learnt
        // would be lost.
        const uint last = now[4 * home], with = now[4 * home + 1];
        if (chains[6 * with] == last && marks[last] == 0) c = last;
#endif
        if (c == POP) c = draw_int(draw_words(u, 0, cycle, DRAW_CHOOSE, (uint2)(seed, run)).x, POP);
        uint k = rows[c], fresh = k == PART_ROWS;
        if (fresh) {
            // a free bias, or else the least recently used one
            k = 0;
            for (uint r = 0; r < PART_ROWS; r++) {
                if (chains[6 * r] == POP) { k = r; break; }
                if (chains[6 * r + 1] < chains[6 * k + 1]) k = r;
            }
            const uint owner = chains[6 * k];
            if (owner < POP) rows[owner] = PART_ROWS;
            rows[c] = k;
        }
        chains[6 * k + 1] = cycle + 1;
        now[4 * home] = c;
        now[4 * home + 1] = k;
        for (int a = 0; a < ACCS; a++) mine[POP * ACCS + a] = mine[c * ACCS + a];
        pick[0] = c;
        pick[1] = k;
        pick[2] = fresh;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    const uint c = pick[0], k = pick[1];
    PART_SINGLE(range, x[stride * POP + (i - lo)] = x[stride * c + (i - lo)];)
    if (pick[2]) graybox_gaps(x, stride, lo, range, c, f);
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l == 0 && pick[2])
        graybox_fresh(chains + 6 * k, pace + (home * PART_ROWS + k) * PART_PACE, c, range, f);
}

// Stores the improved point in place of its individual, and marks the individual if little was gained.
kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void graybox_end(PART_PARAMS)
{
    const uint l = get_local_id(0);
    PART_HEAD
    global sum *mine = acc + home * PART_POINTS * ACCS;
    const uint c = now[4 * home], k = now[4 * home + 1];
    const sum before = graybox_stored(mine, c), after = graybox_stored(mine, POP);
    const bool kept = graybox_better(after, before);
#if PART_FOLLOWED
    const bool enough = chain[(home * PART_ROWS + k) * 6 + 2] < 2; // no matter what it gained: values may rise for long
#else
    const bool enough = kept && !(graybox_less_by(before, after) < R(1e-8) * fabs(graybox_real(after)));
#endif
    barrier(CLK_GLOBAL_MEM_FENCE);
    if (kept) {
        PART_SINGLE(range, x[stride * c + (i - lo)] = x[stride * POP + (i - lo)];)
    }
    if (l > 0) return;
    if (kept)
        for (int a = 0; a < ACCS; a++) mine[c * ACCS + a] = mine[POP * ACCS + a];
    slot[home * 2 * POP + c] = !enough;
    if (!enough) {
        slot[home * 2 * POP + POP + c] = PART_ROWS;
        chain[(home * PART_ROWS + k) * 6] = POP;
#if PART_FOLLOWED
        chain[(home * PART_ROWS + k) * 6 + 4]++;
#endif
    }
}

#endif

#if !PART_SHARED

// Reports the accumulators of the best row of each part.
kernel void graybox_best(PART_PARAMS, const uint rows, global sum *sums)
{
    uint u = unit0 + get_global_id(0);
    PART_ENTER(u)
    const ulong home = u - first;
    global const sum *mine = acc + home * PART_POINTS * ACCS;
    uint best = 0;
    for (uint j = 1; j < rows; j++)
        if (graybox_better(graybox_stored(mine, j), graybox_stored(mine, best))) best = j;
    now[4 * home + 3] = best;
    const uint tile = u * PART_TILES, tiles = min(tile + PART_TILES, TILES) - tile;
    for (uint t = 0; t < tiles; t++) {
        global sum *out = sums + (home * PART_TILES + t) * (ACCS + 1);
        sum strange = sum_zero();
        if (t == 0) sum_add(&strange, (real)now[4 * home + 2]);
        for (int a = 0; a < ACCS; a++) out[a] = t == 0 ? mine[best * ACCS + a] : sum_zero();
        out[ACCS] = strange;
    }
}

// Gathers the best rows of all parts into one point.
kernel void graybox_gather(PART_PARAMS, const uint from, global real *out)
{
    uint i = from + get_global_id(0);
#if PART_RUNS
    uint u = i / DIM;
    i %= DIM;
#else
    const uint u = min(min(i / TILE_VARS, TILES - 1u) / PART_TILES, (uint)((TILES - 1u) / PART_TILES));
#endif
    PART_ENTER(u)
    // a variable that no component reads comes from individual 0, since row POP does not have it
    const uint best = i < graybox_vars(u).base + graybox_vars(u).n ? now[4 * (u - first) + 3] : 0;
    out[get_global_id(0)] = x[stride * best + (i - lo)];
}

#endif
