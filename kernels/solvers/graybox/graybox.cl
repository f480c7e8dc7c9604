// graybox/graybox.cl: common definitions of the gray-box kernels. Comes after graybox/view.cl.
//
// Part u is PART_TILES tiles, or one of PARTS_PER_TILE lists of variables of a tile. Each part has its own
// individuals. Selection, acceptance and adaptation use the value of the part alone.
//
// Layout of a shard, whose first part is `first` and whose first variable is `lo`:
//   x[j*stride + i - lo]      individual j < POP; with chains, row POP is the point under improvement
//   bias[k*stride + i - lo]   Solis-Wets bias k < PART_ROWS; absent with PART_MTS
//   acc[((u - first)*PART_POINTS + j)*ACCS + a]   accumulators of row j
//   slot[(u - first)*2*POP + j]          1: individual j is marked
//   slot[(u - first)*2*POP + POP + j]    its bias, PART_ROWS if it has none
//   chain[((u - first)*PART_ROWS + k)*6]  of bias k: owner (POP: none), age, successes, failures, pending, counter of
//                             the deviation
//   pace[((u - first)*PART_ROWS + k)*PART_PACE]   rho and scale; the bias is scale times the stored one, scale 0: none
//   now[(u - first)*4]        individual under improvement, its bias, values that were not finite, best row
//
// A group works on one part. All items have the same sums and therefore decide alike. All items enter a loop with a
// barrier after it equally often: where some stayed out, a runtime that turns groups into loops lost results.
// A group may have POINTS candidates at a time, if it has its tile and its variables for itself. Candidate k is then
// y[k*PART_SPAN] and on.
//
// Defines:
//   POP             individuals of a part
//   PART_TILES      tiles of a part
//   PART_USED       variables of a tile that are read
//   PART_SPAN       variables of the largest part
//   PART_ROWS       biases of a part
//   PART_POINTS     rows of acc for each part
//   PART_SYNC       1: all individuals are improved at the same time, each with the bias of its number
//   PART_RUNS       1: tiles are independent runs
//   PART_CMA, PART_MTS   1: graybox/cma.cl or graybox/mts.cl is the local search
//   PART_PACE       numbers in pace for each bias
//   PART_COLOURS    parts u, u + PART_COLOURS, … have no component in common
//   PART_KEEP       1: deviates are kept in local memory
//   PART_BACK       components of the tile before that read variables of a part
//   PART_BEFORE     variables before the part that its components read
//   PARTS_PER_TILE  lists of variables in each tile; 0: parts are tiles
//   PART_MAP        where the maps of variables begin in the table parts
//   PART_COEFS      coefficients of the accumulators, as bits
//   MASW_ALPHA, MASW_MUTATE   of BLX-alpha and BGA mutation, see masw/child.cl

#define PART_PARAMS global real *x, global real *bias, const ulong stride, uint lo, global sum *acc, \
    global uint *slot, global uint *chain, global real *pace, global uint *now, global real *work, \
    global const uint *parts, uint first, const uint unit0, const uint turn0, const uint turns, \
    const uint seed, uint run

// Whether a part has one chain at a time, which is followed to its end (word 2 of the chain is then 2). Word 4 counts
// the chains of the part.
#define PART_FOLLOWED (PART_CMA || PART_MTS)

// Most kernels begin with this: the part u of the group, its number `home` in the shard, and its variables.
#define PART_HEAD \
    uint u = PART_OF_GROUP; \
    PART_ENTER(u) \
    const ulong home = u - first; \
    const graybox_range range = PART_VARS(u);

// Each tile may also be an independent run of a problem with one tile (PART_RUNS 1). PART_ENTER_TILE(t) then turns
// tile t into the only tile of run `run` + t, and PART_ENTER(u) turns part u into a part of that run. Indices are
// relative to lo and first, which may wrap around.
#if PART_RUNS
#define PART_PER max((uint)PARTS_PER_TILE, 1u)
#define PART_ENTER_TILE(t) lo -= t * DIM; run += t; t = 0;
#define PART_ENTER(u) { uint t_ = u / PART_PER; u -= t_ * PART_PER; first -= t_ * PART_PER; PART_ENTER_TILE(t_) }
#else
#define PART_ENTER_TILE(t)
#define PART_ENTER(u)
#endif

// Parts that are lists of variables are the same in every tile (problems.PartsOf): part u has list
// w = u mod PARTS_PER_TILE. The table parts has
//   parts[4w ..]   where the variables of list w begin in parts, their number, where its components begin, their number
//   parts[PART_MAP + v]                 the list of variable v of a tile, PART_NONE if none
//   parts[PART_MAP + PART_USED + v]     its place in the list
//   parts[PART_MAP + 2*PART_USED + w]   how many variables the lists before w have
//
// Where PART_SHARED, components read variables of several parts. work is then the assembled point, from variable
// lo - PART_BEFORE on: it joins the best rows of all parts.
#define PART_SHARED (PART_COLOURS > 1 || PARTS_PER_TILE > 0)

