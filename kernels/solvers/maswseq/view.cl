// maswseq/view.cl: the view of a candidate, which a work-group keeps in local memory (Y_LOCAL 1) or, if it is too long,
// in global memory.

#if Y_LOCAL
#define Y_SPACE local
#define Y_FENCE CLK_LOCAL_MEM_FENCE
#else
#define Y_SPACE global
#define Y_FENCE (CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE)
#endif

typedef struct { Y_SPACE const real *y; } point;

static real at(point x, uint i) { return x.y[i]; }

// at_quad sets v[u] = at(x, 4q + u), u < 4. Components must read all four.
static void at_quad(point x, uint q, real *v)
{
    for (uint u = 0; u < 4; u++) v[u] = at(x, 4 * q + u);
}
