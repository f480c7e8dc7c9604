// graybox/cma.cl: the search that adapts the distribution of its steps (CMA). Comes after graybox/searches.cl.
//
//   y_k = mirrored(m + rho d_k),   d_k = M z_k,   z_k = N(0,1) per variable,   k < offspring
//
// When all offspring are evaluated, with sums over the better half of them and weights w:
//   m = m + rho Σ w d,   s = (1 - cs) s + √(e cs (2 - cs)) Σ w z,   1/e = Σ w²
//   M = M + c1/2 (M s s' - M) + cw/2 (Σ w d z' - M)
//   rho = rho exp(min(cs/ds (|s|/chi - 1), 1)), where exp(v) is computed as (1 + v/16)^16
//
// This is the MA-ES of Beyer and Sendhoff (2017, doi:10.1109/TEVC.2017.2680320), which is CMA-ES (Hansen and Ostermeier
// 2001, doi:10.1162/106365601750190398) without decompositions, with its constants and its bound of 1.
//
// m and d ignore the box: outside of it, the function continues as its mirror image (reflection without adapting the
// step, one of the ways that Biedrzycki compares, 2020, doi:10.1016/j.swevo.2019.100627). If candidates were clamped to
// the bound instead, steps that lead out would be no worse than those along it, and would be learnt.
//
// A chain is over when the values of the better half of its offspring differ by at most CMA_EQUAL of their value, or
// when the worst of these has not improved for many generations (Hansen 2009, doi:10.1145/1570256.1570333). The first
// chain of a restart from a uniform point has steps of a quarter of the box. In closed parts it must begin at that
// point, in open ones other searches may have been first. It has twice the offspring of the largest chain before (IPOP,
// Auger and Hansen 2005, doi:10.1109/CEC.2005.1554902). A chain from a point that was improved has few offspring and
// short steps, both drawn as for the small populations of BIPOP (Hansen 2009).
//
// z is a function of the number of the evaluation and is drawn again when the generation ends, so that nothing of the
// offspring is kept except their values. Eight are drawn at a time, so that M is read less often.
//
// r: rho, the smallest of the middle values of all generations. w: the number of offspring evaluated, the level,
//   generations without improvement, the evaluation at which the generation began.
// Own reals: the level of the next first chain, at own - 1; M by columns, its next value, m, s, Σ w z, Σ w d, eight d,
//   the values of the offspring, their order.
//
// A class has so many levels. Level k has 8*2^k offspring.
//
// Defines: of all levels that a class may have, CMA_WEIGHTS (of the better half, the best first; those of level k begin
// at 4*2^k - 4) and CMA_EFFECTIVE (e).

#if HAS(SEARCH_CMA)

#define CMA_NEXT_LEVEL PART_REAL(q, m->layout.own - 1)
#define CMA_NEXT (q->n * q->n)
#define CMA_MEAN (2 * q->n * q->n)
#define CMA_PATH (CMA_MEAN + q->n)
#define CMA_WAY (CMA_MEAN + 2 * q->n)
#define CMA_TO (CMA_MEAN + 3 * q->n)
#define CMA_D (CMA_MEAN + 4 * q->n)
#define CMA_VALUES (CMA_MEAN + 12 * q->n)
#define CMA_ORDER (CMA_VALUES + (8u << (m->layout.levels - 1)))
#define CMA_EQUAL (REAL_BITS == 64 ? R(1e-10) : R(1e-6))

constant real cma_weights[] = { CMA_WEIGHTS };
constant real cma_effective[] = { CMA_EFFECTIVE };

// The number of the box of which u is a mirror image, with the box mirrored at its bounds again and again.
static real cma_mirrored(real u)
{
    const real v = fabs(u - BOX_LO);
    return BOX_LO + (BOX_WIDTH - fabs(v - 2 * BOX_WIDTH * floor(v / (2 * BOX_WIDTH)) - BOX_WIDTH));
}

