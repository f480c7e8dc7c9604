// cec2013/tile.cl: one tile of a CEC'2013 function per work-group, for one point. This is the cooperative form.
// Formulas, tables and defines are those of cec2013/cec2013.cl.
//
// task[r*(3 + CEC_BATCH)]: one row for CEC_BATCH groups that share a rotation: size of the groups, row, index of its
// column 0 in rot, and the starts of the groups. The elements of the row are read once for all of them.

#define CEC_TILE (COOPERATIVE && !CEC_PANEL)

// The range of positions whose terms are added one by one.
#define CEC_TERMS_FROM (CEC_TOTALS ? CEC_SINGLE : 0)
#define CEC_TERMS_TO (CEC_BASE == CEC_ROSENBROCK ? CEC_POSITIONS - 1 : CEC_POSITIONS)

#if CEC_TILE && WIDE && CEC_SHIFT == 2
// All items subtract the drawn shifts from v[0..n) of tile t.
static inline __attribute__((always_inline)) void cec_less_all_drawn(local real *v, uint t, uint n)
{
    for (uint i = 32 * get_local_id(0); i < n; i += 32 * GROUP) {
        if (i + 32 > n) {
            for (; i < n; i++) v[i] = cec_less_drawn(v[i], t * CEC_POSITIONS + i);
            break;
        }
        uint8 w[4];
        draw_words_eight((t * CEC_POSITIONS + i) >> 2, 0, 0, DRAW_SHIFT, (uint2)(CEC_SEED, CEC_FUNCTION), w);
        draw_in_order(w);
        for (uint k = 0; k < 4; k++) {
            const real8 a = vload8(k, v + i), s = R(2.0) * draw_uniform_eight(w[k]) - R(1.0); // exact
#if REAL_BITS == 64
            vstore8(a - CEC_REACH * s, k, v + i);
#else
            const real8 high = CEC_REACH * s, low = fma((real8)(CEC_REACH), s, -high) + CEC_REACH_LO * s;
            vstore8((a - high) - low, k, v + i);
#endif
        }
    }
}
#endif

#if CEC_TILE && WIDE && CEC_ROTATED > 0
// Rotates CEC_CHUNK rows of CEC_BATCH groups that share a matrix, beginning with the row of `task`. The rows are
// taken in bands of eight, of which the last two may overlap.
#define CEC_BANDS ((CEC_CHUNK + 7) / 8)
#define CEC_BAND(b) min(8u * (b), CEC_CHUNK - 8u)

static inline __attribute__((always_inline)) void cec_slab(global const uint *task, data d,
                                                           local const real *z, local real *y)
{
    const uint s = task[0];
    global const real *m = d.rot + task[2];
    real8 v[CEC_BANDS][CEC_BATCH];
#pragma unroll
    for (uint b = 0; b < CEC_BANDS; b++)
#pragma unroll
        for (uint k = 0; k < CEC_BATCH; k++) v[b][k] = (real8)(R(0.0));
    for (uint j = 0; j < s; j++) {
        real8 e[CEC_BANDS];
#pragma unroll
        for (uint b = 0; b < CEC_BANDS; b++) e[b] = vload8(0, m + j * s + CEC_BAND(b));
#pragma unroll
        for (uint k = 0; k < CEC_BATCH; k++)
#pragma unroll
            for (uint b = 0; b < CEC_BANDS; b++) v[b][k] = fma(e[b], (real8)(z[task[3 + k] + j]), v[b][k]);
    }
#pragma unroll
    for (uint k = 0; k < CEC_BATCH; k++)
#pragma unroll
        for (uint b = 0; b < CEC_BANDS; b++) vstore8(v[b][k], 0, y + task[3 + k] + task[1] + CEC_BAND(b));
}
#endif

