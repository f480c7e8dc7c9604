// graybox/view.cl: the view of a candidate of one block, which a work-group
// keeps in local memory (PART_LOCAL) or, where it is too long, in global
// memory.
//
// Variable i of the block, lo <= i < hi, is y[i - lo]. Where components read variables of other blocks as well
// (PART_COLOURS 2), those are taken from the point put together so far: a[i - a_lo].

#if PART_LOCAL
#define PART_SPACE local
#define PART_FENCE CLK_LOCAL_MEM_FENCE
#else
#define PART_SPACE global
#define PART_FENCE (CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE)
#endif

// Parts of a tile that are lists of variables (PARTS_PER_TILE > 0) find variable i of their own at y[place[i - base]], where
// part[i - base] is w.

#define PART_NONE 0xffffffffu // a w that no part has

#if PARTS_PER_TILE > 0

typedef struct { PART_SPACE const real *y; global const real *a; global const uint *part_of, *place; uint a_lo, base, w; } point;

static real at(point x, uint i)
{
    const uint v = i - x.base;
    return x.part_of[v] == x.w ? x.y[x.place[v]] : x.a[i - x.a_lo];
}

#elif PART_COLOURS > 1

typedef struct { PART_SPACE const real *y; uint lo, hi; global const real *a; uint a_lo; } point;

static real at(point x, uint i) { return i >= x.lo && i < x.hi ? x.y[i - x.lo] : x.a[i - x.a_lo]; }

#else

typedef struct { PART_SPACE const real *y; uint lo; } point;

static real at(point x, uint i) { return x.y[i - x.lo]; }

#endif

// at_quad: v[u] = at(x, 4q + u), u < 4, all of them read by components.
static void at_quad(point x, uint q, real *v)
{
    for (uint u = 0; u < 4; u++) v[u] = at(x, 4 * q + u);
}
