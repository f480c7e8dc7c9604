// mixing/slice.cl: annealing of 32 partitions of a graph in each word (see solvers/mixing/anneal_device.go).
//
// Vertices of a class are not neighbours, so that all of them are decided at once. A flip that changes the cut by g is
// made if g >= -m, where m is the integer part of -T·ln(u): always if g >= 0. At T = 0 it is made if g > 0. The 32
// chains of a group share u. Counters of 32 chains are spread over words, one word per binary digit.
//
// Vertices have places, 128 to a band. A band has four rows of 32 places; place q has lane q mod 32.
//
//   x[b·PLACES + q]            bit i: side of the vertex at place q in chain 32·b + i
//   entries[32·f + l]          entry f of lane l has four places, with SIGN if flipping gains when the sides differ
//   fours[r·DIGITS + d], next  the entries of row r (places 32·r …) for weights that have digit d
//   totals[q]                    W, the sum of absolute weights at place q
//   classes[3k], +1, +2        first band, end band and number of vertices of class k
//   temps[s]                   T of sweep s; 0 at the end
//   done                       of group b, see mixing/rest.cl
//   vertex[q], place[v]        vertex at a place, NONE for padding; and place of a vertex
//   parents[i·WORDS + k]       partitions, 32 vertices a word
//
// Draws: index 32·band + lane, and the word for the row in its band; who the first chain of the group, when the sweep.
// Defines: GROUP, WORDS, VERTICES, PLACES, CLASSES, DIGITS (of weights), PLANES (digits of W),
// SLICE_LOCAL (1: x is in local memory during a launch), SLICE_SPLIT (1: an item has one place, 0: four).

#define SIGN 0x80000000u
#define NONE 0xffffffffu
#define SLICE_ITEMS (SLICE_SPLIT ? 128u : 32u) /* of a band */

#if GROUP == 1
#define meet(fence)
#else
#define meet(fence) barrier(fence)
#endif

#if SLICE_LOCAL
#define SLICE_SPACE local
#define SLICE_FENCE CLK_LOCAL_MEM_FENCE
#else
#define SLICE_SPACE global
#define SLICE_FENCE (CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE)
#endif

// a + b + c as a digit and a carry, for each bit.
#define ADD(digit, carry, a, b, c) \
    { const uint half_ = (a) ^ (b); carry = ((a) & (b)) | (half_ & (c)); digit = half_ ^ (c); }

// The chains in which flipping the vertex at place q changes the cut by -m or more.
static inline __attribute__((always_inline)) uint mixing_slice_flips(SLICE_SPACE const uint *x,
                                                                     global const uint4 *entries,
                                                                     global const uint *fours, uint q, uint W, int m)
{
    uint c[PLANES + 2];
    #pragma unroll
    for (uint k = 0; k < PLANES + 2; k++) c[k] = 0;
    const uint own = x[q], lane = q & 31u;
    #pragma unroll
    for (uint d = 0; d < DIGITS; d++) {
        const uint begin = fours[(q >> 5) * DIGITS + d], end = fours[(q >> 5) * DIGITS + d + 1];
        uint4 ahead = begin < end ? entries[32 * begin + lane] : (uint4)(0);
        for (uint f = begin; f < end; f++) {
            const uint4 at = ahead;
            if (f + 1 < end) ahead = entries[32 * (f + 1) + lane]; // read while this one is added
            // 1 where flipping gains the edge: positive weights gain where sides agree.
            const uint e0 = own ^ x[at.x & ~SIGN] ^ (at.x & SIGN ? 0u : ~0u),
                       e1 = own ^ x[at.y & ~SIGN] ^ (at.y & SIGN ? 0u : ~0u),
                       e2 = own ^ x[at.z & ~SIGN] ^ (at.z & SIGN ? 0u : ~0u),
                       e3 = own ^ x[at.w & ~SIGN] ^ (at.w & SIGN ? 0u : ~0u);
            uint s, u, v, carry;
            ADD(s, u, c[d], e0, e1);
            ADD(c[d], v, s, e2, e3);
            ADD(c[d + 1], carry, c[d + 1], u, v);
            #pragma unroll
            for (uint k = d + 2; k < PLANES; k++) {
                const uint next = c[k] & carry;
                c[k] ^= carry;
                carry = next;
            }
        }
    }
    // 2c - W >= -m
    const uint least = m >= (int)W ? 0u : (W + 1u - (uint)m) >> 1;
    uint flips = ~0u;
    #pragma unroll
    for (uint k = 0; k < PLANES; k++) flips = bitselect(c[k] | flips, c[k] & flips, 0u - (least >> k & 1u));
    return flips;
}

