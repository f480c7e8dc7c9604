// masw/climb.cl: local search where the device decides, for points of one tile, whose value is their only sum. Comes
// after masw/search.cl and lib/solis_wets.cl. p = r*POP + j is the point of individual j of run r.
//
//   values[p]             value of the individual
//   chain[MASW_CHAIN*p]   whether it has a chain; of the chain: successes and failures in a row, whether the opposite
//                         step is next, and the counter of the draws of the deviation
//   pace[2p], [2p + 1]    rho and scale of its chain
//   history[s*individuals + p]   value of the candidate of step s
//
// masw_begin: gives each individual without a chain a new one. rho is the distance to the nearest other individual of
//   the run that does not coincide, divided by 2 DIM, or `most` if all coincide.
//   launch: groups (individuals), GROUP items each.
// masw_climb: makes count steps of local search with each individual. The first has the number `when`, and its
//   values go to the given row of history. Individuals do not depend on each other.
//   launch: groups (POINTS individuals each), GROUP items each.

#if SUM_FP64
// Begins the chains of individuals that have none.
kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void masw_begin(global const real *x, const ulong stride, global sum *pace, global uint *chain, const sum most)
{
    local sum tree[4 * GROUP];
    const uint l = get_local_id(0), p = get_group_id(0), j = p % POP;
    const uint others = chain[MASW_CHAIN * p] > 0 ? 0 : POP;
    global const real *own = x + stride * p, *all = own - stride * j;
    sum nearest = INFINITY;
    for (uint k0 = 0; k0 < others; k0 += 4) {
        sum s[4] = { sum_zero(), sum_zero(), sum_zero(), sum_zero() };
        for (uint i = l; i < DIM; i += GROUP)
            for (uint c = 0; c < 4; c++) sum_add(s + c, sq(all[stride * min(k0 + c, POP - 1u) + i] - own[i]));
        group_sums(s, 4, tree);
        for (uint c = 0; c < 4; c++) {
            const sum d = tree[c * GROUP];
            if (k0 + c < POP && k0 + c != j && d > 0 && d < nearest) nearest = d;
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    barrier(CLK_GLOBAL_MEM_FENCE); // all items have read whether there is a chain
    if (l > 0 || others == 0) return;
    // rho is a real, as everywhere.
    pace[2 * p] = (real)(isfinite(nearest) ? sqrt(nearest) / (sum)(2 * DIM) : most);
    pace[2 * p + 1] = 0;
    chain[MASW_CHAIN * p] = 1;
    for (uint u = 1; u < MASW_CHAIN; u++) chain[MASW_CHAIN * p + u] = 0;
}

// Stores the accepted neighbour y of x and its bias.
static void masw_store(point y, global real *x, global real *b)
{
    uint from = 0;
#if WIDE
    from = DIM / 32 * 32;
    for (uint i = 32 * get_local_id(0); i < from; i += 32 * GROUP) {
        real8 d[4];
        masw_deviations(i, y.j, y.when, y.key, y.rho, d);
        masw_accept_eights(x + i, b + i, y.scale, d, y.sign);
    }
#endif
    for (uint q = from / 4 + get_local_id(0); 4 * q < DIM; q += GROUP) {
        float d[4];
        draw_normals(draw_words(q, y.j, y.when, DRAW_STEP, y.key), d);
#pragma unroll
        for (uint u = 0; u < 4; u++) {
            const uint i = 4 * q + u;
            if (i < DIM) masw_accept(x + i, b + i, x[i], masw_bias(b, i, y.scale), y.rho * (real)d[u], y.sign);
        }
    }
}

// Makes steps of local search, and accepts or rejects each.
kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void masw_climb(global real *x, global real *b, const ulong stride, global sum *values, global sum *pace,
                global uint *chain, global sum *history, const uint row, const uint when, const uint count,
                const uint individuals, const uint seed, const uint run DATA_PARAMS)
{
    local real scratch[SCRATCH] __attribute__((aligned(128)));
    local sum tree[POINTS * ACCS * GROUP];
    const uint l = get_local_id(0), p0 = get_group_id(0) * POINTS;
    DATA_INIT;
    point y[POINTS];
    solis_wets c[POINTS];
    sum value[POINTS];
    for (int k = 0; k < POINTS; k++) {
        const uint p = min(p0 + k, individuals - 1); // the last group repeats the last point
        global const uint *of = chain + MASW_CHAIN * p;
        c[k] = (solis_wets){ pace[2 * p], pace[2 * p + 1], of[1], of[2], of[3], of[4] };
        y[k] = (point){ x + stride * p, b + stride * p, 0, p % POP, 0, (uint2)(seed, run + p / POP), 0, 0, 0 };
        value[k] = values[p];
    }
    uint t = when; // the number of the step
#if !ONE_ROUND
    for (; t < when + count; t++)
#endif
    {
        for (int k = 0; k < POINTS; k++) {
            if (!c[k].pending) c[k].when = t;
            y[k].when = c[k].when;
            y[k].rho = (real)c[k].rho;
            y[k].scale = (real)c[k].scale;
            y[k].sign = c[k].pending ? R(-1.0) : R(1.0);
        }
        tile_sums(0, y, d, scratch, tree);
        barrier(CLK_GLOBAL_MEM_FENCE); // all items have read the points
        for (int k = 0; k < POINTS; k++) {
            const sum v = tree[k * ACCS * GROUP];
            const bool own = p0 + k < individuals;
            const bool better = isfinite(v) && (!isfinite(value[k]) || v < value[k]);
            if (own && l == 0) history[(ulong)(row + t - when) * individuals + p0 + k] = v;
            if (own && better) masw_store(y[k], x + stride * (p0 + k), b + stride * (p0 + k));
            if (better) value[k] = v;
            solis_wets_adapt(c + k, better);
        }
        barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    }
    for (int k = 0; k < POINTS; k++) {
        const uint p = p0 + k;
        if (l > 0 || p >= individuals) continue;
        global uint *of = chain + MASW_CHAIN * p;
        values[p] = value[k];
        pace[2 * p] = c[k].rho;
        pace[2 * p + 1] = c[k].scale;
        of[1] = c[k].good;
        of[2] = c[k].bad;
        of[3] = c[k].pending;
        of[4] = c[k].when;
    }
}
#endif
