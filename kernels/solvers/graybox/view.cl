// graybox/view.cl: the view of a candidate of one part, which a work-group keeps in local memory (PART_LOCAL) or, if
// it is too long, in global memory.
//
// A part is the unit of acceptance: its candidates are accepted or rejected as a whole. Variable i of the part,
// lo <= i < hi, is y[i - lo]. Where components read variables of other parts as well (PART_COLOURS 2), those come
// from the assembled point: a[i - a_lo].

#if PART_LOCAL
#define PART_SPACE local
#define PART_FENCE CLK_LOCAL_MEM_FENCE
#else
#define PART_SPACE global
#define PART_FENCE (CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE)
#endif

// Parts may also be lists of variables of a tile (PARTS_PER_TILE > 0). The variables i of part w are then those with
// part_of[i - base] = w, and variable i is y[place[i - base]].

#define PART_NONE 0xffffffffu // the number of no part

#if PARTS_PER_TILE > 0

typedef struct {
    PART_SPACE const real *y;
    global const real *a;
    global const uint *part_of, *place;
    uint a_lo, base, w;
} point;

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

// at_quad sets v[u] = at(x, 4q + u), u < 4. Components must read all four.
static void at_quad(point x, uint q, real *v)
{
    for (uint u = 0; u < 4; u++) v[u] = at(x, 4 * q + u);
}
