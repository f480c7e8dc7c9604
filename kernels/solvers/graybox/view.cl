// graybox/view.cl: the view of a candidate of one block, which a work-group
// keeps in local memory (BLOCK_LOCAL) or, where it is too long, in global
// memory.
//
// Variable i of the block, lo <= i < hi, is y[i - lo]. Where components read variables of other blocks as well
// (BLOCK_COLOURS 2), those are taken from the point put together so far: a[i - a_lo].

#if BLOCK_LOCAL
#define BLOCK_SPACE local
#define BLOCK_FENCE CLK_LOCAL_MEM_FENCE
#else
#define BLOCK_SPACE global
#define BLOCK_FENCE (CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE)
#endif

// Parts of a tile that are lists of variables (BLOCK_PARTS > 0) find variable i of their own at y[place[i - base]], where
// part[i - base] is w.

#define BLOCK_NONE 0xffffffffu // a w that no part has

#if BLOCK_PARTS > 0

typedef struct { BLOCK_SPACE const real *y; global const real *a; global const uint *part, *place; uint a_lo, base, w; } point;

static real at(point x, uint i)
{
    const uint v = i - x.base;
    return x.part[v] == x.w ? x.y[x.place[v]] : x.a[i - x.a_lo];
}

#elif BLOCK_COLOURS > 1

typedef struct { BLOCK_SPACE const real *y; uint lo, hi; global const real *a; uint a_lo; } point;

static real at(point x, uint i) { return i >= x.lo && i < x.hi ? x.y[i - x.lo] : x.a[i - x.a_lo]; }

#else

typedef struct { BLOCK_SPACE const real *y; uint lo; } point;

static real at(point x, uint i) { return x.y[i - x.lo]; }

#endif

// at_block: v[u] = at(x, 4q + u), u < 4, all of them read by components.
static void at_block(point x, uint q, real *v)
{
    for (uint u = 0; u < 4; u++) v[u] = at(x, 4 * q + u);
}
