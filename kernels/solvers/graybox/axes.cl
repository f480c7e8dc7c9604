// graybox/axes.cl: the search along principal axes. Comes after graybox/searches.cl.
//
// Differences give the second derivatives E near the point: with a base b and a short distance h,
//   2 h² E_ij = f(b + h e_i + h e_j) + f(b - h e_i - h e_j) - 2 f(b) - D_i - D_j,   i != j
//     h² E_ii = D_i = f(b + h e_i) + f(b - h e_i) - 2 f(b)
// Then mts works along the eigenvectors of E instead of the variables. If the function is a rotated sum of functions
// of one variable, the eigenvectors are the axes of that rotation wherever b is, and along them each of the functions
// is minimized by itself, however many peaks the sum has. Such axes are those of PRAXIS (Brent 1973, Algorithms for
// Minimization without Derivatives) and of adaptive coordinate descent (Loshchilov, Schoenauer and Sebag 2011,
// doi:10.1145/2001576.2001697), which get them in other ways.
//
// b is a random point near `at`, where no variable is at a kink of the function or at its minimum by chance. Rotations
// of pairs of columns make the columns of E orthogonal (Hestenes 1958, doi:10.1137/0106005). As E is symmetric, they
// are then multiples of its eigenvectors. A round of mts begins with wide steps. If none of them improves the point,
// the round ends when the steps are below AXES_VALLEY of the box: shorter ones would stay in the valley of the point,
// whose lowest place is known. The chain is over when AXES_ROUNDS rounds in a row have not improved the point.
//
// r: what mts has; AXES_BASE, AXES_PAIRS or AXES_ROUND; f(b) less the value of `at`; the value above less f(b); rounds
//   in a row without improvement; whether this round has improved the point.
// w: while differences are made: i, j from i down to 0, whether the value above is known. Then what mts has.
// Own reals: E by columns, then b and D.

#if HAS(SEARCH_AXES)

#define AXES_BASE 0
#define AXES_PAIRS 1
#define AXES_ROUND 2
#define AXES_ROUNDS 10
#define AXES_VALLEY R(1e-3)
#define AXES_NEAR R(0.03)  // distance of b, as part of the box
#define AXES_WIDTH R(3e-6) // h, as part of the box
#define AXES_B (q->n * q->n)
#define AXES_D (AXES_B + q->n)

static void axes_begin(const memory *m, const part *q, chain *c, SPACE const real *at, uint when)
{
    const real h = AXES_WIDTH * BOX_WIDTH;
    for (uint k = 0; k < CHAIN_REALS; k++) c->r[k] = 0;
    for (uint k = 0; k < 4; k++) c->w[k] = 0;
    for (uint v = PART_LANE; v < q->n; v += LANES) {
        const real u = 2 * draw_uniform(draw_word(part_var(q, v), 0, when, DRAW_STEP, m->key)) - 1;
        OWN_REAL(AXES_B + v) = fmin(fmax(fma(u, AXES_NEAR * BOX_WIDTH, at[v]), BOX_LO + h), BOX_HI - h);
    }
}

static void axes_ask(const memory *m, const part *q, const chain *c, SPACE real *y, SPACE const real *at)
{
    if (c->r[1] == AXES_ROUND) {
        const real step = c->w[2] ? c->r[0] / 2 : -c->r[0];
        for (uint v = PART_LANE; v < q->n; v += LANES) y[v] = in_box(fma(step, OWN_REAL(c->w[0] * q->n + v), at[v]));
        return;
    }
    const real h = c->r[1] == AXES_BASE ? R(0.0) : (c->w[2] ? R(-1.0) : R(1.0)) * AXES_WIDTH * BOX_WIDTH;
    for (uint v = PART_LANE; v < q->n; v += LANES)
        y[v] = in_box(OWN_REAL(AXES_B + v) + (v == c->w[0] || v == c->w[1] ? h : R(0.0)));
}

