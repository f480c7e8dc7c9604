// cec2013/panel.cl: one tile of POINTS points at once, so that shifts, weights and above all rotations are read once
// for all points. The formulas are those of cec2013/cec2013.cl, whose helpers it uses. This form suits devices that
// run many work-items at a time.
//
// z[CEC_AT(p, k)] in local memory is position p of point k. Points that fill 16 bytes, two in float64, lie next to each
// other: an item reads and writes them with one instruction. If all points of a position lay next to each other, the
// items of a group would meet in the same banks of local memory more often (H100: F8 would take 1.06 of the time).
// The phases, with barriers between them: variables are copied to their positions; positions are rotated in place;
// terms are added or, where a base function is not a sum, stored; stored values are summed by chunks of positions, each
// of which lies inside one group. All orders are fixed.
//
// Functions without permutation and rotation whose terms add up (CEC_DIRECT) need no local memory for this: an item
// takes quads from the view and adds their terms.
//
// Tables: those of cec2013/cec2013.cl, and to[i] = position of variable i of a tile. Where a variable can have two
// positions (CEC_TWICE), to[CEC_READ + i] is the second one, or CEC_POSITIONS if there is none.
// round[(r*CEC_LANES + l)*(4 + CEC_BATCHES)] says what item l rotates in round r: size (0: nothing), number n of
// groups, row, the index in rot of column 0 of the row, and n group starts. All rows of a group are in one round.
// Defines: CEC_ROUNDS, CEC_LANES (at most GROUP), CEC_BATCHES (the largest n), CEC_FINE (divides all sizes).

#define CEC_PLACED (CEC_PANEL && !CEC_DIRECT)
#define CEC_LOOSE (CEC_BASE == CEC_ACKLEY && CEC_ROTATED < CEC_POSITIONS) // the last group is not rotated

#if CEC_PLACED
// POINTS is 2 or 4.
#if REAL_BITS == 64 || POINTS == 2
#define CEC_LENGTH 2
typedef real2 cec_vector;
#else
#define CEC_LENGTH 4
typedef real4 cec_vector;
#endif
#define CEC_VECTORS (POINTS / CEC_LENGTH)
#define CEC_AT(p, k) (((k) / CEC_LENGTH * CEC_POSITIONS + (p)) * CEC_LENGTH + (k) % CEC_LENGTH)

// A position of all points.
typedef union { cec_vector v[CEC_VECTORS]; real s[POINTS]; } cec_panel;

// These use vector pointers, because vload promises no alignment and becomes as many loads as there are elements.
static cec_panel cec_get(local const real *z, uint p)
{
    cec_panel a;
#pragma unroll
    for (uint i = 0; i < CEC_VECTORS; i++) a.v[i] = ((local const cec_vector *)z)[i * CEC_POSITIONS + p];
    return a;
}

static void cec_put(local real *z, uint p, cec_panel a)
{
#pragma unroll
    for (uint i = 0; i < CEC_VECTORS; i++) ((local cec_vector *)z)[i * CEC_POSITIONS + p] = a.v[i];
}
#endif

#if CEC_PANEL && CEC_BASE == CEC_ACKLEY
// y of position p from its z.
static real cec_wavy(uint p, real z, data d) { return d.lambda[p] * tosz_asy(z, d.u[p]); }
#endif

#if CEC_PANEL
// Adds v to the accumulator of point k, an index that the compiler does not know. The other accumulators get a zero
// instead of a branch: POCL 5 merges the last two of four branches.
static void cec_add(sum *acc, uint k, real v)
{
#pragma unroll
    for (uint j = 0; j < POINTS; j++) sum_add(acc + j, j == k ? v : R(0.0));
}
#endif

