// mixing/slice.cl: annealing of 32 partitions of a graph in each word (see solvers/mixing/internal/engine/anneal.go).
//
// Vertices of a class are not neighbours, so that all of them are decided at once. A flip that changes the cut by g is
// made if g >= -m, where m is the integer part of -T·ln(u): always if g >= 0. At T = 0 it is made if g > 0. The 32
// chains of a group share u. Counters of 32 chains are spread over words, one word per binary digit. On processors a
// bundle of eight groups is annealed together, in vectors of eight words (WIDE); elsewhere a bundle is one group.
//
// Vertices have places, 128 to a band. A band has four rows of 32 places; place q has lane q mod 32. A hub, a vertex of
// many entries, has the first of them at its place, and bunches of the others. These are counted before the vertices of
// its class are decided, so that a class does not wait for one item.
//
//   x[i·PLACES + q]            of bundle i; bit c of word b: side of the vertex at place q in chain c of its group b
//   entries[32·f + l]          entry f of lane l has four places, with SIGN if flipping gains when the sides differ
//   fours[r·DIGITS + d], next  the entries of row r (places 32·r …, from PLACES on bunches) for weights of digit d
//   totals[q]                    W, the sum of absolute weights at place q; 12 bits higher the number of its first
//                              bunch in the class, and 20 bits higher of its bunches
//   classes[3k], +1, +2        first band, end band and number of vertices of class k
//   bunches[k], next           the bunches of class k
//   owners[b]                  the place of the hub of bunch b
//   temps[s]                   T of sweep s; 0 at the end
//   done                       of group b, see mixing/rest.cl
//   vertex[q], place[v]        vertex at a place, NONE for padding; and place of a vertex
//   parents[i·WORDS + k]       partitions, 32 vertices a word
//
// Draws: index 32·band + lane, and the word for the row in its band; who the first chain of the group, when the sweep.
// Defines: GROUP, WORDS, VERTICES, PLACES, CLASSES, DIGITS (of weights), PLANES (digits of W), TOTAL_PLANES (of the sum
// of W), BUNCHES (of all classes), COUNTED (0: bunches are not counted before; else the most bunches of a class), STATE
// and CUT_LO (see mixing/gomea.cl),
// SLICE_LOCAL (1: x is in local memory during a launch), SLICE_SPLIT (1: an item has one place, 0: four).

#define SIGN 0x80000000u
#define NONE 0xffffffffu
#define SLICE_ITEMS (SLICE_SPLIT ? 128u : 32u) /* of a band */

#if GROUP == 1
#define meet(fence)
#else
#define meet(fence) barrier(fence)
#endif

#if WIDE
#define SLICE_WORDS 8
#define SLICE_WORD(v, b) ((v)[b])
typedef uint8 slice;
#else
#define SLICE_WORDS 1
#define SLICE_WORD(v, b) (v)
typedef uint slice;
#endif

#if SLICE_LOCAL
#define SLICE_SPACE local
#define SLICE_FENCE CLK_LOCAL_MEM_FENCE
#else
#define SLICE_SPACE global
#define SLICE_FENCE (CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE)
#endif

// Where the words of group i are, counted from the first group of the device.
#define MIXING_SLICE_AT(i, q) (((ulong)((i) / SLICE_WORDS) * PLACES + (q)) * SLICE_WORDS + (i) % SLICE_WORDS)

// a + b + c as a digit and a carry, for each bit.
#define ADD(digit, carry, a, b, c) \
    { const slice half_ = (a) ^ (b); carry = ((a) & (b)) | (half_ & (c)); digit = half_ ^ (c); }

// The smallest weight of gained edges with which a vertex flips, from the words of its draws: 2c - W >= -m.
static slice mixing_slice_least(slice drawn, uint W, float T)
{
#if WIDE
    const int8 m = T > 0.0f ? convert_int8(-T * draw_log_uniform_eight(drawn)) : (int8)(-1);
    return as_uint8((int)W + 1 - min(m, (int8)((int)W + 1))) >> 1;
#else
    const int m = T > 0.0f ? (int)(-T * draw_log_uniform(drawn)) : -1;
    return (uint)((int)W + 1 - min(m, (int)W + 1)) >> 1;
#endif
}

// Adds to c the weight of the edges at place q, or of bunch q - PLACES, that flipping a vertex gains.
static inline __attribute__((always_inline)) void mixing_slice_count(SLICE_SPACE const slice *x,
                                                                     global const uint4 *entries,
                                                                     global const uint *fours, uint q, slice own,
                                                                     slice *c)
{
    const uint lane = q & 31u;
    #pragma unroll
    for (uint d = 0; d < DIGITS; d++) {
        const uint begin = fours[(q >> 5) * DIGITS + d], end = fours[(q >> 5) * DIGITS + d + 1];
        uint4 ahead = begin < end ? entries[32 * begin + lane] : (uint4)(0);
        for (uint f = begin; f < end; f++) {
            const uint4 at = ahead;
            if (f + 1 < end) ahead = entries[32 * (f + 1) + lane]; // read while this one is added
            // 1 where flipping gains the edge: positive weights gain where sides agree.
            const slice e0 = own ^ x[at.x & ~SIGN] ^ (at.x & SIGN ? 0u : ~0u),
                        e1 = own ^ x[at.y & ~SIGN] ^ (at.y & SIGN ? 0u : ~0u),
                        e2 = own ^ x[at.z & ~SIGN] ^ (at.z & SIGN ? 0u : ~0u),
                        e3 = own ^ x[at.w & ~SIGN] ^ (at.w & SIGN ? 0u : ~0u);
            slice s, u, v, carry;
            ADD(s, u, c[d], e0, e1);
            ADD(c[d], v, s, e2, e3);
            ADD(c[d + 1], carry, c[d + 1], u, v);
            #pragma unroll
            for (uint k = d + 2; k < PLANES; k++) {
                const slice next = c[k] & carry;
                c[k] ^= carry;
                carry = next;
            }
        }
    }
}