static void cma_begin(const memory *m, const part *q, chain *c, SPACE const real *at, bool fresh, uint when)
{
    const uint first = q->n < 8 ? 0 : min(1u, m->layout.levels - 1);
    const uint level = max(first, (uint)CMA_NEXT_LEVEL);
    const uint4 u = draw_words(q->number, 1, when, DRAW_CHOOSE, m->key);
    c->w[0] = c->w[2] = 0;
    c->r[0] = R(0.25) * BOX_WIDTH;
    c->r[1] = INFINITY;
    if (fresh) {
        c->w[1] = level;
    } else {
        c->w[1] = first + (uint)((real)(level - first) * sq(draw_uniform(u.x)));
        const uint tenths = draw_int(u.y, 5); // a step of 1/4 to 1/400 of the box
        for (uint k = 0; k < tenths; k++) c->r[0] *= R(0.31622776601683794);
    }
    for (uint v = PART_LANE; v < q->n; v += LANES) {
        OWN_REAL(CMA_MEAN + v) = at[v];
        OWN_REAL(CMA_PATH + v) = 0;
        for (uint j = 0; j < q->n; j++) OWN_REAL(j * q->n + v) = j == v;
    }
    PART_BARRIER
}

// Draws z of eight offspring: z[8*v + k] is variable v of the one that has evaluation when[k].
static void cma_draw(const memory *m, const part *q, const uint *when, SPACE real *z)
{
    const uint quads = (q->n + 3) / 4;
    for (uint t = PART_LANE; t < 8 * quads; t += LANES) {
        const uint k = t / quads, u = t % quads;
        float four[4];
        draw_normals(draw_words(q->number, 1 + u, when[k], DRAW_STEP, m->key), four);
        for (uint v = 4 * u; v < min(4 * u + 4, q->n); v++) z[8 * v + k] = (real)four[v % 4];
    }
    PART_BARRIER
}

// Variable v of M z for the eight z.
static real8 cma_turned(const memory *m, const part *q, SPACE const real *z, uint v)
{
    real8 d = (real8)(0);
    for (uint j = 0; j < q->n; j++) d = fma((real8)(OWN_REAL(j * q->n + v)), vload8(j, z), d);
    return d;
}

static void cma_ask(const memory *m, const part *q, chain *c, SPACE real *y, uint made, SPACE real *z)
{
    const uint k = c->w[0] % 8;
    if (c->w[0] == 0) c->w[3] = made;
    if (k == 0) {
        uint when[8];
        for (uint e = 0; e < 8; e++) when[e] = made + e;
        cma_draw(m, q, when, z);
        for (uint v = PART_LANE; v < q->n; v += LANES) {
            real d[8];
            vstore8(cma_turned(m, q, z, v), 0, d);
            for (uint e = 0; e < 8; e++) OWN_REAL(CMA_D + e * q->n + v) = d[e];
        }
    }
    for (uint v = PART_LANE; v < q->n; v += LANES)
        y[v] = in_box(cma_mirrored(fma(c->r[0], OWN_REAL(CMA_D + k * q->n + v), OWN_REAL(CMA_MEAN + v))));
}

// Sorts the offspring by value, the first one first among equals (Batcher 1968, doi:10.1145/1468075.1468121).
static void cma_sort(const memory *m, const part *q, uint offspring)
{
    for (uint k = PART_LANE; k < offspring; k += LANES) OWN_REAL(CMA_ORDER + k) = (real)k;
    for (uint run = 2; run <= offspring; run *= 2)
        for (uint by = run / 2; by > 0; by /= 2) {
            PART_BARRIER
            for (uint k = PART_LANE; k < offspring / 2; k += LANES) {
                const uint i = 2 * k - (k & (by - 1)), j = i + by;
                const real a = OWN_REAL(CMA_VALUES + i), b = OWN_REAL(CMA_VALUES + j);
                const real s = OWN_REAL(CMA_ORDER + i), t = OWN_REAL(CMA_ORDER + j);
                if ((b < a || (b == a && t < s)) == ((i & run) == 0)) {
                    OWN_REAL(CMA_VALUES + i) = b;
                    OWN_REAL(CMA_VALUES + j) = a;
                    OWN_REAL(CMA_ORDER + i) = t;
                    OWN_REAL(CMA_ORDER + j) = s;
                }
            }
        }
    PART_BARRIER
}

