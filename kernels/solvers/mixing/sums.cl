// mixing/sums.cl: what flips gain on a graph of any weights, as a sum for each of 32 chains (see
// solvers/mixing/internal/host/sums.go). The edges of a row of 32 places are in turn, or those of each place together.
//
//   edges[e]                   the place of a neighbour
//   weights[e]                 the weight of this edge
//   lists[q]                   the first edge of place q, and the number of its edges, with TOGETHER if the next one
//                              follows; else it is 32 later
//   totals[q]                  W, the sum of the weights at place q
//
// Defines: WEIGHT (int, or long if WIDE_SUMS). A bundle is one word here (WIDE is 0), and the sums are vectors.

#define TOGETHER 0x80000000u

#define EDGE_PARAMS global const uint *restrict edges, global const WEIGHT *restrict weights, \
    global const uint2 *restrict lists, global const WEIGHT *restrict totals
#define EDGES ((edge_lists){ edges, weights, lists, totals })
#define BUNCH_PARAMS
#define FIRST_BUNCH(k) 0
#define BUNCH_COUNTS 0

typedef struct {
    global const uint *edges;
    global const WEIGHT *weights;
    global const uint2 *lists;
    global const WEIGHT *totals;
} edge_lists;

// The sums of 32 chains are PARTS vectors; chain_bits has the bits of the chains of one. any_bit is the union of the
// elements of a vector.
#if WIDE_SUMS
#define PARTS 4
typedef long8 part;
static part chain_bits(uint k) { return (long8)(1, 2, 4, 8, 16, 32, 64, 128) << (8 * k); }
static uint any_bit(part v)
{
    const long4 a = v.lo | v.hi;
    const long2 b = a.lo | a.hi;
    return (uint)(b.x | b.y);
}
#else
#define PARTS 2
typedef int16 part;
static part chain_bits(uint k)
{
    return (int16)(1, 2, 4, 8, 16, 32, 64, 128, 1 << 8, 1 << 9, 1 << 10, 1 << 11, 1 << 12, 1 << 13, 1 << 14, 1 << 15)
           << (16 * k);
}
static uint any_bit(part v)
{
    const int8 a = v.lo | v.hi;
    const int4 b = a.lo | a.hi;
    const int2 c = b.lo | b.hi;
    return (uint)(c.x | c.y);
}
#endif

// The largest weight of edges that a vertex may lose when it flips, from the word of its draw: W - 2L >= -m.
static WEIGHT mixing_slice_most(uint drawn, WEIGHT W, float T)
{
    const long m = T > 0.0f ? (long)(-T * draw_log_uniform(drawn)) : -1, most = (m + (long)W) >> 1;
#if WIDE_SUMS
    return most;
#else
    return convert_int_sat(most);
#endif
}

// The chains in which the vertex at place q flips. drawn has the word of its draw. There are no bunches or counts.
static inline __attribute__((always_inline)) uint mixing_slice_flips(SLICE_SPACE const uint *x, edge_lists of,
                                                                     uint bunches, local const uint *counts, uint q,
                                                                     uint drawn, float T)
{
    const uint own = x[q];
    const uint2 list = of.lists[q];
    const uint step = list.y & TOGETHER ? 1u : 32u, end = list.x + step * (list.y & ~TOGETHER);
    part lost[PARTS];
    #pragma unroll
    for (uint p = 0; p < PARTS; p++) lost[p] = 0;
    for (uint e = list.x; e != end; e += step) {
        const uint differ = own ^ x[of.edges[e]];
        const WEIGHT w = of.weights[e];
        #pragma unroll
        for (uint p = 0; p < PARTS; p++) lost[p] += (((part)((WEIGHT)differ) & chain_bits(p)) != 0) & w;
    }
    const WEIGHT most = mixing_slice_most(drawn, of.totals[q], T);
    uint flips = 0;
    #pragma unroll
    for (uint p = 0; p < PARTS; p++) flips |= any_bit((lost[p] <= most) & chain_bits(p));
    return flips;
}