// Counts the bunches [begin, end) of a class, for the items of a group. counts[k·COUNTED + b] is digit k of
// what flipping the hub of bunch begin + b gains there.
static inline __attribute__((always_inline)) void mixing_slice_bunches(SLICE_SPACE const slice *x,
                                                                       global const uint4 *entries,
                                                                       global const uint *fours,
                                                                       global const uint *owners, uint begin, uint end,
                                                                       uint item, local slice *counts)
{
    for (uint b = item; b < end - begin; b += GROUP) {
        slice c[PLANES + 2] = {0};
        mixing_slice_count(x, entries, fours, PLACES + begin + b, x[owners[begin + b]], c);
        #pragma unroll
        for (uint k = 0; k < PLANES; k++) counts[k * COUNTED + b] = c[k];
    }
}

// The chains in which flipping the vertex at place q gains edges of at least a weight. The bunches of its class begin
// with `bunches`. counts has what they gain, or is 0 if they have not been counted.
static inline __attribute__((always_inline)) slice mixing_slice_flips(SLICE_SPACE const slice *x,
                                                                      global const uint4 *entries,
                                                                      global const uint *fours, uint total,
                                                                      uint bunches, local const slice *counts, uint q,
                                                                      slice least)
{
    slice c[PLANES + 2] = {0};
    mixing_slice_count(x, entries, fours, q, x[q], c);
#if BUNCHES
    for (uint b = total >> 12 & 0xffu, end = b + (total >> 20); b < end; b++) {
        if (!counts) {
            mixing_slice_count(x, entries, fours, PLACES + bunches + b, x[q], c);
            continue;
        }
        slice carry = 0;
        #pragma unroll
        for (uint k = 0; k < PLANES; k++) {
            slice next;
            ADD(c[k], next, c[k], counts[k * COUNTED + b], carry);
            carry = next;
        }
    }
#endif
    slice flips = ~0u;
    #pragma unroll
    for (uint k = 0; k < PLANES; k++) flips = bitselect(c[k] | flips, c[k] & flips, 0u - (least >> k & 1u));
    return flips;
}

