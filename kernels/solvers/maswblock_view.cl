// maswblock_view.cl: the view of a candidate of one block, which a work-group
// keeps in local memory (BLOCK_LOCAL) or, where it is too long, in global
// memory. Go file: solvers/maswblock.go.
//
// Variable i is y[i - lo]; lo is the first variable that the block's components read.

#if BLOCK_LOCAL
#define BLOCK_SPACE local
#define BLOCK_FENCE CLK_LOCAL_MEM_FENCE
#else
#define BLOCK_SPACE global
#define BLOCK_FENCE (CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE)
#endif

typedef struct { BLOCK_SPACE const real *y; uint lo; } point;

static real at(point x, uint i) { return x.y[i - x.lo]; }
