// multistart/searches.cl: the local searches of a part. Comes after multistart/part.cl.
//
// A search asks for the value of one candidate y at a time, and is told the value. It moves the point of the
// episode, `at`, whose value is best; at the begin of a chain and between asking and telling it finds both as it left
// them. Its numbers are in the struct chain, which all items of a part have, and from number OWN on in the reals that
// a run keeps for the part. SEARCH_begin starts a chain, SEARCH_ask writes y, and SEARCH_tell moves `at` and returns
// whether the chain is over. All items call them. y is complete for all items after ask; tell may end without a
// barrier.
//
//   mts          MTS-LS1, one variable after the other (Tseng and Chen 2008, doi:10.1109/CEC.2008.4631210)
//   solis_wets   steps of all variables, with a bias (Solis and Wets 1981, doi:10.1287/moor.6.1.19)
//   lbfgs        L-BFGS on differences, projected on the box (Liu and Nocedal 1989, doi:10.1007/BF01589116)
//
// Defines: MTS_WIDEST, MTS_LEAST (steps as parts of the box), PAIRS (of lbfgs), DIFFERENCE (its relative step), OWN.

typedef struct {
    real r[3];
    uint w[4];
} chain;

#define MOVED 1u
#define OVER 2u

#define OWN_REAL(row) PART_REAL(q, OWN + (row))
#define BOX_WIDTH (BOX_HI - BOX_LO)

static real in_box(real v) { return fmin(fmax(v, BOX_LO), BOX_HI); }

// --- mts: y is `at` except for y_v = at_v - s or, if that is no better, at_v + s/2; then the next v.
// After a sweep over all variables without improvement s is halved. The chain is over when s is less than MTS_LEAST.
// r: s. w: the variable, whether the sweep has improved the point, whether the second try is due.

static void mts_begin(chain *c)
{
    c->r[0] = MTS_WIDEST * BOX_WIDTH;
    c->w[0] = c->w[1] = c->w[2] = 0;
}

static void mts_ask(const part *q, const chain *c, SPACE real *y, SPACE const real *at)
{
    PART_EACH(q, v) y[v] = v == c->w[0] ? in_box(c->w[2] ? at[v] + c->r[0] / 2 : at[v] - c->r[0]) : at[v];
}

