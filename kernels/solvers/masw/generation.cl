// masw/generation.cl: generations where the device decides, for points of one tile, whose value is their only sum.
// Comes after masw/evolve.cl. p = r*POP + j is the point of individual j of run r.
//
// masw_breed: chooses the mates and mutations of children, as masw_mate and masw_draw do, and evaluates them: born[p]
//   is the value of child p.
//   launch: groups (POINTS children each), GROUP items each.
// masw_survive: selects the P best of the parents and children of each run, as selection.survive does in
//   solvers/masw/decide.go: by value, then parents before children, then by index. The surviving children, in
//   increasing order, take the slots of the removed parents, in increasing order. It writes the points of these
//   children, the values of the new population, and those of all children to history[row*individuals + p]. An
//   individual that is replaced has no chain any more.
//   values[(g % 2)*individuals + p] is the value of individual p before generation g of a stretch, which is `row`.
//   launch: groups (any number, runs), GROUP items each. The groups of a run select alike, and share the variables.
//
// masw/climb.cl describes pace and chain.

#if SUM_FP64
#define BREED_SUMS (POINTS * ACCS > 3 ? POINTS * ACCS : 3)

// Makes and evaluates children that are not stored.
kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void masw_breed(global const real *x, const ulong stride, global ushort *mate, global uint *mutated_var,
                global real *mutation_delta, const uint individuals, global sum *born, const uint seed, const uint run,
                const uint when DATA_PARAMS)
{
    local real scratch[SCRATCH] __attribute__((aligned(128)));
    local sum tree[BREED_SUMS * GROUP];
    const uint l = get_local_id(0), p0 = get_group_id(0) * POINTS;
    DATA_INIT;
    for (uint k = 0; k < POINTS; k++) {
        const uint p = min(p0 + k, individuals - 1), j = p % POP; // the last group repeats the last point
        const uint2 key = (uint2)(seed, run + p / POP);
        const uint3 r = masw_candidates(0, j, when, key);
        uint m = r.x;
#if MASW_MATES > 1
        masw_distances(x + stride * (p - j), stride, 0, 0, DIM, j, r, tree);
        const sum s[3] = { tree[0], tree[GROUP], tree[2 * GROUP] };
        m = masw_farthest(s, r);
        barrier(CLK_LOCAL_MEM_FENCE);
#endif
        if (l == k % GROUP) {
            mate[p] = (ushort)m;
            masw_mutate(0, j, when, key, mutated_var + p, mutation_delta + p);
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    point y[POINTS];
    for (uint k = 0; k < POINTS; k++)
        y[k] = masw_child((point){ x, { mate, mutated_var, mutation_delta, 0, individuals }, stride, 0, 0, when,
                                   (uint2)(seed, run) }, min(p0 + k, individuals - 1), 0);
    tile_sums(0, y, d, scratch, tree);
    for (uint k = l; k < POINTS; k += GROUP)
        if (p0 + k < individuals) born[p0 + k] = tree[k * ACCS * GROUP];
}

// How many of the first n of bits are set.
static inline __attribute__((always_inline)) uint masw_count(local const uint *bits, uint n)
{
    uint c = popcount(bits[n >> 5] & ((1u << (n & 31u)) - 1u));
    for (uint k = 0; k < n >> 5; k++) c += popcount(bits[k]);
    return c;
}

// Selects the survivors of a generation, and writes them.
kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void masw_survive(global real *x, const ulong stride, MASW_PARENTS, global sum *values, global const sum *born,
                  global sum *history, const uint row, global sum *pace, global uint *chain, const uint seed,
                  const uint run, const uint when)
{
    local real rows[POP * WRITE_VARS];
    local masw_inherited inherited[POP];
    local sum f[2 * POP];                                // parents, then children
    local uint gone[POP / 32 + 1], taken[POP / 32 + 1];  // bits: parents that are removed, children that survive
    local ushort slot[POP], child[POP];
    const uint l = get_local_id(0), r = get_group_id(1), first = r * POP;
    global const sum *old = values + (ulong)(row % 2) * individuals + first;
    for (uint b = 0; b < 2 * POP; b += GROUP) {
        const uint e = b + l;
        if (e < 2 * POP) {
            const sum v = e < POP ? old[e] : born[first + e - POP];
            f[e] = isfinite(v) ? v : (sum)INFINITY;
        }
        if (e < POP / 32 + 1) gone[e] = taken[e] = 0;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint b = 0; b < 2 * POP; b += GROUP) {
        const uint e = b + l;
        if (e < 2 * POP) {
            const sum v = f[e];
            uint before = 0;
#pragma unroll 8
            for (uint i = 0; i < 2 * POP; i++) before += f[i] < v || (f[i] == v && i < e);
            const uint j = e < POP ? e : e - POP;
            if ((before < POP) == (e >= POP)) atomic_or((e < POP ? gone : taken) + (j >> 5), 1u << (j & 31u));
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    const uint count = masw_count(gone, POP);
    for (uint b = 0; b < POP; b += GROUP) {
        const uint j = b + l;
        if (j < POP) {
            if ((gone[j >> 5] >> (j & 31u)) & 1u) slot[masw_count(gone, j)] = (ushort)j;
            if ((taken[j >> 5] >> (j & 31u)) & 1u) child[masw_count(taken, j)] = (ushort)j;
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (get_group_id(0) == 0) {
        for (uint j = l; j < POP; j += GROUP) {
            const uint p = first + j;
            sum v = old[j];
            if ((gone[j >> 5] >> (j & 31u)) & 1u) {
                v = born[first + child[masw_count(gone, j)]];
                pace[2 * p] = pace[2 * p + 1] = 0;
                for (uint u = 0; u < MASW_CHAIN; u++) chain[MASW_CHAIN * p + u] = 0;
            }
            values[(ulong)((row + 1) % 2) * individuals + p] = v;
            history[(ulong)row * individuals + p] = born[p];
        }
    }
    const point of = masw_in_run((point){ x, MASW_PARENTS_OF, stride, 0, 0, when, (uint2)(seed, run) }, r);
    for (uint i = get_group_id(0) * WRITE_VARS; i < DIM; i += get_num_groups(0) * WRITE_VARS) {
        masw_put(x + stride * first, of, DIM, i, MASW_WIDE, count, slot, child, rows, inherited);
        barrier(CLK_LOCAL_MEM_FENCE);
    }
}
#endif
