// view_drawn.cl: the view of a point that is not stored but drawn uniformly in the box.
// Point p is individual view_who + p of generation view_when.

typedef struct { uint2 key; uint who, when, purpose; } point;

#define VIEW_PARAMS const uint view_seed, const uint view_run, const uint view_who, const uint view_when, \
    const uint view_purpose
#define VIEW_POINT(p, i) ((point){ (uint2)(view_seed, view_run), view_who + (p), view_when, view_purpose })

static real at(point x, uint i) { return draw_in_box(i, x.who, x.when, x.purpose, x.key); }

// at_quad sets v[u] = at(x, 4q + u), u < 4.
static void at_quad(point x, uint q, real *v)
{
    const uint4 w = draw_words(q, x.who, x.when, x.purpose, x.key);
    for (uint u = 0; u < 4; u++) v[u] = fma(draw_uniform(draw_pick(w, u)), BOX_HI - BOX_LO, BOX_LO);
}

#if WIDE
// at_eights sets v[k] to variables i + 8k to i + 8k + 7, k < 4; i is a multiple of four.
#define VIEW_EIGHTS
static void at_eights(point x, uint i, real8 *v)
{
    uint8 w[4];
    draw_words_eight(i >> 2, x.who, x.when, x.purpose, x.key, w);
    draw_in_order(w);
    for (uint k = 0; k < 4; k++) v[k] = fma(draw_uniform_eight(w[k]), (real8)(BOX_HI - BOX_LO), (real8)(BOX_LO));
}
#endif