#if PARTS_PER_TILE > 0

// Groups work on lists turn0 .. turn0 + turns - 1 of the tiles from that of part unit0 on.
#define PART_OF_GROUP (unit0 + (uint)get_group_id(1) / turns * PARTS_PER_TILE + turn0 + (uint)get_group_id(1) % turns)
#define PART_POINT(u, k) ((point){ y, work, parts + PART_MAP, parts + PART_MAP + PART_USED, lo - PART_BEFORE, \
    (u) / PARTS_PER_TILE * TILE_VARS, (u) % PARTS_PER_TILE })
// Tile t of a stored point.
#define PART_STORED(a, a_lo, t) \
    ((point){ y, a, parts + PART_MAP, parts + PART_MAP + PART_USED, a_lo, (t) * TILE_VARS, PART_NONE })

// The variables of a part: base + list[v], v < n.
typedef struct { global const uint *list; uint base, n; } graybox_range;

#define PART_VARS(u) ((graybox_range){ parts + parts[4 * ((u) % PARTS_PER_TILE)], (u) / PARTS_PER_TILE * TILE_VARS, \
    parts[4 * ((u) % PARTS_PER_TILE) + 1] })
#define PART_VAR(r, v) ((r).base + (r).list[v])

// PART_EACH is a loop of all items over the variables of a part. PART_QUAD in its body visits variables i of quad q,
// where i is variable v of the part.
#define PART_EACH(r, body) \
    for (uint b_ = 0; b_ < PART_SPAN; b_ += GROUP) { \
        const uint v = b_ + get_local_id(0); \
        if (v < (r).n) { const uint i_ = PART_VAR(r, v), q = i_ >> 2; body } \
    }
#define PART_QUAD(r, body) { const uint i = i_, k_ = i_ & 3u; body }
#define PART_GET(name, p) real name##_ = (p)[i_ - lo];
#define PART_NEW(name) real name##_;
#define PART_NORMALS(w) const float normal_ = draw_normal(w, i_);
#define PART_NORMAL normal_
#define PART_GOT(name) name##_
#define PART_PUT(name, p) (p)[i_ - lo] = name##_;
#define PART_SINGLE(r, body) PART_EACH(r, PART_QUAD(r, body))

#else

#define PART_OF_GROUP (unit0 + PART_COLOURS * (uint)get_group_id(1))
#if PART_SHARED
#define PART_POINT(u, k) ((point){ y, range.base, range.base + range.n, work, lo - PART_BEFORE })
#define PART_STORED(a, a_lo, t) ((point){ y, 0, 0, a, a_lo })
#else
#define PART_POINT(u, k) ((point){ y + (k) * PART_SPAN, range.base })
#endif

// The variables of a part: base + v, v < n.
typedef struct { uint base, n; } graybox_range;

static graybox_range graybox_vars(uint u)
{
    const uint t0 = u * PART_TILES, t1 = min(t0 + PART_TILES, TILES);
    const uint lo = min(t0 * TILE_VARS, DIM), hi = t1 == TILES ? DIM : min(t1 * TILE_VARS, DIM);
    return (graybox_range){ lo, (PART_TILES == 1 ? min(hi, lo + PART_USED) : hi) - lo };
}

#define PART_VARS(u) graybox_vars(u)
#define PART_VAR(r, v) ((r).base + (v))

// The same loop, with a quad per item.
#define PART_QUADS ((PART_SPAN + 6) / 4)
// The loop is not unrolled: with the registers of two rounds, fewer groups fit on a multiprocessor (F14: 82 us
// instead of 51).
#define PART_EACH(r, body) \
    _Pragma("unroll 1") \
    for (uint b_ = 0; b_ < PART_QUADS; b_ += GROUP) { \
        const uint q = ((r).base >> 2) + b_ + get_local_id(0); \
        if (4 * q < (r).base + (r).n) body \
    }
#define PART_QUAD(r, body) \
    _Pragma("unroll") \
    for (uint k_ = 0; k_ < 4; k_++) { \
        const uint i = 4 * q + k_, v = i - (r).base; \
        if (v < (r).n) body \
    }

// These belong in the body of PART_EACH. PART_GET(a, p) reads p, which is indexed like rows of x, at the variables of
// the quad; in PART_QUAD, PART_GOT(a) is the value for variable i. PART_NEW(a) declares such values without reading,
// and PART_PUT(a, p) writes them. Reads and writes are wide: four single ones would be four times the work.
#define PART_GET(name, p) real name##_[4]; graybox_four(p, 4 * q - lo, 4 * q - range.base, range.n, name##_);
#define PART_NEW(name) real name##_[4];
#define PART_NORMALS(w) float normal_[4]; draw_normals(w, normal_);
#define PART_NORMAL normal_[k_]
#define PART_GOT(name) name##_[k_]
#define PART_PUT(name, p) graybox_put(p, 4 * q - lo, 4 * q - range.base, range.n, name##_);

