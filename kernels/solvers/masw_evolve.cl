// masw_evolve.cl: mating and survival in place. Behind masw_child.cl. Go file: solvers/masw.go.
//
// masw_distance: dist[((t - first)*POP + j)*3 + c] = Σ_i (x_j,i - x_r,i)² over the variables of tile t,
//   r the c-th of three distinct individuals other than j, drawn per portion.
//   launch: groups (POP, tiles), GROUP items each.
// masw_mate: mate[(q - q0)*POP + j] = the individual of the three with the largest distance over portion q (the first drawn
//   of equals), tiles added in order; for the portions q_lo.. that lie in the shard.
//   launch: one item per (portion, j).
// masw_piece: out[(k*POP + j)*3 + c] = distance over the tiles pieces[2k]..pieces[2k+1], counted from the shard's first.
//   launch: one item per (POP*3, piece).
// masw_write: the surviving children replace their slots. swaps[2e], swaps[2e+1] = slot, child. A group reads WRITE_VARS
//   variables of all individuals before it writes, because a parent may be overwritten while other children need it.
//   launch: groups over blocks of WRITE_VARS stored variables, GROUP items each.

// The three candidates for j: distinct, none of them j.
static uint3 masw_candidates(uint q, uint j, uint when, uint2 key)
{
    const uint4 w = draw_words(q, j, when, DRAW_MATE, key);
    uint a = draw_int(w.x, POP - 1), b = draw_int(w.y, POP - 2), c = draw_int(w.z, POP - 3);
    a += a >= j;
    uint s0 = min(a, j), s1 = max(a, j);
    b += b >= s0;
    b += b >= s1;
    // c skips the three taken ones, in increasing order
    const uint t0 = min(s0, b), t2 = max(s1, b), t1 = s0 + s1 + b - t0 - t2;
    c += c >= t0;
    c += c >= t1;
    c += c >= t2;
    return (uint3)(a, b, c);
}

kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void masw_distance(global const real *x, const ulong stride, const uint lo, global sum *dist, const uint first, const uint tile0,
                   const uint seed, const uint run, const uint when)
{
    local sum tree[GROUP];
    const uint t = tile0 + get_group_id(1), j = get_group_id(0);
    const uint3 r = masw_candidates(masw_portion(t), j, when, (uint2)(seed, run));
    const uint from = min(t * TILE_VARS, DIM), to = t + 1 == TILES ? DIM : min(from + TILE_VARS, DIM);
    sum a = sum_zero(), b = sum_zero(), c = sum_zero();
    for (uint i = from + get_local_id(0); i < to; i += GROUP) {
        const real v = x[stride * j + (i - lo)];
        sum_add(&a, sq(v - x[stride * r.x + (i - lo)]));
        sum_add(&b, sq(v - x[stride * r.y + (i - lo)]));
        sum_add(&c, sq(v - x[stride * r.z + (i - lo)]));
    }
    a = group_sum(a, tree);
    b = group_sum(b, tree);
    c = group_sum(c, tree);
    if (get_local_id(0) == 0) {
        global sum *out = dist + ((ulong)(t - first) * POP + j) * 3;
        out[0] = a;
        out[1] = b;
        out[2] = c;
    }
}

#if SUM_FP64
static bool masw_farther(sum a, sum b) { return a > b; }
#else
static bool masw_farther(sum a, sum b) { return a.x > b.x || (a.x == b.x && a.y > b.y); }
#endif

kernel void masw_mate(global const sum *dist, global ushort *mate, const uint first, const uint last, const uint q0, const uint q_lo,
                      const uint seed, const uint run, const uint when)
{
    const uint j = get_global_id(1), q = q_lo + get_global_id(0);
    const uint from = masw_first_tile(q), to = masw_first_tile(q + 1);
    // A portion that reaches beyond the shard is decided on the host.
    if (from < first || to > last) return;
    sum s[3] = { sum_zero(), sum_zero(), sum_zero() };
    for (uint t = from; t < to; t++)
        for (uint c = 0; c < 3; c++) s[c] = sum_join(s[c], dist[((ulong)(t - first) * POP + j) * 3 + c]);
    const uint3 r = masw_candidates(q, j, when, (uint2)(seed, run));
    uint m = r.x;
    sum best = s[0];
    if (masw_farther(s[1], best)) { m = r.y; best = s[1]; }
    if (masw_farther(s[2], best)) m = r.z;
    mate[(ulong)(q - q0) * POP + j] = (ushort)m;
}

kernel void masw_piece(global const sum *dist, global const uint *pieces, global sum *out)
{
    const uint k = get_global_id(1), e = get_global_id(0);
    sum s = sum_zero();
    for (uint t = pieces[2 * k]; t < pieces[2 * k + 1]; t++) s = sum_join(s, dist[(ulong)t * POP * 3 + e]);
    out[(ulong)k * POP * 3 + e] = s;
}

kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void masw_write(global real *x, const ulong stride, const uint lo, const uint vars, global const ushort *mate, const uint q0,
                const uint seed, const uint run, const uint when, global const uint *swaps, const uint count)
{
    local real rows[POP * WRITE_VARS];
    const uint base = get_group_id(0) * WRITE_VARS;
    for (uint k = get_local_id(0); k < POP * WRITE_VARS; k += GROUP) {
        const uint v = base + k % WRITE_VARS;
        if (v < vars) rows[k] = x[stride * (k / WRITE_VARS) + v];
    }
    // Global as well: other items of the group write what this one has read.
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    // Item by item of (child, block of four variables); base is a multiple of four but for the shard's first variable.
    for (uint k = get_local_id(0); k < count * (WRITE_VARS / 4); k += GROUP) {
        const uint w = 4 * (k % (WRITE_VARS / 4)), e = k / (WRITE_VARS / 4);
        if (base + w >= vars) continue;
        const uint slot = swaps[2 * e], j = swaps[2 * e + 1];
        masw_part h = masw_inherit(masw_portion(masw_tile_of(lo + base + w)), mate, q0, j, when, (uint2)(seed, run));
        for (uint u = w; u < w + 4 && base + u < vars; u++) {
            const uint i = lo + base + u;
            if (i >= h.hi) h = masw_inherit(masw_portion(masw_tile_of(i)), mate, q0, j, when, (uint2)(seed, run));
            x[stride * slot + base + u] = masw_gene(rows[j * WRITE_VARS + u], rows[h.mate * WRITE_VARS + u], i, j, when, (uint2)(seed, run), h);
        }
    }
}
