// multistart/view.cl: the point of a part. Comes before the text of the problem.
//
// A part is a set of variables of a tile, with all components that read them. A candidate has the variables of its
// part alone, since no other part reads them.
//
// Defines:
//   WIDE_PARTS   1: the items of a group work on one part; 0: each item has a part of its own
//   SPAN             variables of the largest part
//   LINEAR           1: the variables of each part are consecutive

#if WIDE_PARTS
#define LANES GROUP // work-items of a part
#else
#define LANES 1
#endif

#if LANES == 1
#define SPACE private
#define PART_BARRIER
#else
#define SPACE local
#define PART_BARRIER barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
#endif

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
