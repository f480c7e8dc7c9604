// view_coordinate.cl: a stored point of which one variable is replaced, for
// methods that keep many whole points on a device. Variable i of the point lies
// at x[i*stride]; x_j is w. (Column p of points that lie side by side: x + p,
// stride their number.)
typedef struct { global const real *x; ulong stride; uint j; real w; } point;

static real at(point x, uint i) { return i == x.j ? x.w : x.x[x.stride * i]; }

// the point as it is stored
static point point_stored(global const real *x, ulong stride) { return (point){ x, stride, DIM, R(0.0) }; }

// the point with x_j := w
static point point_with(point x, uint j, real w) { return (point){ x.x, x.stride, j, w }; }
