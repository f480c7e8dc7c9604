// masw/evolve.cl: mating, and survival in place. Comes after masw/child.cl.
//
// p = r*POP + j is the point of individual j of run r.
//
// masw_distance: dist[((t - first)*individuals + p)*3 + c] = Σ_i (x_j,i - x_m,i)² over the variables of tile t. m is
//   the c-th of three distinct individuals other than j of the same run, drawn for each portion.
//   launch: groups (individuals, tiles), GROUP items each.
// masw_columns: does the same for all individuals of a run and a tile with one group, which reads their variables once,
//   WRITE_VARS at a time. Its sums have another order, which also depends on the tile alone. It is for graphics cards
//   and few individuals (MASW_COLUMNS).
//   launch: groups (tiles, runs), GROUP items each.
// masw_mate: sets the tables of masw_parents for child p in portion q. The second parent is, of the first
//   MASW_MATES candidates, the one with the largest distance over the portion (the first one drawn among equals), with
//   tiles added in order. It is set only for portions that lie in the shard.
//   launch: one item per (portion, p).
// masw_draw: sets the same tables with the first candidate as the second parent, which needs no distances. It is for
//   MASW_MATES = 1.
//   launch: one item per (portion, p).
// masw_piece: out[(k*individuals + p)*3 + c] = distance over the tiles pieces[2k]..pieces[2k+1], counted from the first
//   tile of the shard.
//   launch: one item per (individuals*3, piece).
// masw_join: sets the second parents in the portions borders[3i]. The distances over their pieces
//   borders[3i+1]..borders[3i+2] are added in order. It needs all pieces on one device; elsewhere the host adds them,
//   to the same sums.
//   launch: one item per (p, border portion).
// masw_write: writes the surviving children to their slots. Run r has chosen[r] of them, as pairs of a slot and its
//   child from chosen[runs + 2*POP*r] on. A group makes 2^wide quads of all children of a run before it writes them,
//   because other children may need the individual that one replaces. There are at most POP*WRITE_VARS/4 quads.
//   launch: groups (over the stored variables, from number group0 on; runs), GROUP items each.

// The three candidates for the mate of j: they are distinct, and none is j.
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

// All items of a group sum squared distances of individual j to three others over the variables [from, to): that to the
// c-th is in tree[c*GROUP]. x is of individual 0 of the run.
static inline __attribute__((always_inline)) void masw_distances(global const real *x, ulong stride, uint lo, uint from,
                                                                 uint to, uint j, uint3 r, local sum *tree)
{
    sum s[3] = { sum_zero(), sum_zero(), sum_zero() };
    for (uint i = from + get_local_id(0); i < to; i += GROUP) {
        const real v = x[stride * j + (i - lo)];
        sum_add(s + 0, sq(v - x[stride * r.x + (i - lo)]));
        sum_add(s + 1, sq(v - x[stride * r.y + (i - lo)]));
        sum_add(s + 2, sq(v - x[stride * r.z + (i - lo)]));
    }
    group_sums(s, 3, tree);
}

// Sums squared distances of each individual to three others over the variables of a tile.
kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void masw_distance(global const real *x, const ulong stride, const uint lo, global sum *dist, const uint first,
                   const uint tile0, const uint individuals, const uint seed, const uint run, const uint when)
{
    local sum tree[3 * GROUP];
    const uint t = tile0 + get_group_id(1), p = get_group_id(0), j = p % POP;
    const uint3 r = masw_candidates(masw_portion(t), j, when, (uint2)(seed, run + p / POP));
    const uint from = min(t * TILE_VARS, DIM), to = t + 1 == TILES ? DIM : min(from + TILE_VARS, DIM);
    masw_distances(x + stride * (p - j), stride, lo, from, to, j, r, tree);
    if (get_local_id(0) == 0)
        for (uint c = 0; c < 3; c++) dist[((ulong)(t - first) * individuals + p) * 3 + c] = tree[c * GROUP];
}

#if MASW_COLUMNS
// Four items are a team, which handles every COLUMN_TEAMS-th individual. Each item adds two of every eight variables.
#define COLUMN_TEAMS (GROUP / 4)
#define COLUMN_ROWS ((POP + COLUMN_TEAMS - 1) / COLUMN_TEAMS)
#define COLUMN_ROOM (POP * WRITE_VARS * REAL_BITS / 64)

