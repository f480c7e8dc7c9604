// masw/move.cl: the view of a Solis-Wets neighbour that is not stored.
//
//   y = clamp(x + sign (b + d)),   d = rho N(0,1) per variable
//
// Solis and Wets (1981, doi:10.1287/moor.6.1.19). The opposite step draws the same d again, with the counter of the
// forward step. b is view_b times scale, a power of two: the host halves scale instead of rewriting view_b. With scale
// 0, b is 0 and view_b is not read.
//
// Layout: x and b of point p, which is individual p % POP of run p / POP, begin at p*view_stride, with variable i at
// i - view_lo. view_when[p] is the counter that draws d. view_move[3p], [3p+1], [3p+2] are rho, scale and sign; if all
// are 0, y is the stored point itself.

typedef struct {
    global const real *x, *b;
    uint lo, j, when;
    uint2 key;
    real rho, scale, sign;
} point;

#define VIEW_PARAMS global const real *view_x, global const real *view_b, const ulong view_stride, const uint view_lo, \
    const uint view_seed, const uint view_run, global const uint *view_when, global const real *view_move
#define VIEW_POINT(p, i) ((point){ view_x + view_stride * (p), view_b + view_stride * (p), view_lo, (p) % POP, \
    view_when[p], (uint2)(view_seed, view_run + (p) / POP), view_move[3 * (p)], view_move[3 * (p) + 1], \
    view_move[3 * (p) + 2] })

static real masw_deviation(uint i, uint j, uint when, uint2 key, real rho)
{
    return rho * (real)draw_normal(draw_words(i >> 2, j, when, DRAW_STEP, key), i);
}

static real masw_bias(global const real *b, ulong v, real scale) { return scale == 0 ? (real)0 : scale * b[v]; }

static real masw_moved(real x, real b, real d, real sign)
{
    return bound_above(bound_below(x + sign * (b + d), BOX_LO), BOX_HI);
}

static real at(point x, uint i)
{
    const uint v = i - x.lo;
    return masw_moved(x.x[v], masw_bias(x.b, v, x.scale), masw_deviation(i, x.j, x.when, x.key, x.rho), x.sign);
}

// at_quad sets v[u] = at(x, 4q + u), u < 4. All four must be stored.
static void at_quad(point x, uint q, real *v)
{
    const uint first = 4 * q - x.lo;
    real a[4], b[4] = { 0, 0, 0, 0 };
    four_get(x.x + first, a);
    if (x.scale != 0) four_get(x.b + first, b);
    float d[4];
    draw_normals(draw_words(q, x.j, x.when, DRAW_STEP, x.key), d);
#pragma unroll
    for (uint u = 0; u < 4; u++)
        v[u] = masw_moved(a[u], x.scale == 0 ? R(0.0) : x.scale * b[u], x.rho * (real)d[u], x.sign);
}

#if WIDE
// Sets d to the deviations of variables i to i + 31; i is a multiple of four.
static void masw_deviations(uint i, uint j, uint when, uint2 key, real rho, real8 *d)
{
    uint8 w[4];
    float8 v[4];
    draw_words_eight(i >> 2, j, when, DRAW_STEP, key, w);
    draw_normals_eight(w, v);
    for (uint k = 0; k < 4; k++) d[k] = rho * REAL8(v[k]);
}

static real8 masw_bias_eight(global const real *b, real scale)
{
    if (scale == 0) return (real8)(R(0.0));
    return scale * vload8(0, b);
}

static real8 masw_moved_eight(real8 x, real8 b, real8 d, real sign)
{
    const real8 v = x + sign * (b + d), w = v > BOX_LO ? v : (real8)(BOX_LO);
    return w < BOX_HI ? w : (real8)(BOX_HI);
}

// at_eights sets v[k] to variables i + 8k to i + 8k + 7, k < 4. All must be stored; i is a multiple of four.
#define VIEW_EIGHTS
static void at_eights(point x, uint i, real8 *v)
{
    real8 d[4];
    masw_deviations(i, x.j, x.when, x.key, x.rho, d);
    const uint first = i - x.lo;
    for (uint k = 0; k < 4; k++)
        v[k] = masw_moved_eight(vload8(k, x.x + first), masw_bias_eight(x.b + first + 8 * k, x.scale), d[k], x.sign);
}
#endif
