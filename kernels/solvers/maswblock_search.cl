// maswblock_search.cl: Solis-Wets local search inside blocks. Behind maswblock_chains.cl.
// Go file: solvers/maswblock.go.
//
//   y = clamp(x + sign (b + d)),   d = rho N(0,1) per variable
//
// Solis and Wets (1981, doi:10.1287/moor.6.1.19): the opposite step draws the same d again; b is kept as stored times a
// power of two.
//
// maswblock_improve: count evaluations, numbered from `when` on, of row POP (chains), or of every individual (BLOCK_SYNC).
//   launch: groups (rows, blocks), GROUP items each.

kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void maswblock_improve(BLOCK_PARAMS, const uint when, const uint count DATA_PARAMS)
{
    local real scratch[SCRATCH];
    local sum tree[GROUP];
    BLOCK_Y;
    DATA_INIT;
    const uint l = get_local_id(0);
    uint u = BLOCK_OF_GROUP;
    BLOCK_ENTER(u)
    const ulong home = u - first;
    const maswblock_range range = BLOCK_VARS(u);
    const uint2 key = (uint2)(seed, run);
#if BLOCK_SYNC
    const uint who = get_group_id(0), row = who, k = who;
#else
    const uint who = 0, row = POP, k = now[4 * home + 1];
#endif
    global real *px = x + stride * row, *pb = bias + stride * k;
    global sum *mine = acc + (home * BLOCK_POINTS + row) * ACCS;
    global uint *c = chain + (home * BLOCK_ROWS + k) * 6;
    global real *p = pace + (home * BLOCK_ROWS + k) * 2;
    real rho = p[0], scale = p[1];
    uint good = c[2], bad = c[3], pending = c[4], drawn = c[5], strange = 0;
    sum now_acc[ACCS];
    for (int a = 0; a < ACCS; a++) now_acc[a] = mine[a];
    sum value = maswblock_value(now_acc);
    barrier(CLK_LOCAL_MEM_FENCE);
    BLOCK_ROUNDS(t) {
        const real sign = pending ? R(-1.0) : R(1.0);
        if (!pending) drawn = t;
        BLOCK_EACH(range, {
            BLOCK_GET(at, px)
            BLOCK_GET(bias, pb)
            const uint4 w = draw_words(q, who, drawn, DRAW_STEP, key);
            BLOCK_FOUR(range, {
                const real dev = rho * (real)draw_normal(w, k_);
                const real b = scale == 0 ? (real)0 : scale * BLOCK_GOT(bias);
                y[v] = fmin(fmax(BLOCK_GOT(at) + sign * (b + dev), BOX_LO), BOX_HI);
            })
        })
        barrier(BLOCK_FENCE);
        sum s[ACCS];
        maswblock_evaluate(u, BLOCK_POINT(u), d, parts, scratch, tree, s);
        const sum next = maswblock_value(s);
        if (!maswblock_finite(next)) strange++;
        if (maswblock_better(next, value)) {
            BLOCK_EACH(range, {
                BLOCK_GET(bias, pb)
                BLOCK_NEW(to)
                const uint4 w = draw_words(q, who, drawn, DRAW_STEP, key);
                BLOCK_FOUR(range, {
                    const real dev = rho * (real)draw_normal(w, k_);
                    const real b = scale == 0 ? (real)0 : scale * BLOCK_GOT(bias);
                    BLOCK_GOT(bias) = sign > 0 ? R(0.2) * b + R(0.4) * (dev + b) : b - R(0.4) * (dev + b);
                    BLOCK_GOT(to) = y[v];
                })
                BLOCK_PUT(bias, pb)
                BLOCK_PUT(to, px)
            })
            for (int a = 0; a < ACCS; a++) now_acc[a] = s[a];
            value = next;
            scale = 1;
            good++;
            bad = 0;
            pending = 0;
        } else if (!pending) {
            pending = 1;
        } else {
            scale *= R(0.5);
            bad++;
            good = 0;
            pending = 0;
        }
        // Counters move after an accepted step or a second failure alone; then one of them is what it was not.
        if (good >= 5) {
            good = 0;
            rho *= 2;
        } else if (bad >= 3) {
            bad = 0;
            rho *= R(0.5);
        }
    }
    barrier(CLK_GLOBAL_MEM_FENCE);
    if (l > 0) return;
    for (int a = 0; a < ACCS; a++) mine[a] = now_acc[a];
    p[0] = rho;
    p[1] = scale;
    c[2] = good;
    c[3] = bad;
    c[4] = pending;
    c[5] = drawn;
#if BLOCK_SYNC
    if (strange) atomic_add(now + 4 * home + 2, strange);
#else
    now[4 * home + 2] += strange;
#endif
}