// Sets v[k] = p[at + k] where from + k < n, else 0. from may be below 0 and has then wrapped around.
static inline __attribute__((always_inline)) void graybox_four(global const real *p, uint at, uint from, uint n,
                                                               real *v)
{
    if (from < n && from + 4 <= n) {
        four_get(p + at, v);
        return;
    }
#pragma unroll
    for (uint k = 0; k < 4; k++) v[k] = from + k < n ? p[at + k] : (real)0;
}

// Sets p[at + k] = v[k] where from + k < n.
static inline __attribute__((always_inline)) void graybox_put(global real *p, uint at, uint from, uint n, const real *v)
{
    if (from < n && from + 4 <= n) {
        four_put(p + at, v);
        return;
    }
#pragma unroll
    for (uint k = 0; k < 4; k++)
        if (from + k < n) p[at + k] = v[k];
}

// PART_SINGLE is a loop of all items over single variables, for work without draws. Neighbouring items take
// neighbouring variables. If it reads what PART_EACH writes, or the other way round, a barrier for global memory must
// come between them.
#define PART_SINGLE(r, body) \
    for (uint b_ = 0; b_ < PART_SPAN; b_ += GROUP) { \
        const uint v = b_ + get_local_id(0), i = PART_VAR(r, v); \
        if (v < (r).n) { body } \
    }

#endif

constant ulong graybox_coefs[ACCS] = { PART_COEFS };

#if SUM_FP64
static bool graybox_less(sum a, sum b) { return a < b; }
static bool graybox_finite(sum a) { return isfinite(a); }
static sum graybox_scaled(sum a, ulong coef) { return as_double(coef) * a; }
static real graybox_less_by(sum a, sum b) { return (real)(a - b); }
static real graybox_real(sum a) { return (real)a; }
static real graybox_root(sum a) { return (real)sqrt(a); }
#else
static bool graybox_less(sum a, sum b) { return a.x < b.x || (a.x == b.x && a.y < b.y); }
static bool graybox_finite(sum a) { return isfinite(a.x); }
static sum graybox_scaled(sum a, ulong coef)
{
    const float c = as_float((uint)coef), p = c * a.x;
    return sum_pair(p, 0.0f, fma(c, a.x, -p) + c * a.y);
}
static real graybox_less_by(sum a, sum b) { return (a.x - b.x) + (a.y - b.y); }
static real graybox_real(sum a) { return a.x; }
static real graybox_root(sum a) { return root(a.x); }
#endif

// Whether value a ranks before b: finite values rank before others, then the smaller one does.
static bool graybox_better(sum a, sum b)
{
    return graybox_finite(a) && (!graybox_finite(b) || graybox_less(a, b));
}

// The value a, with one value for all that are not finite, so that graybox_less ranks as graybox_better does.
static sum graybox_ranked(sum a)
{
    sum last = sum_zero();
    sum_add(&last, (real)INFINITY);
    return graybox_finite(a) ? a : last;
}

// The value of a part from its accumulators.
static sum graybox_value(const sum *a)
{
    sum v = graybox_scaled(a[0], graybox_coefs[0]);
    for (int k = 1; k < ACCS; k++) v = sum_join(v, graybox_scaled(a[k], graybox_coefs[k]));
    return v;
}

// The value of a row from its stored accumulators.
static sum graybox_stored(global const sum *acc, uint row)
{
    sum a[ACCS];
    for (int k = 0; k < ACCS; k++) a[k] = acc[(ulong)row * ACCS + k];
    return graybox_value(a);
}

