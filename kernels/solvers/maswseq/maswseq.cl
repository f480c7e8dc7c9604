// maswseq/maswseq.cl: MA-SW-Chains on one whole point. Comes after maswseq/view.cl.
//
// One work-group makes one evaluation after the other. All of its items have the same sums and therefore decide alike.
// All items enter a loop with a barrier after it equally often: where some stayed out, a runtime that turns groups into
// loops lost results.
//
//   x[j*DIM + i]       individual j < POP; row POP is the point under improvement
//   bias[j*DIM + i]    Solis-Wets bias of the chain of individual j
//   acc[j*ACCS + a]    accumulators of row j
//   chain[j*CHAIN]     of individual j: mark, and of its chain: whether there is one, successes, failures, whether the
//                      opposite step is next, counter of the deviation
//   pace[2*j]          rho and scale of the chain; the bias is scale times the stored one
//   now[0], now[1]     the individual under improvement, and the number of values that were not finite
//   work[i]            the candidate, unless it is in local memory
//
// maswseq_draw: draws the individuals uniformly in the box, except those below `given`, which are stored already.
//   launch: (⌈DIM/4⌉, POP) items.
// maswseq_evaluate: evaluates stored rows.
//   launch: one group a row.
// maswseq_evolve: makes count evaluations of steady-state evolution, numbered from `when` on.
// maswseq_begin: chooses the individual to improve, copies it to row POP and gives it a chain. rho of a new chain is
//   the distance to the nearest other individual at a distance above 0, divided by 2 DIM, or 1e-3 of the box if there
//   is none.
// maswseq_end: keeps the improved point. It marks the individual if the gain is less than 1e-8 of its value.
//   launch of these three: one group.
//
// Defines:
//   POP          individuals
//   Y_LOCAL      1: the candidate is in local memory
//   KEEP         1: so are the normal deviates of a step
//   COEFS        coefficients of the accumulators, as bits
//   MASW_ALPHA, MASW_MUTATE   of BLX-alpha and BGA mutation, see masw/child.cl

#define CHAIN 6

#define ROW(p, j) ((p) + (ulong)(j) * DIM)

#if Y_LOCAL
#define CANDIDATE local real y[DIM]
#else
#define CANDIDATE global real *y = work
#endif

// Work with draws goes over the quads q of variables 4q to 4q + 3. Its loops are not unrolled: with the registers of
// two rounds, fewer groups fit on a multiprocessor. Other work goes over single variables, so that neighbouring items
// take neighbouring ones. If one reads what the other writes, a barrier for global memory must come between.
#define POINT_QUADS ((DIM + 3) / 4)

// Sets v to quad q of a row; variables beyond the last are 0. Wide reads and writes: four single ones would be four
// times the work.
static inline __attribute__((always_inline)) void maswseq_get(global const real *row, uint q, real *v)
{
    if (4 * q + 4 <= DIM) {
        four_get(row + 4 * q, v);
        return;
    }
#pragma unroll
    for (uint k = 0; k < 4; k++) v[k] = 4 * q + k < DIM ? row[4 * q + k] : (real)0;
}

// Sets quad q of a row to v.
static inline __attribute__((always_inline)) void maswseq_put(global real *row, uint q, const real *v)
{
    if (4 * q + 4 <= DIM) {
        four_put(row + 4 * q, v);
        return;
    }
#pragma unroll
    for (uint k = 0; k < 4; k++)
        if (4 * q + k < DIM) row[4 * q + k] = v[k];
}

// All items copy a point.
static inline __attribute__((always_inline)) void maswseq_copy(global real *to, global const real *from)
{
    for (uint b = 0; b < DIM; b += GROUP) {
        const uint i = b + get_local_id(0);
        if (i < DIM) to[i] = from[i];
    }
}

static inline __attribute__((always_inline)) void maswseq_take(global real *to, Y_SPACE const real *from)
{
    for (uint b = 0; b < DIM; b += GROUP) {
        const uint i = b + get_local_id(0);
        if (i < DIM) to[i] = from[i];
    }
}

constant ulong maswseq_coefs[ACCS] = { COEFS };

