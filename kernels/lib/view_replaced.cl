// view_replaced.cl: the view of a stored point in which variable j may have another value. x_i is x[i - lo], and x_j
// is w. VIEW_POINT is the point as it is stored. Methods use it that split one large point over devices.
typedef struct { global const real *x; uint lo, j; real w; } point;

#define VIEW_PARAMS global const real *view_x, const uint view_lo
#define VIEW_POINT(p, i) ((point){ view_x, view_lo, ~0u, R(0.0) })

static real at(point x, uint i) { return i == x.j ? x.w : x.x[i - x.lo]; }
