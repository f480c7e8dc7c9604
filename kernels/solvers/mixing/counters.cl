// mixing/counters.cl: what flips gain on a graph of small whole weights, counted for 32 chains at once (see
// solvers/mixing/internal/host/counters.go). Counters of 32 chains are spread over words, one word per binary digit.
//
// A hub, a vertex of many entries, has the first of them at its place, and bunches of the others. These are counted
// before the vertices of its class are decided, so that a class does not wait for one item.
//
//   entries[32·f + l]          entry f of lane l has four places, with SIGN if flipping gains when the sides differ
//   fours[r·DIGITS + d], next  the entries of row r (places 32·r …, from PLACES on bunches) for weights of digit d
//   totals[q]                  W, the sum of absolute weights at place q; 12 bits higher the number of its first
//                              bunch in the class, and 20 bits higher of its bunches
//   bunches[k], next           the bunches of class k
//   owners[b]                  the place of the hub of bunch b
//
// Defines: DIGITS (of weights), PLANES (digits of W), TOTAL_PLANES (of the sum of W), BUNCHES (of all classes), COUNTED
// (0: bunches are not counted before; else the most bunches of a class), STATE and CUT_LO (see mixing/gomea.cl).

#define SIGN 0x80000000u

#define EDGE_PARAMS global const uint4 *restrict entries, global const uint *restrict fours, \
    global const uint *restrict totals
#define EDGES ((edge_lists){ entries, fours, totals })
#define BUNCH_PARAMS global const uint *restrict bunches, global const uint *restrict owners,
#define FIRST_BUNCH(k) bunches[k]
#define BUNCH_COUNTS (PLANES * COUNTED) /* words for the counts of the bunches of a class */

typedef struct {
    global const uint4 *entries;
    global const uint *fours, *totals;
} edge_lists;

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

// The chains in which the vertex at place q flips. The bunches of its class begin with `bunches`. counts has what they
// gain, or is 0 if they have not been counted. drawn has the words of the draws.
static inline __attribute__((always_inline)) slice mixing_slice_flips(SLICE_SPACE const slice *x, edge_lists of,
                                                                      uint bunches, local const slice *counts, uint q,
                                                                      slice drawn, float T)
{
    const uint total = of.totals[q];
    const slice least = mixing_slice_least(drawn, total & 0xfffu, T);
    slice c[PLANES + 2] = {0};
    mixing_slice_count(x, of.entries, of.fours, q, x[q], c);
#if BUNCHES
    for (uint b = total >> 12 & 0xffu, end = b + (total >> 20); b < end; b++) {
        if (!counts) {
            mixing_slice_count(x, of.entries, of.fours, PLACES + bunches + b, x[q], c);
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

// Computes the cuts of the chains [begin, end), which the device has, with one work-group per bundle. Flipping a vertex
// gains its edges of positive weight that are not cut and those of negative weight that are. So over all vertices the
// weight of gained edges is 2·(positive - cut), where positive is the sum of all positive weights. Local memory, room,
// has 32 words for each group of a bundle, and x where SLICE_LOCAL.
kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void mixing_slice_evaluate(EDGE_PARAMS, global const uint *restrict owners, global const slice *restrict words,
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
