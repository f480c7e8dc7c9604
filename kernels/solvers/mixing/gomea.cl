// mixing/gomea.cl: parallel gene-pool optimal mixing on a graph (see solvers/mixing/internal/engine/parallel.go).
//
// Vertices are numbered in the leaf order of the linkage model, so that a linkage set is an interval [lo, hi). All
// arithmetic is in integers: results depend neither on the order of work-items nor on the size of groups.
//
//   off[v], nbr[e], w[e]   the graph in compressed rows
//   sets[3t], +1, +2       lo, hi and number of set t; the sets of one group are consecutive, the larger ones first
//   groups[3k], +1, +2     the sets [begin, end) of the k-th group of this generation; those before the third
//                          number have more than LARGE vertices
//   parents[i·WORDS + k]   32 vertices a word
//   next[j·WORDS + k]      offspring of individual first + j
//   state[STATE·j + s]     of offspring j; a pair of uints holds 64 bits, low word first
//   divided[k]             the vertices in which the parents are not all equal
//   zobrist[2v], +1        hash of vertex v
//
// Defines: WORDS, VERTICES, GROUP, LARGE, DONORS_SINGLE (1: a single try for a donor), RESIDENT (1: an offspring
// stays in local memory during a launch), WEIGHT (int or long), STATE (uints of a state), GAINS (1: the gains of all
// vertices are kept in local memory).
// Launches: see mixing/mix.cl.

#define CUT_LO 0      /* the cut */
#define HASH_LO 2     /* hash of the partition */
#define ACCEPTED 4    /* whether a step was accepted */
#define LEADS 5       /* whether the offspring led when the group began, see mixing_leads */
#define VALUES_LO 6   /* values obtained */
#define EDGES_LO 8    /* edges evaluated for them; where not RESIDENT, 8 uints of sums follow */

#define NONE 0xffffffffu

#if GROUP == 1
#define meet(fence)
#else
#define meet(fence) barrier(fence)
#endif

#if RESIDENT
#define SPACE local
#define FENCE CLK_LOCAL_MEM_FENCE
#else
#define SPACE global
#define FENCE (CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE)
#endif

typedef volatile SPACE uint *bits;

// The arguments that all steps of a launch share.
typedef struct {
    global const uint *off, *nbr;
    global const WEIGHT *w;
    global const uint *parents, *divided, *zobrist;
    uint n;          // number of parents
    uint who;        // `who` of individual 0 in draws
    uint generation;
    uint2 key;
} scene;

// The counts of one item.
typedef struct { ulong values, edges; } tally;

// Adds v to the 64 bits at `at`, atomically.
static void mixing_add64(volatile SPACE uint *at, ulong v)
{
    const uint low = (uint)v;
    uint high = (uint)(v >> 32);
    if (low) {
        const uint old = atomic_add(at, low);
        if (old + low < old) high++;
    }
    if (high) atomic_add(at + 1, high);
}

static ulong mixing_get64(volatile SPACE uint *at) { return (ulong)at[0] | (ulong)at[1] << 32; }

// The bits of word k that belong to [lo, hi).
static uint mixing_mask(uint k, uint lo, uint hi)
{
    uint m = 0xffffffffu;
    if (k == lo >> 5) m &= 0xffffffffu << (lo & 31u);
    if (k == (hi - 1) >> 5) m &= 0xffffffffu >> (31u - ((hi - 1) & 31u));
    return m;
}

// Whether o and row differ in [lo, hi).
static bool mixing_differ(bits o, global const uint *row, uint lo, uint hi)
{
    for (uint k = lo >> 5; k <= (hi - 1) >> 5; k++)
        if ((o[k] ^ row[k]) & mixing_mask(k, lo, hi)) return true;
    return false;
}

// Whether there may be a donor: the parents differ within the set, or o differs from them.
static bool mixing_open(const scene *c, bits o, uint lo, uint hi)
{
    for (uint k = lo >> 5; k <= (hi - 1) >> 5; k++)
        if ((c->divided[k] | (o[k] ^ c->parents[k])) & mixing_mask(k, lo, hi)) return true;
    return false;
}

// Draws a donor like population.donor on the host: uniform among the parents that differ from o in the set, with four
// tries and then by rank. Returns n if there is none.
static uint mixing_donor(const scene *c, bits o, uint i, uint set, uint lo, uint hi)
{
    if (!mixing_open(c, o, lo, hi)) return c->n;
    const uint4 words = draw_words(set, c->who + i, c->generation, DRAW_DONOR, c->key);
    for (uint t = 0; t < (DONORS_SINGLE ? 1u : 4u); t++) {
        uint j = draw_int(draw_pick(words, t), c->n - 1);
        if (j >= i) j++;
        if (mixing_differ(o, c->parents + (ulong)j * WORDS, lo, hi)) return j;
    }
    if (DONORS_SINGLE) return c->n;
    uint count = 0;
    for (uint j = 0; j < c->n; j++)
        if (j != i && mixing_differ(o, c->parents + (ulong)j * WORDS, lo, hi)) count++;
    if (count == 0) return c->n;
    uint rank = draw_int(draw_words(set, c->who + i, c->generation, DRAW_SCAN, c->key).x, count);
    for (uint j = 0; j < c->n; j++)
        if (j != i && mixing_differ(o, c->parents + (ulong)j * WORDS, lo, hi) && rank-- == 0) return j;
    return c->n;
}

