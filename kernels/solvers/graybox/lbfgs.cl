// graybox/lbfgs.cl: the quasi-Newton search. Comes after graybox/searches.cl.
//
// Differences give the gradient g. A line along d = -H g follows: values at at + t d, for some t. H is the inverse of
// the second derivatives as far as the last changes of at and g show them: with DENSE a matrix (BFGS, Fletcher 1970,
// doi:10.1093/comjnl/13.3.317), and otherwise the PAIRS last changes (L-BFGS, Liu and Nocedal 1989,
// doi:10.1007/BF01589116). Variables at a bound stay there while d leads out of the box.
//
// A gradient takes two evaluations for each variable, so a few more for a good t cost little. t doubles as long as the
// values fall, or shrinks until one falls as Armijo asks. Then follows the lowest point of the parabola through the
// last three.
//
// The widths of the differences follow from the second differences. These should be √(ε |f| Δ), where ε |f| is the
// rounding of the value and Δ what the last line has gained: then the errors of rounding and of curvature are alike.
//
// The chain is over when there is no way down, or when n + 10 lines have gained less than a thousandth of the value.
//
// r: in a gradient the value at at + width, relative to that of `at`. In a line: t, best t so far, values there are
//   below those of the two neighbours by r[2] and r[3], at distances of r[4] downwards and r[5] upwards. r[6]: d'g;
//   r[7]: what the last line has gained; r[8]: what at most n + 10 lines have gained.
// w: phase, where v < 2n is the upward difference of variable v/2 if v is even and the downward one otherwise, and
//   2n + k try k of a line; changes in H; what the line does; lines that are over.
// Own reals: g, d, at and g where the last line began, widths, and H: n by n numbers and twice n for its changes, or
//   PAIRS changes of at, PAIRS of g, and their products.
//
// Defines: DENSE, PAIRS, DIFFERENCE (first width, relative to the variable).

#if HAS(SEARCH_LBFGS)

#define LBFGS_TRIES 20u
#define LBFGS_FIRST 0u  // no t has been better
#define LBFGS_LONGER 1u // t has been better and doubles
#define LBFGS_LAST 2u   // the parabola
#define LBFGS_G 0
#define LBFGS_D q->n
#define LBFGS_OLD (2 * q->n)
#define LBFGS_OLD_G (3 * q->n)
#define LBFGS_WIDTH (4 * q->n)
#define LBFGS_H (5 * q->n)

static void lbfgs_begin(const memory *m, const part *q, chain *c, SPACE const real *at)
{
    for (uint k = 0; k < CHAIN_REALS; k++) c->r[k] = 0;
    for (uint k = 0; k < 4; k++) c->w[k] = 0;
    for (uint v = PART_LANE; v < q->n; v += LANES)
        OWN_REAL(LBFGS_WIDTH + v) = DIFFERENCE * fmax(fabs(at[v]), R(1e-3) * BOX_WIDTH);
}

// The distances to the points above and below variable v with which its difference is made; 0: none, at a bound.
static real lbfgs_up(real v, real width)
{
    const real up = v + width;
    return up <= BOX_HI ? up - v : R(0.0);
}

static real lbfgs_down(real v, real width)
{
    const real down = v - width;
    return down >= BOX_LO ? v - down : R(0.0);
}

static void lbfgs_ask(const memory *m, const part *q, const chain *c, SPACE real *y, SPACE const real *at)
{
    const uint k = c->w[0];
    if (k >= 2 * q->n) {
        for (uint v = PART_LANE; v < q->n; v += LANES)
            y[v] = in_box(fma(c->r[0], OWN_REAL(LBFGS_D + v), OWN_REAL(LBFGS_OLD + v)));
        return;
    }
    for (uint v = PART_LANE; v < q->n; v += LANES) {
        y[v] = at[v];
        if (v != k / 2) continue;
        const real width = OWN_REAL(LBFGS_WIDTH + v);
        y[v] = in_box(k % 2 ? at[v] - lbfgs_down(at[v], width) : at[v] + lbfgs_up(at[v], width));
    }
}

#if DENSE

#define LBFGS_Y (LBFGS_H + q->n * q->n) // the last change of g
#define LBFGS_HY (LBFGS_Y + q->n)       // and H times it

