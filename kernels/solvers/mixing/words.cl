// mixing/words.cl: 32 partitions of a graph in each word, for mixing/counters.cl or mixing/sums.cl, and mixing/slice.cl
// after them.
//
// Vertices have places, 128 to a band. A band has four rows of 32 places; place q has lane q mod 32. A bundle is
// a group of 32 chains or, on processors that count gains, eight groups, in vectors of eight words (WIDE).
//
//   x[i·PLACES + q]            of bundle i; bit c of word b: side of the vertex at place q in chain c of its group b
//
// Defines: GROUP, PLACES, SLICE_LOCAL (1: x is in local memory during a launch).

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