#if CEC_TILE && WIDE && CEC_BASE != CEC_ROSENBROCK
// The terms of positions p to p + 7, after the rotation.
static inline __attribute__((always_inline)) void cec_eight(uint p, data d, local real *z, local real *y)
{
    real8 v = vload8(0, z + p);
#if CEC_ROTATED > 0
    if (p < CEC_ROTATED) {
        const real8 r = vload8(0, y + p);
        v = REAL8_MASK(EIGHT_FROM(p) < CEC_ROTATED) ? r : v;
    }
#endif
#if CEC_BASE == CEC_ELLIPTIC
    const real8 t = tosz(v);
    vstore8(vload8(0, d.coef + p) * (t * t), 0, y + p);
#elif CEC_BASE == CEC_SCHWEFEL
    const real8 s = tosz_asy(v, vload8(0, d.u + p));
    vstore8(CEC_SINGLE == CEC_POSITIONS ? s : REAL8_MASK(EIGHT_FROM(p) < CEC_SINGLE) ? s : v * v, 0, y + p);
#elif CEC_BASE == CEC_ACKLEY
    const real8 w = vload8(0, d.lambda + p) * tosz_asy(v, vload8(0, d.u + p));
    vstore8(w * w, 0, z + p);
    vstore8(sin2_pi(w), 0, y + p);
#else
    const real8 w = vload8(0, d.lambda + p) * tosz_asy(v, vload8(0, d.u + p));
    vstore8(vload8(0, d.coef + p) * (w * w + R(20.0) * sin2_pi(w)), 0, y + p);
#endif
}
#endif

// A group computes tile t: first the positions, then their rotation, then the terms. A base function that is not a
// sum is continued by chunks of CEC_CHUNK positions, each of which lies inside one group. All orders are fixed. z
// and y are halves of scratch, by position. Loops that all items enter equally often, without pointers to private
// sums, become vector code on processors. A barrier must come between two calls (group_sums of the caller).

