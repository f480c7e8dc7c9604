// mixing/slice.cl: annealing of 32 partitions of a graph in each word (see solvers/mixing/internal/engine/anneal.go).
// What flips gain is in mixing/counters.cl or mixing/sums.cl.
//
// Vertices of a class are not neighbours, so that all of them are decided at once. A flip that changes the cut by g is
// made if g >= -m, where m is the integer part of -T·ln(u): always if g >= 0. At T = 0 it is made if g > 0. The 32
// chains of a group share u.
//
//   classes[3k], +1, +2        first band, end band and number of vertices of class k
//   temps[s]                   T of sweep s; 0 at the end
//   done                       of group b, see mixing/rest.cl
//   vertex[q], place[v]        vertex at a place, NONE for padding; and place of a vertex
//   parents[i·WORDS + k]       partitions, 32 vertices a word
//
// Draws: index 32·band + lane, and the word for the row in its band; who the first chain of the group, when the sweep.
// Defines: those of mixing/words.cl, WORDS, VERTICES, CLASSES, SLICE_SPLIT (1: an item has one place, 0: four).

#define NONE 0xffffffffu
#define SLICE_ITEMS (SLICE_SPLIT ? 128u : 32u) /* of a band */

// A sweep of a bundle: its T and number, the first chain, and the draws.
typedef struct {
    float T;
    uint who, when;
    uint2 key;
} slice_sweep;

