// masw/child.cl: the view of a child that is not stored.
//
//   child_j = BGA(BLX(x_j, x_m)),   m = mate[portion][j]
//
// BLX-alpha per variable (Eshelman and Schaffer 1993): with lo, hi the smaller and larger parent gene and
// I = alpha (hi - lo), uniform in [max(box lo, lo - I), min(box hi, hi + I)].
// BGA (Mühlenbein and Schlierkamp-Voosen 1993, doi:10.1162/evco.1993.1.1.25) per portion and child: with probability
// MASW_MUTATE/2^32 one variable of the portion moves by +-0.1 (box hi - box lo) Σ_k b_k 2^-k, k = 0..15,
// b_k = 1 with probability 1/16; the result is clamped to the box.
//
// Portion q begins with tile floor(q TILES / PORTIONS).
//
// Several runs can be made together. Individual j of run r, counted from the first of them, is point r*POP + j. It
// draws with the number j and the key of its run, and its mates are individuals of its run.
//
// Layout: variable i of point p is view_x[p*view.stride + i - view.lo]; see also masw_parents. The struct masw_children
// is in solvers/masw/programs.go.
// Defines: POP (individuals of a run), PORTIONS, MASW_ALPHA.

static uint masw_tile_of(uint i) { return min(i / TILE_VARS, TILES - 1u); }
static uint masw_portion(uint t) { return (uint)((((ulong)t + 1) * PORTIONS - 1) / TILES); }
static uint masw_super(uint t) { return (uint)((((ulong)t + 1) * SUPERS - 1) / TILES); }
static uint masw_first_tile(uint q) { return (uint)((ulong)q * TILES / PORTIONS); }
static uint masw_first_var(uint q) { return q >= PORTIONS ? DIM : min(masw_first_tile(q) * TILE_VARS, DIM); }

// Tables of the second parents, of the mutated variables (DIM if none mutates), and of the numbers that mutation adds
// to them. In portion q, individual j of run r has index (q - q0)*individuals + r*POP + j, where individuals is the
// number of those of all runs. A mate is numbered within its run. masw_mate makes the tables.
typedef struct {
    global const ushort *mate;
    global const uint *mutated_var;
    global const real *mutation_delta;
    uint q0, individuals;
} masw_parents;

#define MASW_PARENTS global const ushort *mate, global const uint *mutated_var, global const real *mutation_delta, \
    const uint q0, const uint individuals
#define MASW_PARENTS_OF ((masw_parents){ mate, mutated_var, mutation_delta, q0, individuals })

// The parents of one child in one portion.
typedef struct {
    uint lo, hi;    // variables of the portion
    uint mate, mutated_var;
    real mutation_delta;
} masw_inherited;

static masw_inherited masw_inherit(uint q, uint j, masw_parents of)
{
    const ulong e = (ulong)(q - of.q0) * of.individuals + j;
    return (masw_inherited){ masw_first_var(q), masw_first_var(q + 1), of.mate[e], of.mutated_var[e],
                             of.mutation_delta[e] };
}

// A gene of a child from the genes a and b of its parents and the uniform number u.
static real masw_cross(real a, real b, real u)
{
    const bool up = a < b;
    const real lo = up ? a : b, hi = up ? b : a, w = MASW_ALPHA * (hi - lo);
    const real from = bound_below(lo - w, BOX_LO), to = bound_above(hi + w, BOX_HI);
    return bound_above(fma(u, to - from, from), to);
}

// The same gene after mutation.
static real masw_mutated(real v, real mutation_delta)
{
    return bound_above(bound_below(v + mutation_delta, BOX_LO), BOX_HI);
}

typedef struct {
    global const real *x;    // of individual 0 of the run
    masw_parents parents;
    ulong stride;
    uint lo, j, when;
    uint2 key;
    masw_inherited home;     // for the portion of the tile under evaluation
} point;

#define VIEW_PARAMS global const real *view_x, global const ushort *mate, global const uint *mutated_var, \
    global const real *mutation_delta, const masw_children view