static uint mts_tell(const part *q, chain *c, SPACE const real *y, SPACE real *at, bool better)
{
    if (better) {
        PART_EACH(q, v) at[v] = y[v];
        c->w[1] = 1;
    }
    c->w[2] = !better && !c->w[2];
    if (c->w[2] || ++c->w[0] < q->n) return better ? MOVED : 0;
    c->w[0] = 0;
    if (!c->w[1]) c->r[0] /= 2;
    c->w[1] = 0;
    return (better ? MOVED : 0) | (c->r[0] < MTS_LEAST * BOX_WIDTH ? OVER : 0);
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
static real solis_wets_step(const part *q, const chain *c, uint v, uint2 key)
{
    const uint i = part_var(q, v);
    return c->r[0] * (real)draw_normal(draw_words(i >> 2, 0, c->w[3], DRAW_STEP, key), i);
}

static void solis_wets_ask(const part *q, chain *c, SPACE real *y, SPACE const real *at, global const real *reals,
                           uint columns, uint when, uint2 key)
{
    if (!c->w[2]) c->w[3] = when;
    PART_EACH(q, v) {
        const real step = solis_wets_step(q, c, v, key) + (c->r[1] == 0 ? (real)0 : c->r[1] * OWN_REAL(v));
        y[v] = in_box(c->w[2] ? at[v] - step : at[v] + step);
    }
}

static uint solis_wets_tell(const part *q, chain *c, SPACE const real *y, SPACE real *at, global real *reals,
                            uint columns, bool better, uint2 key)
{
    if (better) {
        PART_EACH(q, v) {
            const real b = c->r[1] == 0 ? (real)0 : c->r[1] * OWN_REAL(v), step = solis_wets_step(q, c, v, key) + b;
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

#if REAL_BITS == 64

// --- lbfgs: central differences give the gradient g, one-sided ones at a bound; then y = at + t d for d = -H g,
// t = 1, 1/2, 1/4, … until the value falls as Armijo asks. H follows from the last PAIRS changes of at and g.
// r: the value at at + h for a difference, relative to that of `at`, or t; d'g; length of the last difference.
// w: phase, where v < n is the difference of variable v upwards, n + v downwards (they alternate), 2n + k try k of a
//   line; number of pairs so far; whether d is the steepest descent; whether the point has moved.
// Own reals: g, d, at before the last step, g there, then PAIRS changes of at and PAIRS of g, then their products.

#define LBFGS_TRIES 20u
#define LBFGS_G 0
#define LBFGS_D SPAN
#define LBFGS_OLD (2 * SPAN)
#define LBFGS_OLD_G (3 * SPAN)
#define LBFGS_S(k) ((4 + (k)) * SPAN)
#define LBFGS_Y(k) ((4 + PAIRS + (k)) * SPAN)
#define LBFGS_RHO ((4 + 2 * PAIRS) * SPAN)

static void lbfgs_begin(chain *c)
{
    c->r[0] = c->r[2] = 0;
    c->w[0] = c->w[1] = c->w[2] = c->w[3] = 0;
}

// The distances to the points above and below variable v with which its difference is made; 0: none, at a bound.
static real lbfgs_up(real v)
{
    const real h = DIFFERENCE * fmax(fabs(v), R(1e-3) * BOX_WIDTH), up = v + h;
    return up <= BOX_HI ? up - v : R(0.0);
}

static real lbfgs_down(real v)
{
    const real h = DIFFERENCE * fmax(fabs(v), R(1e-3) * BOX_WIDTH), down = v - h;
    return down >= BOX_LO ? v - down : R(0.0);
}

static void lbfgs_ask(const part *q, const chain *c, SPACE real *y, SPACE const real *at, global const real *reals,
                      uint columns)
{
    const uint k = c->w[0];
    if (k >= 2 * q->n) {
        PART_EACH(q, v) y[v] = in_box(fma(c->r[0], OWN_REAL(LBFGS_D + v), at[v]));
        return;
    }
    PART_EACH(q, v) y[v] = v != k / 2 ? at[v] : k % 2 ? at[v] - lbfgs_down(at[v]) : at[v] + lbfgs_up(at[v]);
}

// Sets the direction d and its slope d'g. Returns false if there is no way down.
static bool lbfgs_direct(const part *q, chain *c, SPACE const real *at, global real *reals, uint columns,
                         local sum *tree)
{
    const uint last = c->w[1], kept = min(last, (uint)PAIRS);
    PART_EACH(q, v) OWN_REAL(LBFGS_D + v) = OWN_REAL(LBFGS_G + v);
    real factor[PAIRS];
    if (!c->w[2]) {
        for (uint k = 0; k < kept; k++) {
            const uint j = (last - 1 - k) % PAIRS;
            sum dot = sum_zero();
            PART_EACH(q, v) sum_add(&dot, OWN_REAL(LBFGS_S(j) + v) * OWN_REAL(LBFGS_D + v));
            factor[k] = sum_real(part_total(dot, tree)) / OWN_REAL(LBFGS_RHO + j);
            PART_EACH(q, v) OWN_REAL(LBFGS_D + v) -= factor[k] * OWN_REAL(LBFGS_Y(j) + v);
        }
        if (kept > 0) {
            const uint j = (last - 1) % PAIRS;
            sum dot = sum_zero();
            PART_EACH(q, v) sum_add(&dot, sq(OWN_REAL(LBFGS_Y(j) + v)));
            const real scale = OWN_REAL(LBFGS_RHO + j) / sum_real(part_total(dot, tree));
            PART_EACH(q, v) OWN_REAL(LBFGS_D + v) *= scale;
        }
        for (uint k = kept; k-- > 0;) {
            const uint j = (last - 1 - k) % PAIRS;
            sum dot = sum_zero();
            PART_EACH(q, v) sum_add(&dot, OWN_REAL(LBFGS_Y(j) + v) * OWN_REAL(LBFGS_D + v));
            const real by = factor[k] - sum_real(part_total(dot, tree)) / OWN_REAL(LBFGS_RHO + j);
            PART_EACH(q, v) OWN_REAL(LBFGS_D + v) += by * OWN_REAL(LBFGS_S(j) + v);
        }
    }
    // Variables at a bound do not move out of the box.
    sum slope = sum_zero();
    real longest = 0;
    PART_EACH(q, v) {
        real d = -OWN_REAL(LBFGS_D + v);
        if ((at[v] <= BOX_LO && d < 0) || (at[v] >= BOX_HI && d > 0)) d = 0;
        OWN_REAL(LBFGS_D + v) = d;
        sum_add(&slope, d * OWN_REAL(LBFGS_G + v));
        longest += sq(d);
    }
    c->r[1] = sum_real(part_total(slope, tree));
    sum length = sum_zero();
    sum_add(&length, longest);
    longest = sqrt(sum_real(part_total(length, tree)));
    // The first step is a tenth of the box at most, and later ones half of it.
    const real most = (c->w[2] || kept == 0 ? R(0.1) : R(0.5)) * BOX_WIDTH;
    c->r[0] = c->w[2] || kept == 0 ? most / longest : fmin(R(1.0), most / longest);
    return c->r[1] < 0 && isfinite(c->r[1]) && longest > 0 && isfinite(c->r[0]);
}

// Ends a gradient: adds a pair, and begins a line. Returns whether the chain is over.
static bool lbfgs_turn(const part *q, chain *c, SPACE const real *at, global real *reals, uint columns,
                       local sum *tree)
{
    if (c->w[3]) {
        const uint j = c->w[1] % PAIRS;
        sum sy = sum_zero(), yy = sum_zero(), ss = sum_zero();
        PART_EACH(q, v) {
            const real s = at[v] - OWN_REAL(LBFGS_OLD + v), y = OWN_REAL(LBFGS_G + v) - OWN_REAL(LBFGS_OLD_G + v);
            OWN_REAL(LBFGS_S(j) + v) = s;
            OWN_REAL(LBFGS_Y(j) + v) = y;
            sum_add(&sy, s * y);
            sum_add(&ss, s * s);
            sum_add(&yy, y * y);
        }
        const real product = sum_real(part_total(sy, tree));
        const real size = sqrt(sum_real(part_total(ss, tree)) * sum_real(part_total(yy, tree)));
        if (product > R(1e-10) * size && isfinite(size)) {
#if LANES > 1
            if (get_local_id(0) == 0)
#endif
                OWN_REAL(LBFGS_RHO + j) = product;
            c->w[1]++;
        }
        PART_BARRIER
    }
    c->w[2] = 0;
    bool down = lbfgs_direct(q, c, at, reals, columns, tree);
    if (!down && c->w[1] > 0) {
        c->w[1] = 0;
        down = lbfgs_direct(q, c, at, reals, columns, tree);
    }
    c->w[0] = 2 * q->n;
    return !down;
}

// gain is the value of y less that of `at`.
static uint lbfgs_tell(const part *q, chain *c, SPACE const real *y, SPACE real *at, global real *reals, uint columns,
                       local sum *tree, real gain)
{
    const uint k = c->w[0];
    if (k < 2 * q->n) {
        if (k % 2 == 0) {
            c->r[0] = gain;
        } else {
            PART_EACH(q, v) {
                if (v == k / 2) {
                    const real up = lbfgs_up(at[v]), down = lbfgs_down(at[v]);
                    const real rise = (up > 0 ? c->r[0] : R(0.0)) - (down > 0 ? gain : R(0.0));
                    OWN_REAL(LBFGS_G + v) = isfinite(rise) ? rise / (up + down) : R(0.0);
                }
            }
        }
        c->w[0] = k + 1;
        return k + 1 == 2 * q->n && lbfgs_turn(q, c, at, reals, columns, tree) ? OVER : 0;
    }
    sum asked = sum_zero();
    PART_EACH(q, v) sum_add(&asked, OWN_REAL(LBFGS_G + v) * (y[v] - at[v]));
    const real want = R(1e-4) * sum_real(part_total(asked, tree));
    if (gain < 0 && gain <= want) {
        PART_EACH(q, v) {
            OWN_REAL(LBFGS_OLD + v) = at[v];
            OWN_REAL(LBFGS_OLD_G + v) = OWN_REAL(LBFGS_G + v);
            at[v] = y[v];
        }
        c->w[0] = 0;
        c->w[3] = 1;
        return MOVED;
    }
    c->r[0] /= 2;
    c->w[0] = k + 1;
    if (k + 1 < 2 * q->n + LBFGS_TRIES) return 0;
    if (c->w[2] || c->w[1] == 0) return OVER; // along the steepest descent, too
    c->w[1] = 0;
    c->w[2] = 1;
    c->w[0] = 2 * q->n;
    return lbfgs_direct(q, c, at, reals, columns, tree) ? 0 : OVER;
}

#endif
