// masw_evolve.cl: mating and survival in place. Behind masw_child.cl. Go file: solvers/masw.go.
//
// masw_distance: dist[((t - first)*POP + j)*3 + c] = Σ_i (x_j,i - x_r,i)² over the variables of tile t,
//   r the c-th of three distinct individuals other than j, drawn per portion.
//   launch: groups (POP, tiles), GROUP items each.
// masw_mate: what child j inherits in portion q, see masw_child.cl. Its second parent is the individual of the three with the
//   largest distance over the portion (the first drawn of equals), tiles added in order; for the portions that lie in the shard.
//   launch: one item per (portion, j).
// masw_piece: out[(k*POP + j)*3 + c] = distance over the tiles pieces[2k]..pieces[2k+1], counted from the shard's first.
//   launch: one item per (POP*3, piece).
// masw_write: the surviving children replace their slots. swaps[2e], swaps[2e+1] = slot, child. A group makes WRITE_VARS
//   variables of all of them before it writes, because a parent may be overwritten while other children need it.
//   launch: groups over blocks of WRITE_VARS stored variables from block0 on, GROUP items each.

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
    local sum tree[3 * GROUP];
    const uint t = tile0 + get_group_id(1), j = get_group_id(0);
    const uint3 r = masw_candidates(masw_portion(t), j, when, (uint2)(seed, run));
    const uint from = min(t * TILE_VARS, DIM), to = t + 1 == TILES ? DIM : min(from + TILE_VARS, DIM);
    sum s[3] = { sum_zero(), sum_zero(), sum_zero() };
    for (uint i = from + get_local_id(0); i < to; i += GROUP) {
        const real v = x[stride * j + (i - lo)];
        sum_add(s + 0, sq(v - x[stride * r.x + (i - lo)]));
        sum_add(s + 1, sq(v - x[stride * r.y + (i - lo)]));
        sum_add(s + 2, sq(v - x[stride * r.z + (i - lo)]));
    }
    group_sums(s, 3, tree);
    if (get_local_id(0) == 0)
        for (uint c = 0; c < 3; c++) dist[((ulong)(t - first) * POP + j) * 3 + c] = tree[c * GROUP];
}

#if SUM_FP64
static bool masw_farther(sum a, sum b) { return a > b; }
#else
static bool masw_farther(sum a, sum b) { return a.x > b.x || (a.x == b.x && a.y > b.y); }
#endif

// The mutation of child j in portion q: the variable, and what is added to it.
static void masw_mutate(uint q, uint j, uint when, uint2 key, global uint *variable, global real *gift)
{
    const uint lo = masw_first_var(q), hi = masw_first_var(q + 1);
    const uint4 w = draw_words(q, j, when, DRAW_MUTATE, key);
    *variable = DIM;
    *gift = 0;
    if (w.x >= MASW_MUTATE || hi <= lo) return;
    real s = 0, half_k = 1;
    for (uint k = 0; k < 16; k++) {
        const uint bits = (k < 8 ? w.z >> (4 * k) : w.w >> (4 * (k - 8))) & 15u;
        if (bits == 0) s += half_k;
        half_k *= R(0.5);
    }
    s *= R(0.1) * (BOX_HI - BOX_LO);
    *variable = lo + draw_int(w.y, hi - lo);
    *gift = (w.x & 1u) ? -s : s;
}

kernel void masw_mate(global const sum *dist, global ushort *mate, global uint *variable, global real *gift,
                      const uint first, const uint last, const uint q0, const uint seed, const uint run, const uint when)
{
    const uint j = get_global_id(1), q = q0 + get_global_id(0);
    const ulong e = (ulong)(q - q0) * POP + j;
    const uint2 key = (uint2)(seed, run);
    masw_mutate(q, j, when, key, variable + e, gift + e);
    const uint from = masw_first_tile(q), to = masw_first_tile(q + 1);
    // The mates in a portion that reaches beyond the shard or across the border of a super-tile are decided on the host.
    if (from < first || to > last || (from < to && masw_super(from) != masw_super(to - 1))) return;
    sum s[3];
    for (uint c = 0; c < 3; c++) s[c] = sum_rows(dist + 3 * j + c, 3 * POP, from - first, to - first);
    const uint3 r = masw_candidates(q, j, when, key);
    uint m = r.x;
    sum best = s[0];
    if (masw_farther(s[1], best)) { m = r.y; best = s[1]; }
    if (masw_farther(s[2], best)) m = r.z;
    mate[e] = (ushort)m;
}

kernel void masw_piece(global const sum *dist, global const uint *pieces, global sum *out)
{
    const uint k = get_global_id(1), e = get_global_id(0);
    out[(ulong)k * POP * 3 + e] = sum_rows(dist + e, POP * 3, pieces[2 * k], pieces[2 * k + 1]);
}

kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void masw_write(global real *x, const ulong stride, const uint lo, const uint vars, const uint block0, MASW_PARENTS,
                const uint seed, const uint run, const uint when, global const uint *swaps, const uint count)
{
    local real rows[POP * WRITE_VARS];
    local masw_part parts[POP];
    const uint l = get_local_id(0);
    // Blocks begin at multiples of four, so that an item draws whole blocks of words.
    const uint first = (lo & ~3u) + (block0 + get_group_id(0)) * WRITE_VARS, end = lo + vars;
    const uint home = masw_portion(masw_tile_of(max(first, lo)));
    const uint2 key = (uint2)(seed, run);
    for (uint e = l; e < count; e += GROUP) parts[e] = masw_inherit(home, swaps[2 * e + 1], MASW_PARENTS_OF);
    for (uint k = l; k < count * (WRITE_VARS / 4); k += GROUP) {
        const uint e = k / (WRITE_VARS / 4), w = k % (WRITE_VARS / 4);
        const uint4 words = draw_words((first >> 2) + w, swaps[2 * e + 1], when, DRAW_CROSS, key);
        for (uint u = 0; u < 4; u++) rows[e * WRITE_VARS + 4 * w + u] = draw_uniform(draw_pick(words, u));
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint k = l; k < count * WRITE_VARS; k += GROUP) {
        const uint e = k / WRITE_VARS, i = first + k % WRITE_VARS, j = swaps[2 * e + 1];
        if (i < lo || i >= end) continue;
        masw_part h = parts[e];
        if (i >= h.hi) h = masw_inherit(masw_portion(masw_tile_of(i)), j, MASW_PARENTS_OF);
        rows[k] = masw_cross(x[stride * j + (i - lo)], x[stride * h.mate + (i - lo)], rows[k], i, h);
    }
    // Global as well: other items of the group write what this one has read.
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    for (uint k = l; k < count * WRITE_VARS; k += GROUP) {
        const uint i = first + k % WRITE_VARS;
        if (i >= lo && i < end) x[stride * swaps[2 * (k / WRITE_VARS)] + (i - lo)] = rows[k];
    }
}