// Ends a generation: moves m and adapts M and rho. Returns whether the chain is over.
static bool cma_learn(const memory *m, const part *q, chain *c, local sum *tree, SPACE real *z)
{
    const uint offspring = 8u << c->w[1], better = offspring / 2;
    constant const real *weights = cma_weights + (better - 4);
    const real n = (real)q->n, e = cma_effective[c->w[1]];
    const real slow = (e + 2) / (e + n + 5);
    const real c1 = 2 / (sq(n + R(1.3)) + e);
    const real cw = fmin(1 - c1, 2 * (e - 2 + 1 / e) / (sq(n + 2) + e));
    const real damp = 1 + slow + 2 * fmax(R(0.0), sqrt((e - 1) / (n + 1)) - 1);
    const real chi = sqrt(n) * (1 - 1 / (4 * n) + 1 / (21 * n * n));
    cma_sort(m, q, offspring);
    for (uint from = 0; from < better; from += 8) {
        uint when[8];
        real w[8];
        for (uint k = 0; k < 8; k++) {
            const uint r = min(from + k, better - 1);
            when[k] = c->w[3] + (uint)OWN_REAL(CMA_ORDER + r);
            w[k] = from + k < better ? weights[r] : R(0.0);
        }
        const real8 weight = vload8(0, w);
        cma_draw(m, q, when, z);
        for (uint v = PART_LANE; v < q->n; v += LANES) {
            const real8 share = weight * cma_turned(m, q, z, v);
            real d[8], way = from == 0 ? R(0.0) : OWN_REAL(CMA_WAY + v), to = from == 0 ? R(0.0) : OWN_REAL(CMA_TO + v);
            vstore8(share, 0, d);
            for (uint k = 0; k < 8; k++) {
                to += d[k];
                way = fma(w[k], z[8 * v + k], way);
            }
            OWN_REAL(CMA_WAY + v) = way;
            OWN_REAL(CMA_TO + v) = to;
            for (uint j = 0; j < q->n; j++) {
                const real8 p = share * vload8(j, z);
                const real4 p4 = p.lo + p.hi;
                const real2 p2 = p4.lo + p4.hi;
                const real a = from == 0 ? R(0.0) : OWN_REAL(CMA_NEXT + j * q->n + v);
                OWN_REAL(CMA_NEXT + j * q->n + v) = a + (p2.x + p2.y);
            }
        }
        PART_BARRIER
    }
    real far = 0;
    for (uint v = PART_LANE; v < q->n; v += LANES) {
        OWN_REAL(CMA_MEAN + v) = fma(c->r[0], OWN_REAL(CMA_TO + v), OWN_REAL(CMA_MEAN + v));
        const real s = fma(1 - slow, OWN_REAL(CMA_PATH + v), sqrt(e * slow * (2 - slow)) * OWN_REAL(CMA_WAY + v));
        OWN_REAL(CMA_PATH + v) = s;
        z[v] = s;
        far += sq(s);
    }
    sum length = sum_zero();
    sum_add(&length, far);
    const real size = sqrt(sum_real(part_total(length, tree)));
    PART_BARRIER
    for (uint v = PART_LANE; v < q->n; v += LANES) {
        real turned = 0;
        for (uint j = 0; j < q->n; j++) turned = fma(OWN_REAL(j * q->n + v), z[j], turned);
        for (uint j = 0; j < q->n; j++) {
            const real more = fma(c1 / 2 * turned, z[j], cw / 2 * OWN_REAL(CMA_NEXT + j * q->n + v));
            OWN_REAL(j * q->n + v) = fma(1 - (c1 + cw) / 2, OWN_REAL(j * q->n + v), more);
        }
    }
    real by = 1 + fmin(slow / damp * (size / chi - 1), R(1.0)) / 16; // at least 15/16
    for (int k = 0; k < 4; k++) by *= by;
    c->r[0] = fmin(c->r[0] * by, BOX_WIDTH);
    const real top = OWN_REAL(CMA_VALUES), middle = OWN_REAL(CMA_VALUES + better - 1), close = CMA_EQUAL * fabs(top);
    c->w[2] = middle < c->r[1] - close ? 0 : c->w[2] + 1;
    c->r[1] = fmin(c->r[1], middle);
    const bool over = !(middle - top > close) || c->w[2] > 120 + (uint)(30 * n / (real)offspring);
    const real level = fmax(CMA_NEXT_LEVEL, (real)min(c->w[1] + 1, m->layout.levels - 1));
    PART_BARRIER
    if (over && PART_FIRST) CMA_NEXT_LEVEL = level;
    return over;
}

static uint cma_tell(const memory *m, const part *q, chain *c, SPACE const real *y, SPACE real *at, local sum *tree,
                     bool better, real value, SPACE real *z)
{
    if (better) {
        for (uint v = PART_LANE; v < q->n; v += LANES) at[v] = y[v];
    }
    if (PART_FIRST) OWN_REAL(CMA_VALUES + c->w[0]) = isfinite(value) ? value : INFINITY;
    uint told = better ? MOVED : 0;
    if (++c->w[0] == 8u << c->w[1]) {
        PART_BARRIER
        c->w[0] = 0;
        if (cma_learn(m, q, c, tree, z)) told |= OVER;
    }
    return told;
}

#endif