#define VIEW_POINT(p, i) masw_child((point){ view_x, { mate, mutated_var, mutation_delta, view.q0, view.individuals }, \
    view.stride, view.lo, 0, view.when, (uint2)(view.seed, view.run) }, p, i)

// x is a child of the first run; the result is the same child of another run.
static point masw_in_run(point x, uint run)
{
    x.x += x.stride * run * POP;
    x.parents.mate += run * POP;
    x.parents.mutated_var += run * POP;
    x.parents.mutation_delta += run * POP;
    x.key.y += run;
    return x;
}

// The child at point p, for the portion of variable i. x is any child of the first run.
static point masw_child(point x, uint p, uint i)
{
    x = masw_in_run(x, p / POP);
    x.j = p % POP;
    x.home = masw_inherit(masw_portion(masw_tile_of(i)), x.j, x.parents);
    return x;
}

#if !CLOSED
// The same for a variable that a component reads outside the portion of its tile.
static masw_inherited masw_elsewhere(point x, uint i)
{
    return masw_inherit(masw_portion(masw_tile_of(i)), x.j, x.parents);
}
#endif

static real at(point x, uint i)
{
    masw_inherited h = x.home;
#if !CLOSED
    if (i < h.lo || i >= h.hi) h = masw_elsewhere(x, i);
#endif
    const real u = draw_uniform(draw_word(i, x.j, x.when, DRAW_CROSS, x.key));
    const real v = masw_cross(x.x[x.stride * x.j + (i - x.lo)], x.x[x.stride * h.mate + (i - x.lo)], u);
    return i == h.mutated_var ? masw_mutated(v, h.mutation_delta) : v;
}

// at_quad sets v[u] = at(x, 4q + u), u < 4. All four must be stored.
static void at_quad(point x, uint q, real *v)
{
#if !CLOSED
    if (4 * q < x.home.lo || 4 * q + 4 > x.home.hi) {
        for (uint u = 0; u < 4; u++) v[u] = at(x, 4 * q + u);
        return;
    }
#endif
    global const real *from = x.x + (4 * q - x.lo);
    real a[4], b[4];
    four_get(from + x.stride * x.j, a);
    four_get(from + x.stride * x.home.mate, b);
    const uint4 w = draw_words(q, x.j, x.when, DRAW_CROSS, x.key);
#pragma unroll
    for (uint u = 0; u < 4; u++) {
        const real c = masw_cross(a[u], b[u], draw_uniform(draw_pick(w, u)));
        v[u] = 4 * q + u == x.home.mutated_var ? masw_mutated(c, x.home.mutation_delta) : c;
    }
}

#if WIDE && CLOSED
// at_eights sets v[k] to variables i + 8k to i + 8k + 7, k < 4. All must be stored; i is a multiple of four.
#define VIEW_EIGHTS
static void at_eights(point x, uint i, real8 *v)
{
    uint8 w[4];
    draw_words_eight(i >> 2, x.j, x.when, DRAW_CROSS, x.key, w);
    draw_in_order(w);
    const masw_inherited h = x.home;
    global const real *mother = x.x + (x.stride * x.j + (i - x.lo)), *father = x.x + (x.stride * h.mate + (i - x.lo));
    for (uint k = 0; k < 4; k++) {
        const real8 a = vload8(k, mother), b = vload8(k, father);
        const real8 lo = a < b ? a : b, hi = a < b ? b : a, r = MASW_ALPHA * (hi - lo), down = lo - r, up = hi + r;
        const real8 from = down > BOX_LO ? down : (real8)(BOX_LO), to = up < BOX_HI ? up : (real8)(BOX_HI);
        const real8 c = fma(draw_uniform_eight(w[k]), to - from, from), g = c < to ? c : to, m = g + h.mutation_delta;
        const real8 n = m > BOX_LO ? m : (real8)(BOX_LO), moved = n < BOX_HI ? n : (real8)(BOX_HI);
        v[k] = REAL8_MASK(EIGHT_FROM(i + 8 * k) == h.mutated_var) ? moved : g;
    }
}
#endif