#if SUM_FP64
static bool maswseq_less(sum a, sum b) { return a < b; }
static bool maswseq_finite(sum a) { return isfinite(a); }
static sum maswseq_scaled(sum a, ulong coef) { return as_double(coef) * a; }
static real maswseq_less_by(sum a, sum b) { return (real)(a - b); }
static real maswseq_real(sum a) { return (real)a; }
static real maswseq_root(sum a) { return (real)sqrt(a); }
#else
static bool maswseq_less(sum a, sum b) { return a.x < b.x || (a.x == b.x && a.y < b.y); }
static bool maswseq_finite(sum a) { return isfinite(a.x); }
static sum maswseq_scaled(sum a, ulong coef)
{
    const float c = as_float((uint)coef), p = c * a.x;
    return sum_pair(p, 0.0f, fma(c, a.x, -p) + c * a.y);
}
static real maswseq_less_by(sum a, sum b) { return (a.x - b.x) + (a.y - b.y); }
static real maswseq_real(sum a) { return a.x; }
static real maswseq_root(sum a) { return root(a.x); }
#endif

// Whether value a ranks before b: finite values rank before others, then the smaller one does.
static bool maswseq_better(sum a, sum b)
{
    return maswseq_finite(a) && (!maswseq_finite(b) || maswseq_less(a, b));
}

// The value of a point from its accumulators.
static sum maswseq_value(const sum *a)
{
    sum v = maswseq_scaled(a[0], maswseq_coefs[0]);
    for (int k = 1; k < ACCS; k++) v = sum_join(v, maswseq_scaled(a[k], maswseq_coefs[k]));
    return v;
}

// The value of a row from its stored accumulators.
static sum maswseq_stored(global const sum *acc, uint row)
{
    sum a[ACCS];
    for (int k = 0; k < ACCS; k++) a[k] = acc[(ulong)row * ACCS + k];
    return maswseq_value(a);
}

// Computes the accumulators of point y; every item gets them. They are added in the order of eval_fold and of the
// host: tiles within super-tiles, then super-tiles.
static inline __attribute__((always_inline)) void maswseq_sums(point y, data d, local real *scratch, local sum *tree,
                                                               sum *s)
{
    const uint supers = min(TILES, 256u);
    for (int a = 0; a < ACCS; a++) s[a] = sum_zero();
    for (uint k = 0; k < supers; k++) {
        sum v[ACCS], w[ACCS];
        for (int a = 0; a < ACCS; a++) v[a] = sum_zero();
        const uint end = (uint)((ulong)(k + 1) * TILES / supers);
        for (uint t = (uint)((ulong)k * TILES / supers); t < end; t++) {
            for (int a = 0; a < ACCS; a++) w[a] = sum_zero();
            tile(t, &y, d, scratch, tree, w);
            for (int a = 0; a < ACCS; a++) {
                group_sums(w + a, 1, tree);
                v[a] = sum_join(v[a], tree[0]);
                barrier(CLK_LOCAL_MEM_FENCE);
            }
        }
        for (int a = 0; a < ACCS; a++) s[a] = sum_join(s[a], v[a]);
    }
}

// Draws the individuals uniformly in the box.
kernel void maswseq_draw(global real *x, const uint given, const uint seed, const uint run)
{
    const uint q = get_global_id(0), j = get_global_id(1);
    if (q >= POINT_QUADS || j < given) return;
    const uint4 w = draw_words(q, j, 0, DRAW_INIT, (uint2)(seed, run));
#pragma unroll
    for (uint k = 0; k < 4; k++)
        if (4 * q + k < DIM) ROW(x, j)[4 * q + k] = fma(draw_uniform(draw_pick(w, k)), BOX_HI - BOX_LO, BOX_LO);
}

// Evaluates stored rows, from row0 on.
kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void maswseq_evaluate(global real *x, global sum *acc, const uint row0 DATA_PARAMS)
{
    local real scratch[SCRATCH] __attribute__((aligned(128)));
    local sum tree[GROUP];
    const uint j = row0 + get_group_id(0);
#if Y_LOCAL
    local real y[DIM];
    for (uint b = 0; b < DIM; b += GROUP) {
        const uint i = b + get_local_id(0);
        if (i < DIM) y[i] = ROW(x, j)[i];
    }
    barrier(CLK_LOCAL_MEM_FENCE);
#else
    global real *y = ROW(x, j);
#endif
    DATA_INIT;
    sum s[ACCS];
    maswseq_sums((point){ y }, d, scratch, tree, s);
    if (get_local_id(0) > 0) return;
    for (int a = 0; a < ACCS; a++) acc[(ulong)j * ACCS + a] = s[a];
}

// A gene of a child from the genes a and b of its parents and the word w of a draw.
static real maswseq_gene(real a, real b, uint w)
{
    const real lo = fmin(a, b), hi = fmax(a, b), spread = MASW_ALPHA * (hi - lo);
    const real from = fmax(BOX_LO, lo - spread), to = fmin(BOX_HI, hi + spread);
    return fmin(fma(draw_uniform(w), to - from, from), to);
}

