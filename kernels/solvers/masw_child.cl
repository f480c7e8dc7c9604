// masw_child.cl: the view of a child that is stored nowhere. Go file: solvers/masw.go.
//
//   child_j = BGA(BLX(x_j, x_m)),   m = mate[portion][j]
//
// BLX-alpha per variable (Eshelman and Schaffer 1993): with lo, hi the smaller and larger parent gene and
// I = alpha (hi - lo), uniform in [max(box lo, lo - I), min(box hi, hi + I)].
// BGA (Mühlenbein and Schlierkamp-Voosen 1993, doi:10.1162/evco.1993.1.1.25) per portion and child: with probability
// MASW_MUTATE/2^32 one variable of the portion moves by +-0.1 (box hi - box lo) Σ_k b_k 2^-k, k = 0..15,
// b_k = 1 with probability 1/16; clamped to the box.
//
// Layout: x_j,i at view_x[j*view_stride + i - view_lo]; the mate of j in portion q at view_mate[(q - view_q0)*POP + j].
// Defines: POP (individuals), PORTIONS, MASW_ALPHA, MASW_MUTATE.
//
// Portion q is the tiles from floor(q TILES / PORTIONS) on.

static uint masw_tile_of(uint i) { return min(i / TILE_VARS, TILES - 1u); }
static uint masw_portion(uint t) { return (uint)((((ulong)t + 1) * PORTIONS - 1) / TILES); }
static uint masw_first_tile(uint q) { return (uint)((ulong)q * TILES / PORTIONS); }
static uint masw_first_var(uint q) { return q >= PORTIONS ? DIM : min(masw_first_tile(q) * TILE_VARS, DIM); }

// What a child inherits in one portion.
typedef struct {
    uint lo, hi;    // variables of the portion
    uint mate;      // second parent
    uint var;       // mutated variable, DIM if none
    real move;      // what mutation adds to it
} masw_part;

static masw_part masw_inherit(uint q, global const ushort *mate, uint q0, uint j, uint when, uint2 key)
{
    masw_part h;
    h.lo = masw_first_var(q);
    h.hi = masw_first_var(q + 1);
    h.mate = mate[(ulong)(q - q0) * POP + j];
    h.var = DIM;
    h.move = 0;
    const uint4 w = draw_words(q, j, when, DRAW_MUTATE, key);
    if (w.x < MASW_MUTATE && h.hi > h.lo) {
        h.var = h.lo + draw_int(w.y, h.hi - h.lo);
        real s = 0, half_k = 1;
        for (uint k = 0; k < 16; k++) {
            const uint bits = (k < 8 ? w.z >> (4 * k) : w.w >> (4 * (k - 8))) & 15u;
            if (bits == 0) s += half_k;
            half_k *= R(0.5);
        }
        s *= R(0.1) * (BOX_HI - BOX_LO);
        h.move = (w.x & 1u) ? -s : s;
    }
    return h;
}

// Gene i of child j from the genes a and b of its parents.
static real masw_gene(real a, real b, uint i, uint j, uint when, uint2 key, masw_part h)
{
    const real lo = fmin(a, b), hi = fmax(a, b), w = MASW_ALPHA * (hi - lo);
    const real from = fmax(BOX_LO, lo - w), to = fmin(BOX_HI, hi + w);
    real v = fmin(fma(draw_uniform(draw_word(i, j, when, DRAW_CROSS, key)), to - from, from), to);
    if (i == h.var) v = fmin(fmax(v + h.move, BOX_LO), BOX_HI);
    return v;
}

typedef struct {
    global const real *x;
    global const ushort *mate;
    ulong stride;
    uint lo, q0, j, when;
    uint2 key;
    masw_part home;     // of the portion that holds the tile at hand
} point;

#define VIEW_PARAMS global const real *view_x, const ulong view_stride, const uint view_lo, \
    global const ushort *view_mate, const uint view_q0, const uint view_seed, const uint view_run, const uint view_when
#define VIEW_POINT(p, i) ((point){ view_x, view_mate, view_stride, view_lo, view_q0, p, view_when, (uint2)(view_seed, view_run), \
    masw_inherit(masw_portion(masw_tile_of(i)), view_mate, view_q0, p, view_when, (uint2)(view_seed, view_run)) })

#if !CLOSED
// What the child inherits where a component reads beyond its tile's portion.
static __attribute__((noinline)) masw_part masw_elsewhere(point x, uint i)
{
    return masw_inherit(masw_portion(masw_tile_of(i)), x.mate, x.q0, x.j, x.when, x.key);
}
#endif

static real at(point x, uint i)
{
    masw_part h = x.home;
#if !CLOSED
    if (i < h.lo || i >= h.hi) h = masw_elsewhere(x, i);
#endif
    return masw_gene(x.x[x.stride * x.j + (i - x.lo)], x.x[x.stride * h.mate + (i - x.lo)], i, x.j, x.when, x.key, h);
}