// Decides the vertices of item t of a class that begins at band b, in the bundle whose first chain is who. An item has
// a lane of a band or, if classes are small (SLICE_SPLIT), one place. Returns the chains in which any vertex flipped.
static inline __attribute__((always_inline)) slice mixing_slice_item(SLICE_SPACE slice *x, global const uint4 *entries,
                                                                     global const uint *fours,
                                                                     global const uint *totals, uint bunches,
                                                                     local const slice *counts, uint b, uint t,
                                                                     uint vertices, float T, uint who, uint when,
                                                                     uint2 key)
{
    b += t / SLICE_ITEMS;
    vertices -= 128 * (t / SLICE_ITEMS);
    const uint lane = t & 31u;
    uint4 words[SLICE_WORDS];
    #pragma unroll
    for (uint k = 0; k < SLICE_WORDS; k++)
        words[k] = T > 0.0f ? draw_words(32 * b + lane, who + 32 * k, when, DRAW_FLIP, key) : (uint4)(0);
    slice any = 0;
#if SLICE_SPLIT
    const uint j = t >> 5 & 3u;
    if (32 * j < vertices) {
#else
    for (uint j = 0; j < 4 && 32 * j < vertices; j++) {
#endif
        const uint q = 128 * b + 32 * j + lane, total = totals[q];
        slice drawn;
        #pragma unroll
        for (uint k = 0; k < SLICE_WORDS; k++) SLICE_WORD(drawn, k) = draw_pick(words[k], j);
        const slice flips = mixing_slice_flips(x, entries, fours, total, bunches, counts, q,
                                               mixing_slice_least(drawn, total & 0xfffu, T));
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
void mixing_slice_sweep(global const uint4 *restrict entries, global const uint *restrict fours,
                        global const uint *restrict totals, global const uint *restrict classes,
                        global const uint *restrict bunches, global const uint *restrict owners,
                        global const float *restrict temps, uint from, uint to, global slice *words, global uint *done,
                        uint offset, uint first, uint groups, uint chains, uint who, uint when, uint seed, uint run,
                        local uint *room)
{
    const uint item = get_local_id(0), i = offset + get_group_id(0), own = SLICE_WORDS * i;
    local uint *flipped = room, *made = room + SLICE_WORDS;
    local slice *counts = (local slice *)(room + 2 * SLICE_WORDS);
    global slice *mine = words + (ulong)i * PLACES;
#if SLICE_LOCAL
    local slice *x = counts + PLANES * COUNTED;
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
            const uint begin = classes[3 * k], items = SLICE_ITEMS * (classes[3 * k + 1] - begin),
                       vertices = classes[3 * k + 2];
#if COUNTED
            mixing_slice_bunches(x, entries, fours, owners, bunches[k], bunches[k + 1], item, counts);
            meet(CLK_LOCAL_MEM_FENCE);
#endif
            slice any = 0;
            for (uint t = item; t < items; t += GROUP)
                any |= mixing_slice_item(x, entries, fours, totals, bunches[k], COUNTED ? counts : 0, begin, t,
                                         vertices, T, who + 32 * (first + own), when + s, (uint2)(seed, run));
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

// Makes one sweep over one class, whose first bunch is `bunches`, for the bundles of dimension 1.
kernel void mixing_slice_class(global const uint4 *restrict entries, global const uint *restrict fours,
                               global const uint *restrict totals, uint bunches, uint begin, uint vertices, float T,
                               global slice *words, global uint *done, uint offset, uint first, uint groups,
                               uint chains, uint who, uint when, uint seed, uint run)
{
    const uint t = get_global_id(0), i = offset + get_global_id(1), own = SLICE_WORDS * i;
    uint resting = 0;
    for (uint k = 0; k < SLICE_WORDS; k++) resting += own + k >= groups || done[2 * (own + k) + 1] == AT_REST;
    if (resting == SLICE_WORDS) return;
    const slice any = mixing_slice_item(words + (ulong)i * PLACES, entries, fours, totals, bunches, 0, begin, t,
                                        vertices, T, who + 32 * (first + own), when, (uint2)(seed, run));
    if (T > 0.0f) return;
    #pragma unroll
    for (uint b = 0; b < SLICE_WORDS; b++)
        if (own + b < groups && SLICE_WORD(any, b) & mixing_slice_chains(first + own + b, chains))
            done[2 * (own + b) + 1] = FLIPPED;
}

#endif

// Computes the cuts of the chains [begin, end), which the device has, with one work-group per bundle. Flipping a vertex
// gains its edges of positive weight that are not cut and those of negative weight that are. So over all vertices the
// weight of gained edges is 2·(positive - cut), where positive is the sum of all positive weights. Local memory, room,
// has 32 words for each group of a bundle, and x where SLICE_LOCAL.
kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void mixing_slice_evaluate(global const uint4 *restrict entries, global const uint *restrict fours,
                           global const uint *restrict owners, global const slice *restrict words,
                           global uint *restrict states, long positive,
                           uint offset, uint first, uint begin, uint end, local uint *room)
{
    const uint item = get_local_id(0), i = offset + get_group_id(0);
    local uint *sums = room;
    global const slice *mine = words + (ulong)i * PLACES;
#if SLICE_LOCAL
    local slice *x = (local slice *)(room + 32 * SLICE_WORDS);
    for (uint q = item; q < PLACES; q += GROUP) x[q] = mine[q];
#else
    global const slice *x = mine;
#endif
    for (uint k = item; k < 32 * SLICE_WORDS; k += GROUP) sums[k] = 0;
    meet(SLICE_FENCE);
    slice sum[TOTAL_PLANES]; // digits
    #pragma unroll
    for (uint k = 0; k < TOTAL_PLANES; k++) sum[k] = 0;
    for (uint q = item; q < PLACES + BUNCHES; q += GROUP) {
        slice c[PLANES + 2] = {0}, carry = 0;
        mixing_slice_count(x, entries, fours, q, x[q < PLACES ? q : owners[q - PLACES]], c);
        #pragma unroll
        for (uint k = 0; k < PLANES; k++) {
            slice next;
            ADD(sum[k], next, sum[k], c[k], carry);
            carry = next;
        }
        #pragma unroll
        for (uint k = PLANES; k < TOTAL_PLANES; k++) {
            const slice next = sum[k] & carry;
            sum[k] ^= carry;
            carry = next;
        }
    }
    #pragma unroll
    for (uint b = 0; b < SLICE_WORDS; b++)
        for (uint c = 0; c < 32; c++) {
            uint own = 0;
            #pragma unroll
            for (uint k = 0; k < TOTAL_PLANES; k++) own |= (SLICE_WORD(sum[k], b) >> c & 1u) << k;
            atomic_add(sums + 32 * b + c, own);
        }
    meet(CLK_LOCAL_MEM_FENCE);
    for (uint k = item; k < 32 * SLICE_WORDS; k += GROUP) {
        const uint chain = 32 * (first + SLICE_WORDS * i) + k;
        if (chain < begin || chain >= end) continue;
        const ulong cut = (ulong)(positive - sums[k] / 2);
        states[STATE * (chain - begin) + CUT_LO] = (uint)cut;
        states[STATE * (chain - begin) + CUT_LO + 1] = (uint)(cut >> 32);
    }
}

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