// Rotates columns i and j of E so that they are orthogonal. Returns false if they are already.
static bool axes_rotate(const memory *m, const part *q, uint i, uint j)
{
    real a = 0, b = 0, ab = 0;
    for (uint v = 0; v < q->n; v++) {
        const real p = OWN_REAL(i * q->n + v), r = OWN_REAL(j * q->n + v);
        a = fma(p, p, a);
        b = fma(r, r, b);
        ab = fma(p, r, ab);
    }
    if (!(fabs(ab) > R(1e-14) * sqrt(a) * sqrt(b))) return false;
    const real turn = (b - a) / (2 * ab), t = copysign(1 / (fabs(turn) + sqrt(fma(turn, turn, R(1.0)))), turn);
    const real cosine = 1 / sqrt(fma(t, t, R(1.0))), sine = t * cosine;
    for (uint v = 0; v < q->n; v++) {
        const real p = OWN_REAL(i * q->n + v), r = OWN_REAL(j * q->n + v);
        OWN_REAL(i * q->n + v) = fma(cosine, p, -(sine * r));
        OWN_REAL(j * q->n + v) = fma(sine, p, cosine * r);
    }
    return true;
}

// Replaces the columns of E by its eigenvectors. A column of zeros becomes that of the unit matrix.
static void axes_turn(const memory *m, const part *q, local sum *tree)
{
    const uint n = q->n, last = (n - 1) | 1; // last + 1 columns; if n is odd, the last one does not exist
    bool more = true;
    for (uint sweep = 0; sweep < 30 && more; sweep++) {
        sum turned = sum_zero();
        for (uint round = 0; round < last; round++) { // in a round, all columns are in pairs
            for (uint t = PART_LANE; t <= last / 2; t += LANES) {
                const uint i = (round + t) % last, j = t == 0 ? last : (round + last - t) % last;
                if (j < n && i < n && axes_rotate(m, q, i, j)) sum_add(&turned, 1);
            }
            PART_BARRIER
        }
        more = sum_real(part_total(turned, tree)) > 0;
    }
    for (uint k = PART_LANE; k < n; k += LANES) {
        real size = 0;
        for (uint v = 0; v < n; v++) size = fma(OWN_REAL(k * n + v), OWN_REAL(k * n + v), size);
        size = sqrt(size);
        for (uint v = 0; v < n; v++)
            OWN_REAL(k * n + v) = size > 0 ? OWN_REAL(k * n + v) / size : (real)(k == v);
    }
    PART_BARRIER
}

// Tells a value of the differences, relative to that of `at`. Returns whether all are made.
static bool axes_difference(const memory *m, const part *q, chain *c, real gain)
{
    const uint i = c->w[0], j = c->w[1];
    if (c->r[1] == AXES_BASE) {
        c->r[1] = AXES_PAIRS;
        c->r[2] = gain;
        return false;
    }
    c->w[2] = !c->w[2];
    if (c->w[2]) {
        c->r[3] = gain - c->r[2];
        return false;
    }
    if (PART_FIRST) {
        real rise = c->r[3] + (gain - c->r[2]);
        if (!isfinite(rise)) rise = 0;
        if (i == j) OWN_REAL(AXES_D + i) = rise;
        else rise = (rise - OWN_REAL(AXES_D + i) - OWN_REAL(AXES_D + j)) / 2;
        OWN_REAL(i * q->n + j) = rise;
        OWN_REAL(j * q->n + i) = rise;
    }
    if (j > 0) c->w[1]--;
    else c->w[1] = ++c->w[0];
    return c->w[0] == q->n;
}

// gain is the value of y less that of `at`.
static uint axes_tell(const memory *m, const part *q, chain *c, SPACE const real *y, SPACE real *at, local sum *tree,
                      bool better, real gain, uint when)
{
    uint told = 0;
    if (c->r[1] != AXES_ROUND) {
        if (!axes_difference(m, q, c, gain)) return 0;
        PART_BARRIER
        axes_turn(m, q, tree);
        c->r[1] = AXES_ROUND;
    } else {
        told = mts_tell(q, c, y, at, better);
        if (better) c->r[5] = 1;
        if (!(told & OVER) && (c->r[5] > 0 || c->r[0] >= AXES_VALLEY * BOX_WIDTH)) return told;
        c->r[4] = c->r[5] > 0 ? R(0.0) : c->r[4] + 1;
        if (c->r[4] == AXES_ROUNDS) return told | OVER;
    }
    c->r[5] = 0;
    mts_begin(c, draw_uniform(draw_words(q->number, 1, when, DRAW_CHOOSE, m->key).y));
    return told & ~OVER;
}

#endif