// BGA mutation: which variable moves (DIM: none), and by how much.
typedef struct { uint var; real move; } maswseq_mutation;

static maswseq_mutation maswseq_mutate(uint when, uint2 key)
{
    maswseq_mutation m = { DIM, 0 };
    const uint4 w = draw_words(0, 0, when, DRAW_MUTATE, key);
    if (w.x < MASW_MUTATE) {
        m.var = draw_int(w.y, DIM);
        real s = 0, half_k = 1;
        for (uint k = 0; k < 16; k++) {
            const uint bits = (k < 8 ? w.z >> (4 * k) : w.w >> (4 * (k - 8))) & 15u;
            if (bits == 0) s += half_k;
            half_k *= R(0.5);
        }
        s *= R(0.1) * (BOX_HI - BOX_LO);
        m.move = (w.x & 1u) ? -s : s;
    }
    return m;
}

// Three distinct individuals other than j, from three words.
static uint3 maswseq_others(uint j, uint wa, uint wb, uint wc)
{
    uint a = draw_int(wa, POP - 1), b = draw_int(wb, POP - 2), c = draw_int(wc, POP - 3);
    a += a >= j;
    const uint s0 = min(a, j), s1 = max(a, j);
    b += b >= s0;
    b += b >= s1;
    const uint t0 = min(s0, b), t2 = max(s1, b), t1 = s0 + s1 + b - t0 - t2;
    c += c >= t0;
    c += c >= t1;
    c += c >= t2;
    return (uint3)(a, b, c);
}

// The individual of three that is farthest from row j, the first of equals.
static inline __attribute__((always_inline)) uint maswseq_farthest(global const real *x, uint j, uint3 r,
                                                                   local sum *tree)
{
    sum s[3] = { sum_zero(), sum_zero(), sum_zero() };
    for (uint b = 0; b < DIM; b += GROUP) {
        const uint i = b + get_local_id(0);
        if (i < DIM) {
            const real gene = ROW(x, j)[i];
            sum_add(s, sq(gene - ROW(x, r.x)[i]));
            sum_add(s + 1, sq(gene - ROW(x, r.y)[i]));
            sum_add(s + 2, sq(gene - ROW(x, r.z)[i]));
        }
    }
    group_sums(s, 3, tree);
    uint m = r.x;
    sum far = tree[0];
    if (maswseq_less(far, tree[GROUP])) { m = r.y; far = tree[GROUP]; }
    if (maswseq_less(far, tree[2 * GROUP])) m = r.z;
    barrier(CLK_LOCAL_MEM_FENCE);
    return m;
}

// Returns the index of the worst value in f, the last one among equals, to all items.
static inline __attribute__((always_inline)) uint maswseq_worst(local const sum *f, local uint *pick)
{
    const uint l = get_local_id(0);
    uint m = min(l, (uint)POP - 1);
    for (uint j = m; j < POP; j += GROUP)
        if (!maswseq_better(f[j], f[m])) m = j;
    pick[l] = m;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint w = GROUP / 2; w > 0; w >>= 1) {
        if (l < w) {
            const uint a = pick[l], b = pick[l + w];
            // equal values: the larger index
            if (maswseq_better(f[a], f[b]) || (!maswseq_better(f[b], f[a]) && b > a)) pick[l] = b;
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    m = pick[0];
    return m;
}

// Evolves the individuals, one child at a time.
kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void maswseq_evolve(global real *x, global sum *acc, global uint *chain, global uint *now, global real *work,
                    const uint when, const uint count, const uint seed, const uint run DATA_PARAMS)
{
    local real scratch[SCRATCH];
    local sum tree[3 * GROUP], f[POP];
    local uint pick[GROUP];
    CANDIDATE;
    DATA_INIT;
    const uint l = get_local_id(0);
    const uint2 key = (uint2)(seed, run);
    for (uint b = 0; b < POP; b += GROUP) {
        const uint j = b + l;
        if (j < POP) f[j] = maswseq_stored(acc, j);
    }
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE); // the first item writes what others have read
    uint worst = maswseq_worst(f, pick);
    uint t = when; // the number of the round
#if !ONE_ROUND
    for (; t < when + count; t++)
#endif
    {
        const sum limit = f[worst];
        const uint4 w = draw_words(0, 0, t, DRAW_MATE, key);
        const uint mother = draw_int(w.x, POP);
        const uint father = maswseq_farthest(x, mother, maswseq_others(mother, w.y, w.z, w.w), tree);
        const maswseq_mutation m = maswseq_mutate(t, key);
#pragma unroll 1
        for (uint first = 0; first < POINT_QUADS; first += GROUP) {
            const uint q = first + l;
            if (q < POINT_QUADS) {
                real a[4], b[4];
                maswseq_get(ROW(x, mother), q, a);
                maswseq_get(ROW(x, father), q, b);
                const uint4 c = draw_words(q, 0, t, DRAW_CROSS, key);
#pragma unroll
                for (uint k = 0; k < 4; k++) {
                    const uint i = 4 * q + k;
                    if (i < DIM) {
                        real gene = maswseq_gene(a[k], b[k], draw_pick(c, k));
                        if (i == m.var) gene = fmin(fmax(gene + m.move, BOX_LO), BOX_HI);
                        y[i] = gene;
                    }
                }
            }
        }
        barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE); // all have read the parents, one of which may be replaced
        sum s[ACCS];
        maswseq_sums((point){ y }, d, scratch, tree, s);
        const sum value = maswseq_value(s);
        const bool taken = maswseq_better(value, limit);
        if (taken) maswseq_take(ROW(x, worst), y);
        if (l == 0) {
            if (taken) {
                for (int a = 0; a < ACCS; a++) acc[worst * ACCS + a] = s[a];
                f[worst] = value;
                chain[worst * CHAIN] = chain[worst * CHAIN + 1] = 0;
            }
            if (!maswseq_finite(value)) now[1]++;
        }
        barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
        worst = maswseq_worst(f, pick);
    }
}