// Decides the vertices of item t of a class in a bundle. An item has a lane of a band or, if classes are small
// (SLICE_SPLIT), one place. Returns the chains in which any vertex flipped.
static inline __attribute__((always_inline)) slice mixing_slice_item(SLICE_SPACE slice *x, edge_lists of,
                                                                     mixing_class set, local const slice *counts,
                                                                     uint t, slice_sweep s)
{
    const uint b = set.begin + t / SLICE_ITEMS, vertices = set.vertices - 128 * (t / SLICE_ITEMS);
    const uint lane = t & 31u;
    uint4 words[SLICE_WORDS];
    #pragma unroll
    for (uint k = 0; k < SLICE_WORDS; k++)
        words[k] = s.T > 0.0f ? draw_words(32 * b + lane, s.who + 32 * k, s.when, DRAW_FLIP, s.key) : (uint4)(0);
    slice any = 0;
#if SLICE_SPLIT
    const uint j = t >> 5 & 3u;
    if (32 * j < vertices) {
#else
    for (uint j = 0; j < 4 && 32 * j < vertices; j++) {
#endif
        const uint q = 128 * b + 32 * j + lane;
        slice drawn;
        #pragma unroll
        for (uint k = 0; k < SLICE_WORDS; k++) SLICE_WORD(drawn, k) = draw_pick(words[k], j);
        const slice flips = mixing_slice_flips(x, of, set.bunch, counts, q, drawn, s.T);
        x[q] ^= flips;
        any |= flips;
    }
    return any;
}

// The bits of group b that stand for chains, if there are `chains` in all.
static uint mixing_slice_chains(uint b, uint chains)
{
    if (32 * b >= chains) return 0;
    const uint left = chains - 32 * b;
    return left >= 32 ? ~0u : (1u << left) - 1u;
}

// Makes the sweeps [from, to) of bundles, with one work-group per bundle. first is the number of the first group of 32
// chains of the device, with which words and done begin, and groups how many it has; offset is counted in bundles from
// there. Local memory, room, has two words for each group of a bundle, the counts of bunches, and x where SLICE_LOCAL.
kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void mixing_slice_sweep(EDGE_PARAMS, BUNCH_PARAMS global const uint *restrict classes,
                        global const float *restrict temps, uint from, uint to, global slice *words, global uint *done,
                        uint offset, uint first, uint groups, uint chains, uint who, uint when, uint seed, uint run,
                        local uint *room)
{
    const uint item = get_local_id(0), i = offset + get_group_id(0), own = SLICE_WORDS * i;
    local uint *flipped = room, *made = room + SLICE_WORDS;
    local slice *counts = (local slice *)(room + 2 * SLICE_WORDS);
    global slice *mine = words + (ulong)i * PLACES;
#if SLICE_LOCAL
    local slice *x = counts + BUNCH_COUNTS;
    for (uint q = item; q < PLACES; q += GROUP) x[q] = mine[q];
#else
    global slice *x = mine;
#endif
    for (uint k = item; k < SLICE_WORDS; k += GROUP) {
        flipped[k] = own + k < groups && done[2 * (own + k) + 1] != AT_REST;
        made[k] = 0;
    }
    meet(SLICE_FENCE);
    for (uint s = from; s < to; s++) {
        const float T = temps[s];
        if (T == 0.0f) {
            uint moving = 0;
            for (uint k = 0; k < SLICE_WORDS; k++) moving |= flipped[k];
            if (!moving) break; // the last sweep, at T = 0, changed nothing
            meet(SLICE_FENCE);
        }
        for (uint k = item; k < SLICE_WORDS; k += GROUP) {
            made[k] += flipped[k];
            if (T == 0.0f) flipped[k] = 0;
        }
        if (T == 0.0f) meet(SLICE_FENCE);
        for (uint k = 0; k < CLASSES; k++) {
            const mixing_class set = { FIRST_BUNCH(k), classes[3 * k], classes[3 * k + 2] };
            const uint items = SLICE_ITEMS * (classes[3 * k + 1] - set.begin);
            const slice_sweep now = { T, who + 32 * (first + own), when + s, (uint2)(seed, run) };
#if BUNCH_COUNTS
            mixing_slice_bunches(x, entries, fours, owners, bunches[k], bunches[k + 1], item, counts);
            meet(CLK_LOCAL_MEM_FENCE);
#endif
            slice any = 0;
            for (uint t = item; t < items; t += GROUP)
                any |= mixing_slice_item(x, EDGES, set, BUNCH_COUNTS ? counts : 0, t, now);
            if (T == 0.0f) {
                #pragma unroll
                for (uint b = 0; b < SLICE_WORDS; b++)
                    if (SLICE_WORD(any, b) & mixing_slice_chains(first + own + b, chains)) flipped[b] = 1;
            }
            meet(SLICE_FENCE);
        }
    }
#if SLICE_LOCAL
    for (uint q = item; q < PLACES; q += GROUP) mine[q] = x[q];
#endif
    for (uint k = item; k < SLICE_WORDS && own + k < groups; k += GROUP) {
        done[2 * (own + k)] += made[k];
        done[2 * (own + k) + 1] = !flipped[k];
    }
}

#if !SLICE_LOCAL

// Makes one sweep over one class for the bundles of dimension 1.
kernel void mixing_slice_class(EDGE_PARAMS, const mixing_class set, float T, global slice *words, global uint *done,
                               uint offset, uint first, uint groups, uint chains, uint who, uint when, uint seed,
                               uint run)
{
    const uint t = get_global_id(0), i = offset + get_global_id(1), own = SLICE_WORDS * i;
    uint resting = 0;
    for (uint k = 0; k < SLICE_WORDS; k++) resting += own + k >= groups || done[2 * (own + k) + 1] == AT_REST;
    if (resting == SLICE_WORDS) return;
    const slice_sweep now = { T, who + 32 * (first + own), when, (uint2)(seed, run) };
    const slice any = mixing_slice_item(words + (ulong)i * PLACES, EDGES, set, 0, t, now);
    if (T > 0.0f) return;
    #pragma unroll
    for (uint b = 0; b < SLICE_WORDS; b++)
        if (own + b < groups && SLICE_WORD(any, b) & mixing_slice_chains(first + own + b, chains))
            done[2 * (own + b) + 1] = FLIPPED;
}

#endif

// Gathers the word of a place (dimension 0) of a group of 32 chains (dimension 1) from the partitions of these chains.
kernel void mixing_slice_gather(global const uint *restrict parents, global const uint *restrict vertex,
                                global uint *restrict words, uint first, uint chains)
{
    const uint q = get_global_id(0), i = get_global_id(1), begin = 32 * (first + i), v = vertex[q];
    uint word = 0;
    if (v != NONE)
        for (uint c = 0; c < 32 && begin + c < chains; c++)
            word |= (parents[(ulong)(begin + c) * WORDS + (v >> 5)] >> (v & 31u) & 1u) << c;
    words[MIXING_SLICE_AT(i, q)] = word;
}

// Writes a word (dimension 0) of the partition of a chain (dimension 1, from chain `offset` on).
kernel void mixing_slice_scatter(global uint *restrict parents, global const uint *restrict place,
                                 global const uint *restrict words, uint offset, uint first)
{
    const uint k = get_global_id(0), c = offset + get_global_id(1), i = (c >> 5) - first;
    uint word = 0;
    for (uint t = 0; t < 32 && 32 * k + t < VERTICES; t++)
        word |= (words[MIXING_SLICE_AT(i, place[32 * k + t])] >> (c & 31u) & 1u) << t;
    parents[(ulong)c * WORDS + k] = word;
}