// Row v of H times the numbers from number `row` on.
static real lbfgs_times(const memory *m, const part *q, uint row, uint v)
{
    real t = 0;
    for (uint j = 0; j < q->n; j++) t = fma(OWN_REAL(LBFGS_H + j * q->n + v), OWN_REAL(row + j), t);
    return t;
}

// Adds the change from the last line to H. sy, yy: its products.
static void lbfgs_add(const memory *m, const part *q, chain *c, SPACE const real *at, local sum *tree, real sy,
                      real yy)
{
    if (c->w[1] == 0) {
        for (uint v = PART_LANE; v < q->n; v += LANES)
            for (uint j = 0; j < q->n; j++) OWN_REAL(LBFGS_H + j * q->n + v) = j == v ? sy / yy : R(0.0);
    }
    for (uint v = PART_LANE; v < q->n; v += LANES) {
        OWN_REAL(LBFGS_Y + v) = OWN_REAL(LBFGS_G + v) - OWN_REAL(LBFGS_OLD_G + v);
        OWN_REAL(LBFGS_OLD + v) = at[v] - OWN_REAL(LBFGS_OLD + v);
    }
    PART_BARRIER
    sum yhy = sum_zero();
    for (uint v = PART_LANE; v < q->n; v += LANES) {
        const real hy = lbfgs_times(m, q, LBFGS_Y, v);
        OWN_REAL(LBFGS_HY + v) = hy;
        sum_add(&yhy, hy * OWN_REAL(LBFGS_Y + v));
    }
    const real more = (1 + sum_real(part_total(yhy, tree)) / sy) / sy;
    PART_BARRIER
    for (uint v = PART_LANE; v < q->n; v += LANES) {
        const real s = OWN_REAL(LBFGS_OLD + v), hy = OWN_REAL(LBFGS_HY + v);
        for (uint j = 0; j < q->n; j++) {
            const real sj = OWN_REAL(LBFGS_OLD + j);
            OWN_REAL(LBFGS_H + j * q->n + v) += more * (s * sj) - (hy * sj + s * OWN_REAL(LBFGS_HY + j)) / sy;
        }
    }
    PART_BARRIER
}

// Sets d to H g.
static void lbfgs_newton(const memory *m, const part *q, const chain *c, local sum *tree)
{
    PART_BARRIER
    for (uint v = PART_LANE; v < q->n; v += LANES) OWN_REAL(LBFGS_D + v) = lbfgs_times(m, q, LBFGS_G, v);
}

#else

#define LBFGS_S(k) (LBFGS_H + (k) * q->n)
#define LBFGS_Y(k) (LBFGS_H + (PAIRS + (k)) * q->n)
#define LBFGS_RHO (LBFGS_H + 2 * PAIRS * q->n)

// Adds the change from the last line to the pairs. sy, yy: its products.
static void lbfgs_add(const memory *m, const part *q, chain *c, SPACE const real *at, local sum *tree, real sy,
                      real yy)
{
    const uint j = c->w[1] % PAIRS;
    for (uint v = PART_LANE; v < q->n; v += LANES) {
        OWN_REAL(LBFGS_S(j) + v) = at[v] - OWN_REAL(LBFGS_OLD + v);
        OWN_REAL(LBFGS_Y(j) + v) = OWN_REAL(LBFGS_G + v) - OWN_REAL(LBFGS_OLD_G + v);
        if (v == 0) OWN_REAL(LBFGS_RHO + j) = sy;
    }
    PART_BARRIER
}