// Chooses the individual to improve, and prepares its chain.
kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void maswseq_begin(global real *x, global sum *acc, global uint *chain, global real *pace, global uint *now,
                   const uint cycle, const uint seed, const uint run)
{
    local sum f[POP];
    local uint pick[1];
    const uint l = get_local_id(0);
    if (l == 0) {
        uint c = POP;
        for (uint j = 0; j < POP; j++)
            if (chain[j * CHAIN] == 0 && (c == POP || maswseq_better(maswseq_stored(acc, j), maswseq_stored(acc, c))))
                c = j;
        if (c == POP) c = draw_int(draw_words(0, 0, cycle, DRAW_CHOOSE, (uint2)(seed, run)).x, POP);
        now[0] = pick[0] = c;
        for (int a = 0; a < ACCS; a++) acc[POP * ACCS + a] = acc[c * ACCS + a];
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    const uint c = pick[0];
    maswseq_copy(ROW(x, POP), ROW(x, c));
    const bool fresh = chain[c * CHAIN + 1] == 0;
    if (fresh)
        for (uint b = 0; b < POP; b += GROUP) { // items take individuals in turn
            const uint j = b + l;
            if (j >= POP) continue;
            sum s = sum_zero();
            for (uint i = 0; i < DIM; i++) sum_add(&s, sq(ROW(x, c)[i] - ROW(x, j)[i]));
            f[j] = s;
        }
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    if (l > 0 || !fresh) return;
    sum nearest = sum_zero();
    for (uint j = 0; j < POP; j++)
        if (maswseq_less(sum_zero(), f[j]) && (!maswseq_less(sum_zero(), nearest) || maswseq_less(f[j], nearest)))
            nearest = f[j];
    pace[2 * c] = maswseq_less(sum_zero(), nearest) ? maswseq_root(nearest) / (real)(2 * DIM)
                                                    : R(1e-3) * (BOX_HI - BOX_LO);
    pace[2 * c + 1] = 0;
    chain[c * CHAIN + 1] = 1;
    for (uint r = 2; r < CHAIN; r++) chain[c * CHAIN + r] = 0;
}

// Stores the improved point in place of its individual, and marks the individual if little was gained.
kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void maswseq_end(global real *x, global sum *acc, global uint *chain, global uint *now)
{
    const uint c = now[0];
    const sum before = maswseq_stored(acc, c), after = maswseq_stored(acc, POP);
    const bool kept = maswseq_better(after, before);
    const bool enough = kept && !(maswseq_less_by(before, after) < R(1e-8) * fabs(maswseq_real(after)));
    barrier(CLK_GLOBAL_MEM_FENCE);
    if (kept) maswseq_copy(ROW(x, c), ROW(x, POP));
    if (get_local_id(0) > 0) return;
    if (kept)
        for (int a = 0; a < ACCS; a++) acc[c * ACCS + a] = acc[POP * ACCS + a];
    chain[c * CHAIN] = !enough;
    if (!enough) chain[c * CHAIN + 1] = 0;
}