#if CEC_PANEL && CEC_LOOSE
// Adds the last group, which is not rotated, from the squares and waves of its y over all items.
static inline __attribute__((always_inline)) void cec_loose(const sum *squares, const sum *waves, data d,
                                                            local sum *tree, sum *acc)
{
    const uint l = get_local_id(0), g = CEC_GROUPS - 1;
    group_sums(squares, POINTS, tree);
    const sum a = l < POINTS ? tree[l * GROUP] : sum_zero();
    barrier(CLK_LOCAL_MEM_FENCE);
    group_sums(waves, POINTS, tree);
    if (l < POINTS) cec_add(acc, l, d.weight[g] * cec_ackley(sum_real(a), sum_real(tree[l * GROUP]), d.size[g]));
    barrier(CLK_LOCAL_MEM_FENCE);
}
#endif

#if CEC_PANEL && CEC_DIRECT && CEC_BASE == CEC_ROSENBROCK

static inline __attribute__((always_inline)) void tile(uint t, const point *x, data d,
                                                       local real *z, local sum *tree, sum *acc)
{
    // The term of the last variable of a quad needs the first variable of the next quad. Another item has it and
    // passes it on in z.
    const uint quads = CEC_POSITIONS / 4;
    real last[(CEC_POSITIONS / 4 + GROUP - 1) / GROUP][POINTS];
#pragma unroll
    for (uint h = 0; h < (CEC_POSITIONS / 4 + GROUP - 1) / GROUP; h++) {
        const uint q = h * GROUP + get_local_id(0);
        if (q < quads) {
#pragma unroll
            for (uint k = 0; k < POINTS; k++) {
                real a[4];
                at_quad(x[k], t * quads + q, a);
#pragma unroll
                for (uint u = 0; u < 4; u++) a[u] = cec_shifted(t, 4 * q + u, a[u], d);
#pragma unroll
                for (uint u = 0; u < 3; u++) sum_add(acc + k, cec_rosenbrock(a[u], a[u + 1]));
                z[k * quads + q] = a[0];
                last[h][k] = a[3];
            }
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
#pragma unroll
    for (uint h = 0; h < (CEC_POSITIONS / 4 + GROUP - 1) / GROUP; h++) {
        const uint q = h * GROUP + get_local_id(0);
        if (q + 1 < quads) {
#pragma unroll
            for (uint k = 0; k < POINTS; k++) sum_add(acc + k, cec_rosenbrock(last[h][k], z[k * quads + q + 1]));
        }
    }
}

#elif CEC_PANEL && CEC_DIRECT

static inline __attribute__((always_inline)) void tile(uint t, const point *x, data d,
                                                       local real *z, local sum *tree, sum *acc)
{
#if CEC_BASE == CEC_ACKLEY
    sum waves[POINTS], squares[POINTS];
    for (int k = 0; k < POINTS; k++) waves[k] = squares[k] = sum_zero();
#endif
#if POINTS == 1
#pragma unroll 1 // saves registers
#endif
    for (uint q = 4 * get_local_id(0); q < CEC_POSITIONS; q += 4 * GROUP) {
#pragma unroll
        for (uint k = 0; k < POINTS; k++) {
            real four[4];
            at_quad(x[k], (t * CEC_POSITIONS + q) >> 2, four);
#pragma unroll
            for (uint u = 0; u < 4; u++) {
                const real v = cec_shifted(t, q + u, four[u], d);
#if CEC_BASE == CEC_ACKLEY
                const real w = cec_wavy(q + u, v, d);
                sum_add(squares + k, w * w);
                sum_add(waves + k, sin2_pi(w));
#else
                sum_add(acc + k, cec_term(q + u, v, d));
#endif
            }
        }
    }
#if CEC_BASE == CEC_ACKLEY
    cec_loose(squares, waves, d, tree, acc);
#endif
}

#endif

#if CEC_PLACED
// Copies the variables of tile t of all points to their positions, shifted. An item takes a quad at a time.
static inline __attribute__((always_inline)) void cec_stage(uint t, const point *x, data d, local real *z)
{
    for (uint i = 4 * get_local_id(0); i < CEC_READ; i += 4 * GROUP) {
        real four[POINTS][4];
        const uint end = CEC_READ % 4 == 0 ? 4 : min(4u, CEC_READ - i);
#pragma unroll
        for (uint k = 0; k < POINTS; k++) {
            if (end == 4) at_quad(x[k], (t * CEC_POSITIONS + i) >> 2, four[k]);
            else for (uint u = 0; u < end; u++) four[k][u] = at(x[k], t * CEC_POSITIONS + i + u);
        }
#pragma unroll
        for (uint u = 0; u < 4; u++) {
            if (u >= end) break;
            cec_panel v, a;
#pragma unroll
            for (uint k = 0; k < POINTS; k++) v.s[k] = four[k][u];
            uint p = d.to[i + u];
#pragma unroll
            for (uint k = 0; k < POINTS; k++) a.s[k] = cec_shifted(t, p, v.s[k], d);
            cec_put(z, p, a);
#if CEC_TWICE
            p = d.to[CEC_READ + i + u];
            if (p < CEC_POSITIONS) {
#pragma unroll
                for (uint k = 0; k < POINTS; k++) a.s[k] = cec_shifted(t, p, v.s[k], d);
                cec_put(z, p, a);
            }
#endif
        }
    }
}
#endif

#if CEC_PLACED && CEC_ROTATED > 0
// Adds a row of a matrix of s rows times n groups, whose positions begin at `starts`, to v[0..n). An element is read
// once for all groups and points. Sizes are multiples of five.
static inline __attribute__((always_inline)) void cec_row(const uint n, global const real *row, uint s,
                                                          local const real *z, const uint *starts, cec_panel *v)
{
    for (uint j = 0; j < s; j += 5) {
        real m[5];
#pragma unroll
        for (uint h = 0; h < 5; h++) m[h] = row[(j + h) * s];
#pragma unroll
        for (uint h = 0; h < 5; h++) {
#pragma unroll
            for (uint k = 0; k < n; k++) {
                const cec_panel a = cec_get(z, starts[k] + j + h);
#pragma unroll
                for (uint i = 0; i < CEC_VECTORS; i++) v[k].v[i] = fma((cec_vector)(m[h]), a.v[i], v[k].v[i]);
            }
        }
    }
}

static inline __attribute__((always_inline)) void cec_rotate(data d, local real *z)
{
    const uint l = get_local_id(0);
    for (uint r = 0; r < CEC_ROUNDS; r++) {
        uint e[4 + CEC_BATCHES];
        for (uint k = 0; k < 4 + CEC_BATCHES; k++)
            e[k] = l < CEC_LANES ? d.round[(r * CEC_LANES + l) * (4 + CEC_BATCHES) + k] : 0;
        const uint s = e[0], n = e[1];
        global const real *row = d.rot + e[3];
        cec_panel v[CEC_BATCHES];
        for (uint k = 0; k < CEC_BATCHES; k++)
            for (uint i = 0; i < CEC_VECTORS; i++) v[k].v[i] = (cec_vector)(R(0.0));
#if CEC_BATCHES == 5
        if (n == 5) cec_row(5, row, s, z, e + 4, v);
#endif
#if CEC_BATCHES >= 4
        if (n == 4) cec_row(4, row, s, z, e + 4, v);
#endif
        if (n == 2) cec_row(2, row, s, z, e + 4, v);
        if (n == 1) cec_row(1, row, s, z, e + 4, v);
        barrier(CLK_LOCAL_MEM_FENCE);
#pragma unroll
        for (uint k = 0; k < CEC_BATCHES; k++) if (k < n) cec_put(z, e[4 + k] + e[2], v[k]);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
}
#endif

#if CEC_PLACED && CEC_TOTALS
// Sums over the chunks of positions below `to`. An item works on one point: item l on point l mod POINTS.
static inline __attribute__((always_inline)) void cec_chunks(data d, local real *z, const uint to, sum *acc)
{
    const uint l = get_local_id(0), k = l % POINTS;
    sum own = sum_zero();
#if CEC_BASE == CEC_SCHWEFEL
    // Prefix sums in place inside each chunk; then each chunk adds the totals of the chunks before it.
    for (uint c = l / POINTS * CEC_CHUNK; c < to; c += GROUP / POINTS * CEC_CHUNK) {
        real v = R(0.0);
        for (uint p = c; p < c + CEC_CHUNK; p++) {
            v += z[CEC_AT(p, k)];
            z[CEC_AT(p, k)] = v;
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint c = l / POINTS * CEC_CHUNK; c < to; c += GROUP / POINTS * CEC_CHUNK) {
        const uint g = d.group[c];
        real before = R(0.0), v = R(0.0);
        for (uint p = d.start[g] + CEC_CHUNK; p <= c; p += CEC_CHUNK) before += z[CEC_AT(p - 1, k)];
        for (uint p = c; p < c + CEC_CHUNK; p++) v += sq(before + z[CEC_AT(p, k)]);
        sum_add(&own, d.weight[g] * v);
    }
#else
    // The sums of squares and of waves of a chunk are stored in its first two places.
    for (uint c = l / POINTS * CEC_FINE; c < to; c += GROUP / POINTS * CEC_FINE) {
        real a = R(0.0), b = R(0.0);
        for (uint p = c; p < c + CEC_FINE; p++) {
            const real y = z[CEC_AT(p, k)];
            a += y * y;
            b += sin2_pi(y);
        }
        z[CEC_AT(c, k)] = a;
        z[CEC_AT(c + 1, k)] = b;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint g = l / POINTS; g < CEC_GROUPS && d.start[g] < to; g += GROUP / POINTS) {
        real a = R(0.0), b = R(0.0);
        for (uint c = d.start[g]; c < d.start[g] + d.size[g]; c += CEC_FINE) {
            a += z[CEC_AT(c, k)];
            b += z[CEC_AT(c + 1, k)];
        }
        sum_add(&own, d.weight[g] * cec_ackley(a, b, d.size[g]));
    }
#endif
    cec_add(acc, k, sum_real(own));
}
#endif

#if CEC_PLACED
static inline __attribute__((always_inline)) void tile(uint t, const point *x, data d,
                                                       local real *z, local sum *tree, sum *acc)
{
    cec_stage(t, x, d, z);
    barrier(CLK_LOCAL_MEM_FENCE);
#if CEC_ROTATED > 0
    cec_rotate(d, z);
#endif
#if CEC_LOOSE
    sum waves[POINTS], squares[POINTS];
    for (int k = 0; k < POINTS; k++) waves[k] = squares[k] = sum_zero();
#endif
    for (uint p = get_local_id(0); p < CEC_POSITIONS; p += GROUP) {
        cec_panel v = cec_get(z, p);
#if CEC_BASE == CEC_ACKLEY
#pragma unroll
        for (uint k = 0; k < POINTS; k++) v.s[k] = cec_wavy(p, v.s[k], d);
#endif
#if CEC_LOOSE
        if (p >= CEC_ROTATED) {
#pragma unroll
            for (uint k = 0; k < POINTS; k++) {
                sum_add(squares + k, sq(v.s[k]));
                sum_add(waves + k, sin2_pi(v.s[k]));
            }
            continue;
        }
#endif
#if CEC_BASE == CEC_ACKLEY
        cec_put(z, p, v);
#elif CEC_BASE == CEC_SCHWEFEL
        if (p < CEC_SINGLE) {
#pragma unroll
            for (uint k = 0; k < POINTS; k++) v.s[k] = tosz_asy(v.s[k], d.u[p]);
            cec_put(z, p, v);
        } else {
#pragma unroll
            for (uint k = 0; k < POINTS; k++) sum_add(acc + k, sq(v.s[k]));
        }
#else
#pragma unroll
        for (uint k = 0; k < POINTS; k++) sum_add(acc + k, cec_term(p, v.s[k], d));
#endif
    }
#if CEC_TOTALS
    barrier(CLK_LOCAL_MEM_FENCE);
    cec_chunks(d, z, CEC_BASE == CEC_ACKLEY ? CEC_ROTATED : CEC_SINGLE, acc);
#endif
#if CEC_LOOSE
    cec_loose(squares, waves, d, tree, acc);
#endif
}
#endif