// Sets z to the shifted positions of the variables y of tile t.
#if CEC_TILE && WIDE && CEC_SHIFT == 2
static inline __attribute__((always_inline)) void cec_place(uint t, data d, local real *y, local real *z)
{
    // Shifts are drawn 32 at a time, before or after the permutation.
#if !CEC_BY_POSITION
    if (t > 0) cec_less_all_drawn(y, t, CEC_READ);
    barrier(CLK_LOCAL_MEM_FENCE);
#endif
    for (uint b = 0; b < CEC_POSITIONS; b += GROUP) {
        const uint p = b + get_local_id(0);
        if (p < CEC_POSITIONS) z[p] = t > 0 ? y[d.from[p]] : cec_shifted(0, p, y[d.from[p]], d);
    }
#if CEC_BY_POSITION
    barrier(CLK_LOCAL_MEM_FENCE);
    if (t > 0) cec_less_all_drawn(z, t, CEC_POSITIONS);
#endif
    barrier(CLK_LOCAL_MEM_FENCE);
}
#elif CEC_TILE
static inline __attribute__((always_inline)) void cec_place(uint t, data d, local const real *y, local real *z)
{
    for (uint b = 0; b < CEC_POSITIONS; b += GROUP) {
        const uint p = b + get_local_id(0);
        if (p < CEC_POSITIONS) z[p] = cec_shifted(t, p, y[d.from[p]], d);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
}
#endif

// Sets y to the positions z, rotated.
#if CEC_TILE && WIDE && CEC_ROTATED > 0
static inline __attribute__((always_inline)) void cec_rotate(data d, local const real *z, local real *y)
{
    const uint l = get_local_id(0);
    for (uint b = 0; b < CEC_TASKS / CEC_CHUNK; b += GROUP) {
        if (b + l < CEC_TASKS / CEC_CHUNK) cec_slab(d.task + (b + l) * CEC_CHUNK * (3 + CEC_BATCH), d, z, y);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
}
#elif CEC_TILE && CEC_ROTATED > 0
static inline __attribute__((always_inline)) void cec_rotate(data d, local const real *z, local real *y)
{
    for (uint r = get_local_id(0); r < CEC_TASKS; r += GROUP) {
        global const uint *task = d.task + r * (3 + CEC_BATCH);
        const uint s = task[0], i = task[1];
        global const real *row = d.rot + task[2];
        real v[CEC_BATCH];
        uint a[CEC_BATCH];
        for (uint k = 0; k < CEC_BATCH; k++) {
            v[k] = R(0.0);
            a[k] = task[3 + k];
        }
        for (uint j = 0; j < s; j++) {
            const real m = row[j * s];
            for (uint k = 0; k < CEC_BATCH; k++) v[k] = fma(m, z[a[k] + j], v[k]);
        }
        for (uint k = 0; k < CEC_BATCH; k++) y[a[k] + i] = v[k];
    }
    barrier(CLK_LOCAL_MEM_FENCE);
}
#elif CEC_TILE
static inline __attribute__((always_inline)) void cec_rotate(data d, local const real *z, local real *y) {}
#endif

// Sets y to the terms of the positions; for ackley, z has the squares.
#if CEC_TILE && CEC_BASE == CEC_ROSENBROCK
static inline __attribute__((always_inline)) void cec_terms(data d, local real *z, local real *y)
{
    for (uint b = 0; b < CEC_POSITIONS; b += GROUP) {
        const uint p = b + get_local_id(0);
        if (p < CEC_POSITIONS - 1) y[p] = cec_rosenbrock(z[p], z[p + 1]);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
}
#elif CEC_TILE && WIDE
static inline __attribute__((always_inline)) void cec_terms(data d, local real *z, local real *y)
{
    const uint l = get_local_id(0);
    for (uint b = 0; b < CEC_POSITIONS / 8; b += GROUP) {
        if (b + l < CEC_POSITIONS / 8) cec_eight(8 * (b + l), d, z, y);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
}
#elif CEC_TILE
static inline __attribute__((always_inline)) void cec_terms(data d, local real *z, local real *y)
{
    for (uint b = 0; b < CEC_POSITIONS; b += GROUP) {
        const uint p = b + get_local_id(0);
        if (p < CEC_POSITIONS) {
            const real v = p < CEC_ROTATED ? y[p] : z[p];
#if CEC_BASE == CEC_ACKLEY
            const real w = d.lambda[p] * tosz_asy(v, d.u[p]);
            z[p] = w * w;
            y[p] = sin2_pi(w);
#elif CEC_BASE == CEC_SCHWEFEL
            y[p] = p < CEC_SINGLE ? tosz_asy(v, d.u[p]) : v * v;
#else
            y[p] = cec_term(p, v, d);
#endif
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
}
#endif

// Adds the groups, from the terms of their positions. The totals of a chunk are stored at its first position: those of
// y² and sin² for ackley, that of y (in z) for schwefel.
#if CEC_TILE && CEC_BASE == CEC_ACKLEY
static inline __attribute__((always_inline)) void cec_totals(data d, local real *z, local real *y, sum *acc)
{
    const uint l = get_local_id(0);
    for (uint c = l * CEC_CHUNK; c < CEC_SINGLE; c += GROUP * CEC_CHUNK) {
        real a = R(0.0), b = R(0.0);
        for (uint p = c; p < c + CEC_CHUNK; p++) {
            a += y[p];
            b += z[p];
        }
        y[c] = a;
        z[c] = b;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint g = l; g < CEC_GROUPS; g += GROUP) {
        const uint lo = d.start[g], s = d.size[g];
        real a = R(0.0), b = R(0.0);
        for (uint c = lo; c < lo + s; c += CEC_CHUNK) {
            a += y[c];
            b += z[c];
        }
        sum_add(acc, d.weight[g] * cec_ackley(b, a, s));
    }
}
#elif CEC_TILE && CEC_BASE == CEC_SCHWEFEL
static inline __attribute__((always_inline)) void cec_totals(data d, local real *z, local real *y, sum *acc)
{
    const uint l = get_local_id(0);
    for (uint c = l * CEC_CHUNK; c < CEC_SINGLE; c += GROUP * CEC_CHUNK) {
        real a = R(0.0);
        for (uint p = c; p < c + CEC_CHUNK; p++) a += y[p];
        z[c] = a;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint c = l * CEC_CHUNK; c < CEC_SINGLE; c += GROUP * CEC_CHUNK) {
        const uint g = d.group[c];
        real prefix = R(0.0), v = R(0.0);
        for (uint b = d.start[g]; b < c; b += CEC_CHUNK) prefix += z[b];
        for (uint p = c; p < c + CEC_CHUNK; p++) {
            prefix += y[p];
            v += prefix * prefix;
        }
        sum_add(acc, d.weight[g] * v);
    }
}
#elif CEC_TILE
static inline __attribute__((always_inline)) void cec_totals(data d, local real *z, local real *y, sum *acc) {}
#endif

#if CEC_TILE
static void tile(uint t, const point *x, data d, local real *scratch, local sum *tree, sum *acc)
{
    local real *z = scratch, *y = scratch + CEC_POSITIONS;
    stage(*x, t * CEC_POSITIONS, CEC_READ, y);
    barrier(CLK_LOCAL_MEM_FENCE);
    cec_place(t, d, y, z);
    cec_rotate(d, z, y);
    cec_terms(d, z, y);
    // the terms of single positions
    sum v = sum_zero();
    for (uint b = CEC_TERMS_FROM; b < CEC_TERMS_TO; b += GROUP) {
        const uint p = b + get_local_id(0);
        if (p < CEC_TERMS_TO) sum_add(&v, y[p]);
    }
    acc[0] = sum_join(acc[0], v);
    cec_totals(d, z, y, acc);
}
#endif
