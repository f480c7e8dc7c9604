// view_coordinate.cl: the view of a stored point with one variable replaced, for methods that keep many whole
// points on a device. Variable i of the point is x[i*stride], but x_j is w. For points that are stored side by side,
// point p is x + p and stride is their number.
typedef struct { global const real *x; ulong stride; uint j; real w; } point;

static real at(point x, uint i) { return i == x.j ? x.w : x.x[x.stride * i]; }

// The point as it is stored.
static point point_stored(global const real *x, ulong stride) { return (point){ x, stride, ~0u, R(0.0) }; }

// The point with x_j replaced by w.
static point point_with(point x, uint j, real w) { return (point){ x.x, x.stride, j, w }; }
