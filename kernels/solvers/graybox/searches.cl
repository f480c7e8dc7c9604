// graybox/searches.cl: the local searches of a part. Comes after graybox/part.cl, before lbfgs.cl, cma.cl
// and axes.cl.
//
// A search asks for the value of one candidate y at a time, and is told the value. It moves the point of the
// restart, `at`, whose value is best; at the begin of a chain and between asking and telling it finds both as it left
// them. Its numbers are in the struct chain, which all items of a part have, and from number own on in the reals that
// a run keeps for the part. SEARCH_begin starts a chain, SEARCH_ask writes y, and SEARCH_tell moves `at` and returns
// whether the chain is over. All items call them. y is complete for all items after ask; tell may end without a
// barrier.
//
//   mts          MTS-LS1, one variable after the other (Tseng and Chen 2008, doi:10.1109/CEC.2008.4631210)
//   solis_wets   steps of all variables, with a bias (Solis and Wets 1981, doi:10.1287/moor.6.1.19)
//   jumps        a new value of one variable, or two variables that change places
//   lbfgs        a quasi-Newton method on differences (lbfgs.cl)
//   cma          a distribution of steps that adapts (cma.cl)
//   axes         mts along the principal axes of the second derivatives (axes.cl)
//
// Defines: MTS_WIDEST, MTS_LEAST (steps as parts of the box), SEARCHES (the set of searches), CHAIN_REALS.

#define SEARCH_MTS 0u
#define SEARCH_SOLIS_WETS 1u
#define SEARCH_JUMPS 2u
#define SEARCH_LBFGS 3u
#define SEARCH_CMA 4u
#define SEARCH_AXES 5u
#define HAS(search) (SEARCHES >> (search) & 1)

typedef struct {
    real r[CHAIN_REALS];
    uint w[4];
} chain;

#define MOVED 1u
#define OVER 2u

#define OWN_REAL(row) PART_REAL(q, m->layout.own + (row))
#define BOX_WIDTH (BOX_HI - BOX_LO)

static real in_box(real v) { return fmin(fmax(v, BOX_LO), BOX_HI); }

// --- mts: y is `at` except for y_v = at_v - s or, if that is no better, at_v + s/2; then the next v.
// After a sweep over all variables without improvement s is halved; after three in a row with one it is doubled, which
// is not in the paper. The chain is over when s is less than MTS_LEAST of the box.
// r: s. w: the variable, whether the sweep has improved the point, whether the second try is due, sweeps that did.

// u is uniform: chains have different steps, so that one finds what another has stepped over.
static void mts_begin(chain *c, real u)
{
    c->r[0] = (R(0.5) + u) * MTS_WIDEST * BOX_WIDTH;
    for (int k = 0; k < 4; k++) c->w[k] = 0;
}

static void mts_ask(const part *q, const chain *c, SPACE real *y, SPACE const real *at)
{
    for (uint v = PART_LANE; v < q->n; v += LANES)
        y[v] = v == c->w[0] ? in_box(c->w[2] ? at[v] + c->r[0] / 2 : at[v] - c->r[0]) : at[v];
}

static uint mts_tell(const part *q, chain *c, SPACE const real *y, SPACE real *at, bool better)
{
    if (better) {
        for (uint v = PART_LANE; v < q->n; v += LANES) at[v] = y[v];
        c->w[1] = 1;
    }
    c->w[2] = !better && !c->w[2];
    if (c->w[2] || ++c->w[0] < q->n) return better ? MOVED : 0;
    c->w[0] = 0;
    c->w[3] = c->w[1] ? c->w[3] + 1 : 0;
    if (!c->w[1]) c->r[0] /= 2;
    else if (c->w[3] % 3 == 0) c->r[0] = fmin(2 * c->r[0], MTS_WIDEST * BOX_WIDTH);
    c->w[1] = 0;
    return (better ? MOVED : 0) | (c->r[0] < MTS_LEAST * BOX_WIDTH ? OVER : 0);
}

// Whether a chain in a part of one variable is in a valley that does not reach the best value: it lacks more than four
// times what the value rises by on the second try of a sweep, which failed as the first did.
static bool mts_lost(const part *q, const chain *c, bool better, real rise, real lacks)
{
    return q->n == 1 && c->w[2] && !better && rise > 0 && lacks > 4 * rise;
}