// Sums the same distances as masw_distance, for all individuals of a run and a tile in one group.
kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void masw_columns(global const real *x, const ulong stride, const uint lo, global sum *dist, const uint first,
                  const uint tile0, const uint individuals, const uint seed, const uint run, const uint when)
{
    // The variables of all individuals, row by row; at the end the sums of the items.
    local sum room[COLUMN_ROOM > 3 * GROUP ? COLUMN_ROOM : 3 * GROUP] __attribute__((aligned(16)));
    local ushort mates[3 * POP];
    local real *rows = (local real *)room;
    const uint l = get_local_id(0), t = tile0 + get_group_id(0), team = l / 4, r = get_group_id(1);
    const uint from = min(t * TILE_VARS, DIM), to = t + 1 == TILES ? DIM : min(from + TILE_VARS, DIM);
    for (uint b = 0; b < POP; b += GROUP) {
        const uint j = b + l;
        if (j < POP) {
            const uint3 m = masw_candidates(masw_portion(t), j, when, (uint2)(seed, run + r));
            mates[3 * j] = (ushort)m.x;
            mates[3 * j + 1] = (ushort)m.y;
            mates[3 * j + 2] = (ushort)m.z;
        }
    }
    sum s[3 * COLUMN_ROWS];
#pragma unroll
    for (uint k = 0; k < 3 * COLUMN_ROWS; k++) s[k] = sum_zero();
    x += stride * r * POP;
    for (uint i0 = from; i0 < to; i0 += WRITE_VARS) {
        for (uint b = 0; b < POP * WRITE_VARS; b += GROUP) {
            const uint e = b + l, i = i0 + e % WRITE_VARS;
            if (e < POP * WRITE_VARS) rows[e] = i < to ? x[stride * (e / WRITE_VARS) + (i - lo)] : R(0.0);
        }
        barrier(CLK_LOCAL_MEM_FENCE);
#pragma unroll
        for (uint k = 0; k < COLUMN_ROWS; k++) {
            const uint j = k * COLUMN_TEAMS + team;
            if (j < POP) {
                local const real *own = rows + j * WRITE_VARS, *a = rows + mates[3 * j] * WRITE_VARS,
                                 *b = rows + mates[3 * j + 1] * WRITE_VARS, *c = rows + mates[3 * j + 2] * WRITE_VARS;
                for (uint m = 0; m < WRITE_VARS; m += 8) {
                    // Odd teams begin with the next eight variables, so that two teams never read the same banks.
                    const uint v = (m + 8 * (team & 1u)) % WRITE_VARS + 2 * (l % 4);
                    const real2 z = *(local const real2 *)(own + v);
                    const real2 za = z - *(local const real2 *)(a + v), zb = z - *(local const real2 *)(b + v),
                                zc = z - *(local const real2 *)(c + v);
                    sum_add(s + 3 * k, sq(za.x));
                    sum_add(s + 3 * k, sq(za.y));
                    sum_add(s + 3 * k + 1, sq(zb.x));
                    sum_add(s + 3 * k + 1, sq(zb.y));
                    sum_add(s + 3 * k + 2, sq(zc.x));
                    sum_add(s + 3 * k + 2, sq(zc.y));
                }
            }
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
#pragma unroll
    for (uint k = 0; k < COLUMN_ROWS; k++) {
        for (uint c = 0; c < 3; c++) room[c * GROUP + l] = s[3 * k + c];
        barrier(CLK_LOCAL_MEM_FENCE);
        for (uint b = 0; b < 3 * COLUMN_TEAMS; b += GROUP) {
            const uint e = b + l, j = k * COLUMN_TEAMS + e / 3;
            if (e < 3 * COLUMN_TEAMS && j < POP) {
                local const sum *v = room + e % 3 * GROUP + 4 * (e / 3);
                dist[((ulong)(t - first) * individuals + r * POP + j) * 3 + e % 3] =
                    sum_join(sum_join(v[0], v[1]), sum_join(v[2], v[3]));
            }
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
}
#endif

#if SUM_FP64
static bool masw_farther(sum a, sum b) { return a > b; }
#else
static bool masw_farther(sum a, sum b) { return a.x > b.x || (a.x == b.x && a.y > b.y); }
#endif

// The candidate at the largest distance, the first among equals; of three candidates, or of the first two.
static ushort masw_farthest(const sum *s, uint3 r)
{
    uint m = r.x;
    sum best = s[0];
    if (masw_farther(s[1], best)) { m = r.y; best = s[1]; }
    if (MASW_MATES > 2 && masw_farther(s[2], best)) m = r.z;
    return (ushort)m;
}

// The mutation of child j in portion q: the variable, and the number that is added to it.
static void masw_mutate(uint q, uint j, uint when, uint2 key, global uint *mutated_var, global real *mutation_delta)
{
    const uint lo = masw_first_var(q), hi = masw_first_var(q + 1);
    const uint4 w = draw_words(q, j, when, DRAW_MUTATE, key);
    *mutated_var = DIM;
    *mutation_delta = 0;
    if (w.x >= MASW_MUTATE || hi <= lo) return;
    real s = 0, half_k = 1;
    for (uint k = 0; k < 16; k++) {
        const uint bits = (k < 8 ? w.z >> (4 * k) : w.w >> (4 * (k - 8))) & 15u;
        if (bits == 0) s += half_k;
        half_k *= R(0.5);
    }
    s *= R(0.1) * (BOX_HI - BOX_LO);
    *mutated_var = lo + draw_int(w.y, hi - lo);
    *mutation_delta = (w.x & 1u) ? -s : s;
}

// Chooses the second parent and the mutation of each child in each portion.
kernel void masw_mate(global const sum *dist, global ushort *mate, global uint *mutated_var,
                      global real *mutation_delta, const uint first, const uint last, const uint q0,
                      const uint individuals, const uint seed, const uint run, const uint when)
{
    const uint p = get_global_id(1), q = q0 + get_global_id(0), j = p % POP;
    const ulong e = (ulong)(q - q0) * individuals + p;
    const uint2 key = (uint2)(seed, run + p / POP);
    masw_mutate(q, j, when, key, mutated_var + e, mutation_delta + e);
    const uint from = masw_first_tile(q), to = masw_first_tile(q + 1);
    // If a portion reaches beyond the shard or across the border of a super-tile, its mates are chosen later.
    if (from < first || to > last || (from < to && masw_super(from) != masw_super(to - 1))) return;
    sum s[3];
    for (uint c = 0; c < 3; c++) s[c] = sum_rows(dist + 3 * p + c, 3 * individuals, from - first, to - first);
    mate[e] = masw_farthest(s, masw_candidates(q, j, when, key));
}

// Draws the second parent and the mutation of each child in each portion.
kernel void masw_draw(global ushort *mate, global uint *mutated_var, global real *mutation_delta, const uint q0,
                      const uint individuals, const uint seed, const uint run, const uint when)
{
    const uint p = get_global_id(1), q = q0 + get_global_id(0), j = p % POP;
    const ulong e = (ulong)(q - q0) * individuals + p;
    const uint2 key = (uint2)(seed, run + p / POP);
    masw_mutate(q, j, when, key, mutated_var + e, mutation_delta + e);
    mate[e] = (ushort)masw_candidates(q, j, when, key).x;
}

// Adds the distances of the tiles of one piece of a portion that lies on several shards.
kernel void masw_piece(global const sum *dist, global const uint *pieces, global sum *out, const uint individuals)
{
    const uint k = get_global_id(1), e = get_global_id(0);
    out[(ulong)k * individuals * 3 + e] = sum_rows(dist + e, individuals * 3, pieces[2 * k], pieces[2 * k + 1]);
}

#if SUM_FP64
// Chooses second parents in portions at the borders of shards from the distances over their pieces.
kernel void masw_join(global const sum *sums, global const uint *borders, global ushort *mate, const uint q0,
                      const uint individuals, const uint seed, const uint run, const uint when)
{
    const uint p = get_global_id(0), q = borders[3 * get_global_id(1)];
    const uint from = borders[3 * get_global_id(1) + 1], to = borders[3 * get_global_id(1) + 2];
    sum s[3] = { 0, 0, 0 };
    for (uint k = from; k < to; k++)
        for (uint c = 0; c < 3; c++) s[c] += sums[((ulong)k * individuals + p) * 3 + c];
    mate[(ulong)(q - q0) * individuals + p] =
        masw_farthest(s, masw_candidates(q, p % POP, when, (uint2)(seed, run + p / POP)));
}
#endif

// A group writes the surviving children of a run over the individuals that they replace: `count` of them, child[e] to
// slot[e]. It makes 2^wide quads of each, from variable `first` on, a multiple of four. x is of individual 0 of the
// run, and `of` is any child of the run. rows has room for POP*WRITE_VARS variables, inherited for POP. All items must
// call it, and barriers must come before and after.
static inline __attribute__((always_inline)) void masw_put(global real *x, point of, uint end, uint first,
                                                           uint wide, uint count, local const ushort *slot,
                                                           local const ushort *child, local real *rows,
                                                           local masw_inherited *inherited)
{
    const uint lo = of.lo;
    const uint l = get_local_id(0), room = POP * WRITE_VARS / 4, quads = count << wide;
    const uint home = masw_portion(masw_tile_of(max(first, lo)));
    for (uint e = l; e < count; e += GROUP) inherited[e] = masw_inherit(home, child[e], of.parents);
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint k = l; k < quads; k += GROUP) {
        const uint e = k >> wide, i = first + 4 * (k & ((1u << wide) - 1)), j = child[e];
        of.j = j;
        of.home = inherited[e];
        if (i >= of.home.hi && i < end) of.home = masw_inherit(masw_portion(masw_tile_of(i)), j, of.parents);
        real v[4] = { 0, 0, 0, 0 };
        if (i >= lo && i + 4 <= min(end, of.home.hi)) {
            at_quad(of, i >> 2, v);
        } else {
            for (uint u = 0; u < 4; u++) {
                if (i + u < lo || i + u >= end) continue;
                of.home = masw_inherit(masw_portion(masw_tile_of(i + u)), j, of.parents);
                v[u] = at(of, i + u);
            }
        }
#pragma unroll
        for (uint u = 0; u < 4; u++) rows[u * room + k] = v[u];
    }
    // Other items of the group will write what this one has read. From local memory an item reads only its own values.
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    for (uint k = l; k < quads; k += GROUP) {
        const uint i = first + 4 * (k & ((1u << wide) - 1));
        global real *to = x + (of.stride * slot[k >> wide] + (i - lo));
        real v[4];
#pragma unroll
        for (uint u = 0; u < 4; u++) v[u] = rows[u * room + k];
        if (i >= lo && i + 4 <= end) {
            four_put(to, v);
        } else {
            for (uint u = 0; u < 4; u++)
                if (i + u >= lo && i + u < end) to[u] = v[u];
        }
    }
}

// Writes the surviving children over the individuals that they replace.
kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void masw_write(global real *x, const ulong stride, const uint lo, const uint vars, const uint group0, MASW_PARENTS,
                const uint seed, const uint run, const uint when, global const uint *chosen, const uint wide)
{
    local real rows[POP * WRITE_VARS];
    local masw_inherited inherited[POP];
    local ushort slot[POP], child[POP];
    const uint r = get_group_id(1), count = chosen[r];
    global const uint *swaps = chosen + individuals / POP + 2 * POP * r;
    for (uint e = get_local_id(0); e < count; e += GROUP) {
        slot[e] = (ushort)swaps[2 * e];
        child[e] = (ushort)swaps[2 * e + 1];
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    // Quads begin at multiples of four, so that an item uses all words of its draws.
    const uint first = (lo & ~3u) + ((group0 + get_group_id(0)) << (wide + 2));
    const point of = masw_in_run((point){ x, MASW_PARENTS_OF, stride, lo, 0, when, (uint2)(seed, run) }, r);
    masw_put(x + stride * r * POP, of, lo + vars, first, wide, count, slot, child, rows, inherited);
}