// D is the set of v in [lo, hi) with row_v != o_v. mixing_change returns the contribution of word k to the change of
// the cut if all of D is flipped. inner counts edges within D, each of them twice over all words.
static long mixing_change(const scene *c, bits o, global const uint *row, uint k, uint lo, uint hi,
                          ulong *edges, ulong *inner)
{
    long change = 0;
    for (uint d = (o[k] ^ row[k]) & mixing_mask(k, lo, hi); d; d &= d - 1) {
        const uint v = 32u * k + 31u - clz(d & -d), own = o[k] >> (v & 31u);
        const uint begin = c->off[v], end = c->off[v + 1];
        *edges += end - begin;
        for (uint e = begin; e < end; e++) {
            const uint u = c->nbr[e], word = o[u >> 5];
            if (u - lo < hi - lo && (word ^ row[u >> 5]) >> (u & 31u) & 1u) {
                *inner += 1;
                continue;
            }
            const long w = c->w[e];
            change += (own ^ word >> (u & 31u)) & 1u ? -w : w;
        }
    }
    return change;
}

#if GAINS

// The same from the gains of vertices: Σ g_v - 2 Σ w s over the edges within D, which is small. alone: D has a single
// vertex.
static long mixing_change_by(const scene *c, bits o, local const int *gain, global const uint *row, uint k, uint lo,
                             uint hi, bool alone, ulong *edges, ulong *inner)
{
    long change = 0;
    for (uint d = (o[k] ^ row[k]) & mixing_mask(k, lo, hi); d; d &= d - 1) {
        const uint v = 32u * k + 31u - clz(d & -d), own = o[k] >> (v & 31u);
        const uint begin = c->off[v], end = c->off[v + 1];
        *edges += end - begin;
        change += gain[v];
        if (alone) continue;
        for (uint e = begin; e < end; e++) {
            const uint u = c->nbr[e];
            if (u - lo >= hi - lo) {
                if (u >= hi) break; // neighbours are in increasing order
                continue;
            }
            const uint word = o[u >> 5];
            if (!((word ^ row[u >> 5]) >> (u & 31u) & 1u)) continue;
            *inner += 1;
            const long w = c->w[e];
            change -= (own ^ word >> (u & 31u)) & 1u ? -w : w; // each edge is met twice
        }
    }
    return change;
}

// Updates gains for the flip of D, for its vertices within word k.
static void mixing_regain(const scene *c, bits o, volatile local int *gain, global const uint *row, uint k, uint lo,
                          uint hi)
{
    for (uint d = (o[k] ^ row[k]) & mixing_mask(k, lo, hi); d; d &= d - 1) {
        const uint v = 32u * k + 31u - clz(d & -d), own = o[k] >> (v & 31u);
        int within = 0;
        for (uint e = c->off[v]; e < c->off[v + 1]; e++) {
            const uint u = c->nbr[e], word = o[u >> 5];
            const int w = c->w[e], ws = (own ^ word >> (u & 31u)) & 1u ? -w : w;
            if (u - lo < hi - lo && (word ^ row[u >> 5]) >> (u & 31u) & 1u) within += ws;
            else atomic_add(gain + u, -2 * ws);
        }
        gain[v] = 2 * within - gain[v];
    }
}

#endif

// Flips D within word k and returns the hash of its vertices there.
static ulong mixing_flip(const scene *c, bits o, global const uint *row, uint k, uint lo, uint hi)
{
    ulong hash = 0;
    const uint all = (o[k] ^ row[k]) & mixing_mask(k, lo, hi);
    for (uint d = all; d; d &= d - 1) {
        const uint v = 32u * k + 31u - clz(d & -d);
        hash ^= (ulong)c->zobrist[2 * v] | (ulong)c->zobrist[2 * v + 1] << 32;
    }
    if (all) atomic_xor(o + k, all);
    return hash;
}

// Updates the hash of a state by that of flipped vertices.
static void mixing_hash(volatile SPACE uint *state, ulong hash)
{
    if ((uint)hash) atomic_xor(state + HASH_LO, (uint)hash);
    if ((uint)(hash >> 32)) atomic_xor(state + HASH_LO + 1, (uint)(hash >> 32));
}

