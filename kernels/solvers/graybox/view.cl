// graybox/view.cl: the point of a part. Comes before the text of the problem.
//
// A part is a set of variables of a tile, with all components that read them. A candidate has the variables of its
// part. Parts are closed if their components read no others; open parts read the others in the best point of all parts,
// in which they stand still meanwhile.
//
// Defines:
//   OPEN         1: parts are open
//   WIDE_PARTS   1: the items of a group work on one part; 0: each item has a part of its own
//   SPAN         room for the variables of a part; 1: parts are single variables
//   LINEAR       1: the variables of each part are consecutive
//   COVERS       with OPEN: the most parts that have a variable in common
//   PLACE_BITS   with OPEN: bits of a place

#if WIDE_PARTS
#define LANES GROUP // work-items of a part
#else
#define LANES 1
#endif

// Parts that an item works on at the same time.
#if WIDE && !WIDE_PARTS && SPAN == 1 && !INNER && !OPEN
#define BATCH 8
#else
#define BATCH 1
#endif

#if LANES == 1
#define SPACE private
#define PART_BARRIER
#else
#define SPACE local
#define PART_BARRIER barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
#endif

#if OPEN

// Variable i is y[i - first] where LINEAR if that is below n. Otherwise it has COVERS entries from
// place[COVERS*(i - first)] on, and is y[e mod 2^PLACE_BITS] if the number of the part, w, is in the other bits of one
// entry e. All other variables are best[i - lo].
typedef struct {
    SPACE const real *y;
    uint first, n, w, lo;
    global const uint *place;
    global const real *best;
} point;

static real at(point x, uint i)
{
    const uint v = i - x.first;
#if LINEAR
    return v < x.n ? x.y[v] : x.best[i - x.lo];
#else
    if (v < TILE_VARS)
        for (uint k = 0; k < COVERS; k++) {
            const uint e = x.place[COVERS * v + k];
            if (e >> PLACE_BITS == x.w) return x.y[e & ((1u << PLACE_BITS) - 1)];
        }
    return x.best[i - x.lo];
#endif
}

#else

// Variable i is y[i - first] where LINEAR, and otherwise y[place[i - first]], where first is that of the tile.
typedef struct {
    SPACE const real *y;
    uint first;
    global const uint *place;
} point;

static real at(point x, uint i)
{
#if SPAN == 1
    return x.y[0];
#elif LINEAR
    return x.y[i - x.first];
#else
    return x.y[x.place[i - x.first]];
#endif
}

#endif
