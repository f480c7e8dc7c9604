// prelude.cl: types, literals and sums for every text that follows.
//
// Defines from the host:
//   REAL_BITS      64 or 32
//   SUM_FP64       1 where the device has float64
//   GROUP          work-items of a group, a power of two
//   DIM, COMPS, ACCS, TILES, SUPERS   variables, components, accumulators, tiles, super-tiles; all but ACCS are members
//                  of the data d, so that a program serves any n, unless a text needs them as constants
//   CLOSED         1 where a tile reads its own variables only
//   BOX_LO, BOX_HI the bounds, as reals
//   ONE_ROUND      1 where a loop around barriers is slow: a launch then makes one round of it
//   WIDE           1 on processors, where an item works best on eight reals at a time
//
// Types:
//   real       a variable or a term: double or float; also real2, real4, real8
//   R(x)       the literal x as a real; x is written without a suffix: R(0.5), R(1e6)
//   sum        an accumulator: double, or a pair of floats where there is no
//              float64; use it only through sum_zero, sum_add, sum_join, sum_real
//
// The library uses only + - * fma sqrt, and no contraction, so that a point that another kernel draws again
// has the same bits. Texts of problems may use built-ins.

#pragma OPENCL FP_CONTRACT OFF

#if SUM_FP64 || REAL_BITS == 64
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#endif

#if REAL_BITS == 64
typedef double real;
typedef double2 real2;
typedef double4 real4;
typedef double8 real8;
#define R(x) (x)
#else
typedef float real;
typedef float2 real2;
typedef float4 real4;
typedef float8 real8;
#define R(x) (x##f)
#endif

#if SUM_FP64
typedef double sum;
static sum sum_zero(void) { return 0.0; }
static void sum_add(sum *s, real v) { *s += v; }
static sum sum_join(sum a, sum b) { return a + b; }
static real sum_real(sum s) { return (real)s; }
#else
// A sum is s.x + s.y with |s.y| <= ulp(s.x)/2 (two-sum, Knuth).
typedef float2 sum;
static sum sum_zero(void) { return (float2)(0.0f, 0.0f); }
static sum sum_pair(float a, float b, float low)
{
    float s = a + b;
    float t = s - a;
    float e = ((a - (s - t)) + (b - t)) + low;
    // An infinite or NaN total stays so; its error term would be NaN.
    if (!isfinite(s)) return (float2)(s, 0.0f);
    float h = s + e;
    return (float2)(h, e - (h - s));
}
static void sum_add(sum *s, real v) { *s = sum_pair((*s).x, v, (*s).y); }
static sum sum_join(sum a, sum b) { return sum_pair(a.x, b.x, a.y + b.y); }
static real sum_real(sum s) { return s.x + s.y; }
#endif

#if WIDE
#define EIGHT_FROM(i) ((uint8)(i) + (uint8)(0, 1, 2, 3, 4, 5, 6, 7)) // i to i + 7
#if REAL_BITS == 64
#define REAL8(v) convert_double8(v)
#define REAL8_MASK(v) convert_long8(v) // turns a comparison of eight uints into a mask for eight reals
#else
#define REAL8(v) convert_float8(v)
#define REAL8_MASK(v) (v)
#endif
static void sum_eight(sum *s, real8 v)
{
    sum_add(s, v.s0);
    sum_add(s, v.s1);
    sum_add(s, v.s2);
    sum_add(s, v.s3);
    sum_add(s, v.s4);
    sum_add(s, v.s5);
    sum_add(s, v.s6);
    sum_add(s, v.s7);
}
#endif

// four_get sets v[u] = p[u], u < 4, with one wide read where p is aligned. Four single reads of each item would
// touch every cache line of a graphics card four times. four_put writes in the same way. Where the host knows that
// p is always aligned (ALIGNED), there is no branch, so that the compiler can move code across the read.
#ifndef ALIGNED
#define ALIGNED 0
#endif
static inline __attribute__((always_inline)) void four_get(global const real *p, real *v)
{
#if !WIDE
    if (ALIGNED || ((size_t)p & (4 * sizeof(real) - 1)) == 0) {
        const real4 w = *(global const real4 *)p;
        v[0] = w.s0;
        v[1] = w.s1;
        v[2] = w.s2;
        v[3] = w.s3;
        return;
    }
#endif
#pragma unroll
    for (uint u = 0; u < 4; u++) v[u] = p[u];
}

static inline __attribute__((always_inline)) void four_put(global real *p, const real *v)
{
#if !WIDE
    if (ALIGNED || ((size_t)p & (4 * sizeof(real) - 1)) == 0) {
        *(global real4 *)p = (real4)(v[0], v[1], v[2], v[3]);
        return;
    }
#endif
#pragma unroll
    for (uint u = 0; u < 4; u++) p[u] = v[u];
}

// root is the correctly rounded square root. ROOT_BY_FP64 is set where the float32 root of the device may be off
// by more than half an ulp; the root is then taken in float64.
static float root(float v)
{
#if ROOT_BY_FP64
    return (float)sqrt((double)v);
#else
    return sqrt(v);
#endif
}

// group_sums adds n sums over the work-items of a group, four at a time, in a fixed order. Afterwards total k is
// tree[k*GROUP]. tree holds n*GROUP sums. All items must call it, and a barrier must come before tree is used again.
static inline __attribute__((always_inline)) void group_sums(const sum *v, const uint n, local sum *tree)
{
    const uint l = get_local_id(0);
    for (uint k = 0; k < n; k++) tree[k * GROUP + l] = v[k];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint w = GROUP; w > 1;) {
        const uint by = w >= 4 ? 4 : 2;
        w /= by;
        for (uint e = l; e < n * w; e += GROUP) {
            local sum *t = tree + (e / w) * GROUP + e % w;
            sum a = sum_join(t[0], t[w]);
            if (by == 4) a = sum_join(a, sum_join(t[2 * w], t[3 * w]));
            t[0] = a;
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
}

// sum_rows returns row[from*stride] + row[(from + 1)*stride] + … + row[(to - 1)*stride], added in order. Eight
// are read before they are added, so that the reads do not wait for each other.
static sum sum_rows(global const sum *row, const ulong stride, uint from, const uint to)
{
    sum v = sum_zero();
    for (; from + 8 <= to; from += 8) {
        sum a[8];
#pragma unroll
        for (uint u = 0; u < 8; u++) a[u] = row[stride * (from + u)];
#pragma unroll
        for (uint u = 0; u < 8; u++) v = sum_join(v, a[u]);
    }
    for (; from < to; from++) v = sum_join(v, row[stride * from]);
    return v;
}

// PAIR_SUB(v, d, T, i) is v - d.T[i] for a table T of pairs. In float32 the low halves are subtracted as well:
// they are the digits that rounding the table to float32 lost.
#if REAL_BITS == 64
#define PAIR_SUB(v, d, T, i) ((v) - (d).T[i])
#else
#define PAIR_SUB(v, d, T, i) (((v) - (d).T[i]) - (d).T##_lo[i])
#endif

// v, or the bound if v is beyond it or NaN. Cheaper than fmin and fmax, which check both arguments for NaN.
static real bound_above(real v, real bound) { return v < bound ? v : bound; }
static real bound_below(real v, real bound) { return v > bound ? v : bound; }

// Helpers for objectives.
#define PI R(3.14159265358979323846)
static real sq(real v) { return v * v; }
static real cos_2pi(real v) { return cospi(R(2.0) * v); }
static real sin_2pi(real v) { return sinpi(R(2.0) * v); }
