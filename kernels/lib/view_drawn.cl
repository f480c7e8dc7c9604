// view_drawn.cl: a point that is stored nowhere, drawn uniformly in the box:
// point p is individual view_who + p of generation view_when.

typedef struct { uint2 key; uint who, when, purpose; } point;

#define VIEW_PARAMS const uint view_seed, const uint view_run, const uint view_who, const uint view_when, const uint view_purpose
#define VIEW_POINT(p, i) ((point){ (uint2)(view_seed, view_run), view_who + (p), view_when, view_purpose })

static real at(point x, uint i) { return draw_in_box(i, x.who, x.when, x.purpose, x.key); }

// at_block: v[u] = at(x, 4q + u), u < 4
static void at_block(point x, uint q, real *v)
{
    const uint4 w = draw_words(q, x.who, x.when, x.purpose, x.key);
    for (uint u = 0; u < 4; u++) v[u] = fma(draw_uniform(draw_pick(w, u)), BOX_HI - BOX_LO, BOX_LO);
}