// --- solis_wets: y = at ± (b + d), d = rho N(0,1) for each variable; the second try has the opposite sign.
// r: rho, b's factor (0: no bias). w: successes, failures, whether the second try is due, counter of the draws of d.
// Own reals: b.

static void solis_wets_begin(chain *c, real rho)
{
    c->r[0] = rho;
    c->r[1] = 0;
    for (int k = 0; k < 4; k++) c->w[k] = 0;
}

// The deviation of variable v, and its bias.
static real solis_wets_step(const memory *m, const part *q, const chain *c, uint v)
{
    const uint i = part_var(q, v);
    return c->r[0] * (real)draw_normal(draw_words(i >> 2, 0, c->w[3], DRAW_STEP, m->key), i);
}

static void solis_wets_ask(const memory *m, const part *q, chain *c, SPACE real *y, SPACE const real *at, uint when)
{
    if (!c->w[2]) c->w[3] = when;
    for (uint v = PART_LANE; v < q->n; v += LANES) {
        const real step = solis_wets_step(m, q, c, v) + (c->r[1] == 0 ? (real)0 : c->r[1] * OWN_REAL(v));
        y[v] = in_box(c->w[2] ? at[v] - step : at[v] + step);
    }
}

static uint solis_wets_tell(const memory *m, const part *q, chain *c, SPACE const real *y, SPACE real *at, bool better)
{
    if (better) {
        for (uint v = PART_LANE; v < q->n; v += LANES) {
            const real b = c->r[1] == 0 ? (real)0 : c->r[1] * OWN_REAL(v), step = solis_wets_step(m, q, c, v) + b;
            OWN_REAL(v) = c->w[2] ? b - R(0.4) * step : R(0.2) * b + R(0.4) * step;
            at[v] = y[v];
        }
        c->r[1] = 1;
        c->w[0]++;
        c->w[1] = c->w[2] = 0;
    } else if (!c->w[2]) {
        c->w[2] = 1;
        return 0;
    } else {
        c->r[1] *= R(0.5);
        c->w[1]++;
        c->w[0] = c->w[2] = 0;
    }
    if (c->w[0] >= 5) {
        c->w[0] = 0;
        c->r[0] = fmin(2 * c->r[0], BOX_WIDTH);
    } else if (c->w[1] >= 3) {
        c->w[1] = 0;
        c->r[0] *= R(0.5);
    }
    return (better ? MOVED : 0) | (c->r[0] < MTS_LEAST * BOX_WIDTH ? OVER : 0);
}

#if HAS(SEARCH_JUMPS)

// --- jumps: y is `at` except for one variable, which is drawn anew, or for two variables that exchange their values. A
// point of the same value is taken, too, so that the search crosses plateaus. The chain is over when 4 n candidates in
// a row have found nothing better.
// w: candidates in a row that found nothing better.

static void jumps_begin(chain *c)
{
    for (int k = 0; k < 4; k++) c->w[k] = 0;
}

// One of four candidates is an exchange. Half of the new values are uniform in the box, and half near the old one: at
// most 1/2, 1/4, … or 1/256 of the box away from it.
static void jumps_ask(const memory *m, const part *q, SPACE real *y, SPACE const real *at, uint when)
{
    const uint4 w = draw_words(q->number, 1, when, DRAW_STEP, m->key);
    const uint i = draw_int(w.x, q->n), j = draw_int(w.y, q->n);
    const bool exchange = (w.z & 3u) == 0;
    const int near = max(0, (int)(w.z >> 2 & 15u) - 7);
    const real reach = ldexp(BOX_WIDTH, -near);
    const real low = fmax(at[i] - reach, BOX_LO), high = fmin(at[i] + reach, BOX_HI);
    const real fresh = exchange ? at[j] : in_box(fma(draw_uniform(w.w), high - low, low));
    for (uint v = PART_LANE; v < q->n; v += LANES) y[v] = v == i ? fresh : exchange && v == j ? at[i] : at[v];
}

static uint jumps_tell(const part *q, chain *c, SPACE const real *y, SPACE real *at, bool better, bool worse)
{
    if (!worse) for (uint v = PART_LANE; v < q->n; v += LANES)
        at[v] = y[v];
    c->w[0] = better ? 0 : c->w[0] + 1;
    return (worse ? 0 : MOVED) | (c->w[0] >= 4 * q->n ? OVER : 0);
}

#endif