// One work-item mixes set t.
static void mixing_small(const scene *c, bits o, volatile SPACE uint *state, local int *gain, global const uint *sets,
                         uint i, uint t, tally *count)
{
    const uint lo = sets[3 * t], hi = sets[3 * t + 1];
    const uint j = mixing_donor(c, o, i, sets[3 * t + 2], lo, hi);
    if (j == c->n) return;
    global const uint *row = c->parents + (ulong)j * WORDS;
    long change = 0;
    ulong edges = 0, inner = 0;
#if GAINS
    uint size = 0;
    for (uint k = lo >> 5; k <= (hi - 1) >> 5; k++) size += popcount((o[k] ^ row[k]) & mixing_mask(k, lo, hi));
    for (uint k = lo >> 5; k <= (hi - 1) >> 5; k++)
        change += mixing_change_by(c, o, gain, row, k, lo, hi, size == 1, &edges, &inner);
#else
    for (uint k = lo >> 5; k <= (hi - 1) >> 5; k++) change += mixing_change(c, o, row, k, lo, hi, &edges, &inner);
#endif
    count->values++;
    count->edges += edges - inner / 2;
    if (change < 0 || (change == 0 && state[LEADS])) return;
#if GAINS
    for (uint k = lo >> 5; k <= (hi - 1) >> 5; k++) mixing_regain(c, o, gain, row, k, lo, hi);
#endif
    ulong hash = 0;
    for (uint k = lo >> 5; k <= (hi - 1) >> 5; k++) hash ^= mixing_flip(c, o, row, k, lo, hi);
    mixing_hash(state, hash);
    mixing_add64(state + CUT_LO, (ulong)change);
    state[ACCEPTED] = 1;
}

// All items of a group together evaluate the flip of D, the vertices of the set in which o and row sums[6] of rows
// differ. Private values are computed again after each barrier: some runtimes that turn the items of a group into a
// loop lose them there.
static long mixing_together(const scene *c, bits o, global const uint *rows, volatile SPACE uint *sums, uint lo,
                            uint hi, tally *count)
{
    const uint item = get_local_id(0);
    meet(FENCE);
    if (item == 0)
        for (uint s = 0; s < 6; s++) sums[s] = 0;
    meet(FENCE);
    ulong edges = 0, inner = 0;
    long change = 0;
    global const uint *row = rows + (ulong)sums[6] * WORDS;
    for (uint k = (lo >> 5) + get_local_id(0); k <= (hi - 1) >> 5; k += GROUP)
        change += mixing_change(c, o, row, k, lo, hi, &edges, &inner);
    if (change) mixing_add64(sums, (ulong)change);
    if (inner) mixing_add64(sums + 2, inner);
    count->edges += edges;
    meet(FENCE);
    if (item == 0) {
        count->values++;
        count->edges -= mixing_get64(sums + 2) / 2;
    }
    return (long)mixing_get64(sums);
}

// All items of a group together make the flip that mixing_together has evaluated.
static void mixing_flip_together(const scene *c, bits o, global const uint *rows, volatile SPACE uint *state,
                                 volatile SPACE uint *sums, uint lo, uint hi, long change)
{
    global const uint *row = rows + (ulong)sums[6] * WORDS;
    ulong hash = 0;
    for (uint k = (lo >> 5) + get_local_id(0); k <= (hi - 1) >> 5; k += GROUP)
        hash ^= mixing_flip(c, o, row, k, lo, hi);
    mixing_hash(state, hash);
    if (get_local_id(0) == 0) {
        mixing_add64(state + CUT_LO, (ulong)change);
        state[ACCEPTED] = 1;
    }
}

// All items of a group together mix set t, like mixing_small.
static void mixing_large(const scene *c, bits o, volatile SPACE uint *state, local int *gain,
                         volatile SPACE uint *sums, global const uint *sets, uint i, uint t, tally *count)
{
    const uint lo = sets[3 * t], hi = sets[3 * t + 1], item = get_local_id(0);
    // The search for a donor is short where parents differ; item 0 makes it alone.
    meet(FENCE);
    if (item == 0) sums[6] = mixing_donor(c, o, i, sets[3 * t + 2], lo, hi);
    meet(FENCE);
    if (sums[6] == c->n) return;
    const long change = mixing_together(c, o, c->parents, sums, lo, hi, count);
    if (change < 0 || (change == 0 && state[LEADS])) return;
#if GAINS
    global const uint *row = c->parents + (ulong)sums[6] * WORDS;
    for (uint k = (lo >> 5) + item; k <= (hi - 1) >> 5; k += GROUP) mixing_regain(c, o, gain, row, k, lo, hi);
    meet(FENCE);
#endif
    mixing_flip_together(c, o, c->parents, state, sums, lo, hi, change);
}

#define SCENE_PARAMS global const uint *restrict off, global const uint *restrict nbr, \
    global const WEIGHT *restrict w, global const uint *restrict zobrist, global const uint *restrict parents, \
    global const uint *restrict divided, const mixing_now now
#define SCENE scene c; c.off = off; c.nbr = nbr; c.w = w; c.zobrist = zobrist; c.parents = parents; \
    c.divided = divided; \
    c.n = now.n; c.who = now.who; c.generation = now.generation; c.key = (uint2)(now.seed, now.run)

// Whether a partition leads: it is better than the elitist, or it is the elitist or its complement. A partition that
// leads accepts only improvements.
static uint mixing_leads(volatile SPACE uint *state, long best, ulong hash, ulong whole)
{
    const long cut = (long)mixing_get64(state + CUT_LO);
    const ulong h = mixing_get64(state + HASH_LO);
    return cut > best || (cut == best && (h == hash || h == (hash ^ whole)));
}