// Totals the accumulators of POINTS candidates over a group; every item gets them. tree has POINTS*GROUP places.
static inline __attribute__((always_inline)) void graybox_totals(sum *s, local sum *tree)
{
    for (int a = 0; a < ACCS; a++) {
        sum v[POINTS];
        for (int k = 0; k < POINTS; k++) v[k] = s[k * ACCS + a];
        group_sums(v, POINTS, tree);
        for (int k = 0; k < POINTS; k++) s[k * ACCS + a] = tree[k * GROUP];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
}

// Computes the accumulators of tile t; every item gets them.
static inline __attribute__((always_inline)) void graybox_tile(uint t, const point *y, data d, local real *scratch,
                                                               local sum *tree, sum *s)
{
    for (int a = 0; a < POINTS * ACCS; a++) s[a] = sum_zero();
    tile(t, y, d, scratch, tree, s);
    graybox_totals(s, tree);
}

// Computes the accumulators of part u at POINTS candidates; every item gets them.
static inline __attribute__((always_inline)) void graybox_evaluate(uint u, const point *y, data d,
                                                                   global const uint *parts, local real *scratch,
                                                                   local sum *tree, sum *s)
{
#if PARTS_PER_TILE > 0
    const uint w = u % PARTS_PER_TILE, comps = parts[4 * w + 3], from = u / PARTS_PER_TILE * TILE_COMPS;
    for (int a = 0; a < ACCS; a++) s[a] = sum_zero();
    uint done = 0;
#ifdef TOGETHER
    // groups of variables that all items compute together; they come first
    for (; done < comps; done++) {
        const uint c = from + parts[parts[4 * w + 2] + done];
        if (!TOGETHER(c)) break;
        component_together(c, *y, d, scratch, s);
        barrier(CLK_LOCAL_MEM_FENCE);
    }
#endif
    for (uint b = done; b < comps; b += GROUP) {
        const uint k = b + get_local_id(0);
        if (k < comps) tile_add(from + parts[parts[4 * w + 2] + k], *y, d, s);
    }
    graybox_totals(s, tree);
#elif PART_BACK > 0
    // The components of the tile, and those of the tile before that read its variables.
    for (int a = 0; a < ACCS; a++) s[a] = sum_zero();
    tile(u, y, d, scratch, tree, s);
    if (u > 0)
        for (uint k = get_local_id(0); k < PART_BACK; k += GROUP)
            tile_add(u * TILE_COMPS - PART_BACK + k, *y, d, s);
    graybox_totals(s, tree);
#elif PART_TILES == 1
    graybox_tile(u, y, d, scratch, tree, s);
#else
    // Add in the order of eval_fold and of the host: tiles within super-tiles, then super-tiles.
    const uint supers = min(TILES, 256u);
    for (int a = 0; a < ACCS; a++) s[a] = sum_zero();
    for (uint k = 0; k < supers; k++) {
        sum v[ACCS], w[ACCS];
        for (int a = 0; a < ACCS; a++) v[a] = sum_zero();
        const uint end = (uint)((ulong)(k + 1) * TILES / supers);
        for (uint t = (uint)((ulong)k * TILES / supers); t < end; t++) {
            graybox_tile(t, y, d, scratch, tree, w);
            for (int a = 0; a < ACCS; a++) v[a] = sum_join(v[a], w[a]);
        }
        for (int a = 0; a < ACCS; a++) s[a] = sum_join(s[a], v[a]);
    }
#endif
}

// A gene of a child from the genes a and b of its parents and the word w of a draw.
static real graybox_gene(real a, real b, uint w)
{
    const real lo = fmin(a, b), hi = fmax(a, b), spread = MASW_ALPHA * (hi - lo);
    const real from = fmax(BOX_LO, lo - spread), to = fmin(BOX_HI, hi + spread);
    return fmin(fma(draw_uniform(w), to - from, from), to);
}

// BGA mutation of a part: which variable moves (DIM: none), and by how much.
typedef struct { uint var; real move; } graybox_mutation;

static graybox_mutation graybox_mutate(uint u, graybox_range range, uint who, uint when, uint2 key)
{
    graybox_mutation m = { DIM, 0 };
    const uint4 w = draw_words(u, who, when, DRAW_MUTATE, key);
    if (w.x < MASW_MUTATE && range.n > 0) {
        m.var = PART_VAR(range, draw_int(w.y, range.n));
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
static uint3 graybox_others(uint j, uint wa, uint wb, uint wc)
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

// The individual of three that is farthest from row j over the variables of a part, the first of equals.
static inline __attribute__((always_inline)) uint graybox_farthest(global const real *x, ulong stride, uint lo,
                                                                   graybox_range range, uint j, uint3 r,
                                                                   local sum *tree)
{
    sum s[3] = { sum_zero(), sum_zero(), sum_zero() };
    PART_SINGLE(range, {
        const real gene = x[stride * j + (i - lo)];
        sum_add(s, sq(gene - x[stride * r.x + (i - lo)]));
        sum_add(s + 1, sq(gene - x[stride * r.y + (i - lo)]));
        sum_add(s + 2, sq(gene - x[stride * r.z + (i - lo)]));
    })
    group_sums(s, 3, tree);
    uint m = r.x;
    sum far = tree[0];
    if (graybox_less(far, tree[GROUP])) { m = r.y; far = tree[GROUP]; }
    if (graybox_less(far, tree[2 * GROUP])) m = r.z;
    barrier(CLK_LOCAL_MEM_FENCE);
    return m;
}

// The loop of a launch over its rounds [when, when + count); t is the number of the round.
#if ONE_ROUND
#define PART_ROUNDS(t) const uint t = when;
#else
#define PART_ROUNDS(t) for (uint t = when; t < when + count; t++)
#endif
