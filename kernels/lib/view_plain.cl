// view_plain.cl: the view of a stored point. Column p of view_x holds the variables of a shard, of which view_lo is
// the first: x_i of point p is view_x[p*view_stride + i - view_lo].

typedef struct { global const real *x; uint lo; } point;

#define VIEW_PARAMS global const real *view_x, const ulong view_stride, const uint view_lo
#define VIEW_POINT(p, i) ((point){ view_x + view_stride * (p), view_lo })

static real at(point x, uint i) { return x.x[i - x.lo]; }

// at_quad sets v[u] = at(x, 4q + u), u < 4. All four must be stored.
static void at_quad(point x, uint q, real *v) { four_get(x.x + (4 * q - x.lo), v); }

#if WIDE
// at_eights sets v[k] to variables i + 8k to i + 8k + 7, k < 4. All must be stored; i is a multiple of four.
#define VIEW_EIGHTS
static void at_eights(point x, uint i, real8 *v)
{
    for (uint k = 0; k < 4; k++) v[k] = vload8(k, x.x + (i - x.lo));
}
#endif