// Sets d to H g, where H is the last sy/yy in all directions but those of the pairs.
static void lbfgs_newton(const memory *m, const part *q, const chain *c, local sum *tree)
{
    const uint last = c->w[1], kept = min(last, (uint)PAIRS);
    real factor[PAIRS];
    for (uint v = PART_LANE; v < q->n; v += LANES) OWN_REAL(LBFGS_D + v) = OWN_REAL(LBFGS_G + v);
    for (uint k = 0; k < kept; k++) {
        const uint j = (last - 1 - k) % PAIRS;
        sum dot = sum_zero();
        for (uint v = PART_LANE; v < q->n; v += LANES)
            sum_add(&dot, OWN_REAL(LBFGS_S(j) + v) * OWN_REAL(LBFGS_D + v));
        factor[k] = sum_real(part_total(dot, tree)) / OWN_REAL(LBFGS_RHO + j);
        for (uint v = PART_LANE; v < q->n; v += LANES) OWN_REAL(LBFGS_D + v) -= factor[k] * OWN_REAL(LBFGS_Y(j) + v);
    }
    const uint newest = (last - 1) % PAIRS;
    sum size = sum_zero();
    for (uint v = PART_LANE; v < q->n; v += LANES) sum_add(&size, sq(OWN_REAL(LBFGS_Y(newest) + v)));
    const real scale = OWN_REAL(LBFGS_RHO + newest) / sum_real(part_total(size, tree));
    for (uint v = PART_LANE; v < q->n; v += LANES) OWN_REAL(LBFGS_D + v) *= scale;
    for (uint k = kept; k-- > 0;) {
        const uint j = (last - 1 - k) % PAIRS;
        sum dot = sum_zero();
        for (uint v = PART_LANE; v < q->n; v += LANES)
            sum_add(&dot, OWN_REAL(LBFGS_Y(j) + v) * OWN_REAL(LBFGS_D + v));
        const real by = factor[k] - sum_real(part_total(dot, tree)) / OWN_REAL(LBFGS_RHO + j);
        for (uint v = PART_LANE; v < q->n; v += LANES) OWN_REAL(LBFGS_D + v) += by * OWN_REAL(LBFGS_S(j) + v);
    }
}

#endif

// Begins a line along -H g, or along -g where H has no changes. Returns false if there is no way down.
static bool lbfgs_line(const memory *m, const part *q, chain *c, SPACE const real *at, local sum *tree)
{
    const bool steepest = c->w[1] == 0;
    if (steepest) {
        for (uint v = PART_LANE; v < q->n; v += LANES) OWN_REAL(LBFGS_D + v) = OWN_REAL(LBFGS_G + v);
    } else {
        lbfgs_newton(m, q, c, tree);
    }
    sum slope = sum_zero(), length = sum_zero();
    for (uint v = PART_LANE; v < q->n; v += LANES) {
        const real g = OWN_REAL(LBFGS_G + v);
        real d = -OWN_REAL(LBFGS_D + v);
        if ((at[v] <= BOX_LO && d < 0) || (at[v] >= BOX_HI && d > 0)) d = 0;
        OWN_REAL(LBFGS_D + v) = d;
        OWN_REAL(LBFGS_OLD + v) = at[v];
        OWN_REAL(LBFGS_OLD_G + v) = g;
        sum_add(&slope, d * g);
        sum_add(&length, sq(d));
    }
    // The first step is a tenth of the box at most, and later ones half of it.
    const real most = (steepest ? R(0.1) : R(0.5)) * BOX_WIDTH / sqrt(sum_real(part_total(length, tree)));
    c->r[6] = sum_real(part_total(slope, tree));
    c->r[0] = steepest ? most : fmin(R(1.0), most);
    c->r[1] = c->r[5] = c->r[7] = 0;
    c->w[0] = 2 * q->n;
    c->w[2] = LBFGS_FIRST;
    return c->r[6] < 0 && isfinite(c->r[6]) && c->r[0] > 0 && isfinite(c->r[0]);
}

// Ends a gradient: adds a change to H, and begins a line. Returns whether the chain is over.
static bool lbfgs_turn(const memory *m, const part *q, chain *c, SPACE const real *at, local sum *tree)
{
    if (c->w[3]) {
        sum sy = sum_zero(), yy = sum_zero(), ss = sum_zero();
        for (uint v = PART_LANE; v < q->n; v += LANES) {
            const real s = at[v] - OWN_REAL(LBFGS_OLD + v), y = OWN_REAL(LBFGS_G + v) - OWN_REAL(LBFGS_OLD_G + v);
            sum_add(&sy, s * y);
            sum_add(&ss, s * s);
            sum_add(&yy, y * y);
        }
        const real product = sum_real(part_total(sy, tree)), change = sum_real(part_total(yy, tree));
        const real size = sqrt(sum_real(part_total(ss, tree)) * change);
        if (product > R(1e-10) * size && isfinite(size)) {
            lbfgs_add(m, q, c, at, tree, product, change);
            c->w[1]++;
        }
    }
    if (lbfgs_line(m, q, c, at, tree)) return false;
    if (c->w[1] == 0) return true;
    c->w[1] = 0;
    return !lbfgs_line(m, q, c, at, tree);
}