// Decides the vertices of item t of a class that begins at band b. An item has a lane of a band or, if classes are
// small (SLICE_SPLIT), one place. Returns the chains in which any vertex flipped.
static inline __attribute__((always_inline)) uint mixing_slice_item(SLICE_SPACE uint *x, global const uint4 *entries,
                                                                    global const uint *fours, global const uint *totals,
                                                                    uint b, uint t, uint vertices, float T, uint who,
                                                                    uint when, uint2 key)
{
    b += t / SLICE_ITEMS;
    vertices -= 128 * (t / SLICE_ITEMS);
    const uint lane = t & 31u;
    uint4 words = (uint4)(0);
    if (T > 0.0f) words = draw_words(32 * b + lane, who, when, DRAW_FLIP, key);
    uint any = 0;
#if SLICE_SPLIT
    const uint j = t >> 5 & 3u;
    if (32 * j < vertices) {
#else
    for (uint j = 0; j < 4 && 32 * j < vertices; j++) {
#endif
        const uint q = 128 * b + 32 * j + lane;
        const int m = T > 0.0f ? (int)(-T * draw_log_uniform(draw_pick(words, j))) : -1;
        const uint flips = mixing_slice_flips(x, entries, fours, q, totals[q], m);
        x[q] ^= flips;
        any |= flips;
    }
    return any;
}

// The bits of group b that stand for chains, if there are `chains` in all.
static uint mixing_slice_chains(uint b, uint chains)
{
    const uint left = chains - 32 * b;
    return left >= 32 ? ~0u : (1u << left) - 1u;
}

// Makes the sweeps [from, to) of groups of 32 chains, with one work-group per group. first is the number of the first
// group of the device, with which words and done begin; offset is counted from it. Local memory, room, has two words,
// and PLACES more where SLICE_LOCAL.
kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void mixing_slice_sweep(global const uint4 *restrict entries, global const uint *restrict fours,
                        global const uint *restrict totals, global const uint *restrict classes,
                        global const float *restrict temps, uint from, uint to, global uint *words, global uint *done,
                        uint offset, uint first, uint chains, uint who, uint when, uint seed, uint run,
                        local uint *room)
{
    const uint item = get_local_id(0), i = offset + get_group_id(0), group = first + i;
    local uint *flipped = room;
    global uint *mine = words + (ulong)i * PLACES;
#if SLICE_LOCAL
    local uint *x = room + 2;
    for (uint q = item; q < PLACES; q += GROUP) x[q] = mine[q];
#else
    global uint *x = mine;
#endif
    if (item == 0) {
        flipped[0] = !done[2 * i + 1];
        flipped[1] = 0; // sweeps made
    }
    meet(SLICE_FENCE);
    for (uint s = from; s < to; s++) {
        const float T = temps[s];
        if (T == 0.0f) {
            if (!flipped[0]) break; // the last sweep, at T = 0, changed nothing
            meet(SLICE_FENCE);
            if (item == 0) flipped[0] = 0;
            meet(SLICE_FENCE);
        }
        if (item == 0) flipped[1]++;
        for (uint k = 0; k < CLASSES; k++) {
            const uint begin = classes[3 * k], items = SLICE_ITEMS * (classes[3 * k + 1] - begin),
                       vertices = classes[3 * k + 2];
            uint any = 0;
            for (uint t = item; t < items; t += GROUP)
                any |= mixing_slice_item(x, entries, fours, totals, begin, t, vertices, T, who + 32 * group, when + s,
                                         (uint2)(seed, run));
            if (T == 0.0f && (any & mixing_slice_chains(group, chains))) flipped[0] = 1;
            meet(SLICE_FENCE);
        }
    }
#if SLICE_LOCAL
    for (uint q = item; q < PLACES; q += GROUP) mine[q] = x[q];
#endif
    if (item == 0) {
        done[2 * i] += flipped[1];
        done[2 * i + 1] = !flipped[0];
    }
}

#if !SLICE_LOCAL

// Makes one sweep over one class for the groups of 32 chains of dimension 1.
kernel void mixing_slice_class(global const uint4 *restrict entries, global const uint *restrict fours,
                               global const uint *restrict totals, uint begin, uint vertices, float T,
                               global uint *words, global uint *done, uint offset, uint first, uint chains, uint who,
                               uint when, uint seed, uint run)
{
    const uint t = get_global_id(0), i = offset + get_global_id(1), group = first + i;
    if (done[2 * i + 1] == AT_REST) return;
    const uint any = mixing_slice_item(words + (ulong)i * PLACES, entries, fours, totals, begin, t, vertices, T,
                                      who + 32 * group, when, (uint2)(seed, run));
    if (T == 0.0f && (any & mixing_slice_chains(group, chains))) done[2 * i + 1] = FLIPPED;
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
    words[(ulong)i * PLACES + q] = word;
}

// Writes a word (dimension 0) of the partition of a chain (dimension 1, from chain `from` on).
kernel void mixing_slice_scatter(global uint *restrict parents, global const uint *restrict place,
                                 global const uint *restrict words, uint from, uint first)
{
    const uint k = get_global_id(0), c = from + get_global_id(1);
    global const uint *x = words + (ulong)((c >> 5) - first) * PLACES;
    uint word = 0;
    for (uint t = 0; t < 32 && 32 * k + t < VERTICES; t++)
        word |= (x[place[32 * k + t]] >> (c & 31u) & 1u) << t;
    parents[(ulong)c * WORDS + k] = word;
}