// Tells a value of a gradient.
static uint lbfgs_difference(const memory *m, const part *q, chain *c, SPACE const real *at, local sum *tree,
                             real gain, real value)
{
    const uint k = c->w[0]++;
    if (k % 2 == 0) {
        c->r[0] = gain;
        return 0;
    }
    for (uint v = PART_LANE; v < q->n; v += LANES) {
        if (v != k / 2) continue;
        const real width = OWN_REAL(LBFGS_WIDTH + v), up = lbfgs_up(at[v], width), down = lbfgs_down(at[v], width);
        const real rise = (up > 0 ? c->r[0] : R(0.0)) - (down > 0 ? gain : R(0.0));
        OWN_REAL(LBFGS_G + v) = isfinite(rise) ? rise / (up + down) : R(0.0);
        if (!(c->r[7] > 0 && up > 0 && down > 0)) continue;
        const real wanted = sqrt(R(1e-15) * fabs(value) * fmin(c->r[7], fabs(value)));
        const real by = sqrt(wanted / fabs(c->r[0] + gain));
        const real most = R(1e-3) * BOX_WIDTH, least = R(1e-14) * fmax(fabs(at[v]), R(1e-3) * BOX_WIDTH);
        OWN_REAL(LBFGS_WIDTH + v) = fmin(fmax(width * fmin(fmax(by, R(0.1)), R(10.0)), least), most);
    }
    return c->w[0] == 2 * q->n && lbfgs_turn(m, q, c, at, tree) ? OVER : 0;
}

// gain is the value of y less that of `at`.
static uint lbfgs_tell(const memory *m, const part *q, chain *c, SPACE const real *y, SPACE real *at, local sum *tree,
                       real gain, real value)
{
    if (c->w[0] < 2 * q->n) return lbfgs_difference(m, q, c, at, tree, gain, value);
    const real t = c->r[0];
    const bool first = c->w[2] == LBFGS_FIRST, better = gain < 0 && (!first || gain <= R(1e-4) * t * c->r[6]);
    c->w[0]++;
    if (better) {
        for (uint v = PART_LANE; v < q->n; v += LANES) at[v] = y[v];
        c->r[7] -= gain;
        c->r[4] = t - c->r[1];
        c->r[1] = t;
        c->r[2] = -gain;
    }
    if (first && !better) {
        if (c->w[0] < 2 * q->n + LBFGS_TRIES) { // the lowest point of the parabola through at, its slope, and y
            const real lowest = -c->r[6] * t * t / (2 * (gain - t * c->r[6]));
            c->r[0] = fmin(fmax(isfinite(lowest) ? lowest : R(0.0), R(0.1) * t), R(0.5) * t);
            c->r[3] = gain;
            c->r[5] = t;
            return 0;
        }
        if (c->w[1] == 0) return OVER; // along the steepest descent, too
        c->w[1] = 0;
        return lbfgs_line(m, q, c, at, tree) ? 0 : OVER;
    }
    bool last = c->w[2] == LBFGS_LAST;
    if (first && c->r[5] > 0) { // a longer t was worse
        c->r[3] -= gain;
        c->r[5] -= t;
        c->w[2] = LBFGS_LAST;
    } else if (better && !last) {
        c->w[2] = LBFGS_LONGER;
        c->r[0] = 2 * t;
        last = c->w[0] > 2 * q->n + LBFGS_TRIES;
    } else if (!last) {
        c->r[3] = gain;
        c->r[5] = t - c->r[1];
        c->w[2] = LBFGS_LAST;
    }
    if (c->w[2] == LBFGS_LAST && !last) {
        const real down = c->r[2] / c->r[4], up = c->r[3] / c->r[5];
        c->r[0] = c->r[1] + (down * c->r[5] - up * c->r[4]) / (2 * (down + up));
        last = !isfinite(c->r[0]);
    }
    if (!last) return better ? MOVED : 0;
    c->w[0] = 0;
    c->r[8] += c->r[7];
    if (++c->w[3] % (q->n + 10) > 0) return better ? MOVED : 0;
    const bool enough = c->r[8] >= R(1e-3) * fabs(value + fmin(gain, R(0.0)));
    c->r[8] = 0;
    return (better ? MOVED : 0) | (enough ? 0 : OVER);
}

#endif
