package clc

// others are more texts of strangers, most of them with what is less common.
var others = []stranger{
	{"functions of distributions", `static real gamma_pdf(real v, real a)
{
    return exp((a - 1)*log(v) - v - lgamma(a));
}
static real step_up(real v) { return v < 0 ? (real)0 : v < 1 ? v*v*(3 - 2*v) : (real)1; }
@
    acc[0] -= gamma_pdf(fabs(at(x, k)) + 0.1, 2) * step_up(at(x, k));`, ""},
	{"old c with everything at the top", `@
    uint i, j;
    real s, t, *p;
    real buf[12];
    p = buf;
    s = t = 0;
    i = 0;
    while (i < 12) {
        *(p + i) = at(x, i);
        i += 1;
    }
    for (i = 0, j = 11; i < j; ++i, --j) s += p[i] * p[j];
    t = s > 0 ? s : -s;
    acc[0] += t;`, ""},
	{"goto out of a loop", `@
    real s = 0;
    for (int i = 0; i < 5; i++)
        for (int j = 0; j < 5; j++) {
            s += at(x, i) * at(x, j);
            if (s > 100) goto done;
        }
done:
    acc[0] += s;`, "8:26 uses goto"},
	{"recursion", `static int fib(int n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }
@
    acc[0] += fib(10) * sq(at(x, k));`, "1:44 has fib, which calls itself"},
	{"a two-dimensional work array", `@
    real m[4][4], det = 1;
    for (int i = 0; i < 4; i++) for (int j = 0; j < 4; j++) m[i][j] = at(x, 4*i + j) + (i == j ? 5 : 0);
    for (int p = 0; p < 4; p++) {
        det *= m[p][p];
        for (int r = p + 1; r < 4; r++) {
            real f = m[r][p] / m[p][p];
            for (int c = p; c < 4; c++) m[r][c] -= f * m[p][c];
        }
    }
    acc[0] -= log(fabs(det));`, ""},
	{"a matrix as an argument", `static void mul(real a[2][2], real b[2][2], real c[2][2])
{
    for (int i = 0; i < 2; i++)
        for (int j = 0; j < 2; j++) {
            c[i][j] = 0;
            for (int l = 0; l < 2; l++) c[i][j] += a[i][l] * b[l][j];
        }
}
@
    real a[2][2] = {{at(x, 0), at(x, 1)}, {at(x, 2), at(x, 3)}}, b[2][2] = {{1, 2}, {3, 4}}, c[2][2];
    mul(a, b, c);
    acc[0] += sq(c[0][0] - 1) + sq(c[1][1] - 1) + sq(c[0][1]) + sq(c[1][0]);`, ""},
	{"bits of k", `@
    real s = 0;
    for (uint b = 0; b < 5; b++) s += (k >> b & 1u) ? at(x, b) : -at(x, b);
    acc[0] += exp(s) * (popcount(k) & 1 ? -1.0 : 1.0);`, ""},
	{"gps with names of people", `typedef double f64;
typedef struct Satellite { f64 pos[3]; f64 range; } Satellite;
static f64 residual(point x, Satellite s)
{
    f64 dx = at(x, 0) - s.pos[0];
    return sqrt(dx * dx) - s.range;
}
@
    Satellite s;
    for (int i = 0; i < 3; i++) s.pos[i] = d.a[4*k + i];
    s.range = d.a[4*k + 3];
    f64 r = residual(x, s);
    acc[0] += r * r;`, ""},
	{"an array of structs", `typedef struct { real x, y; } vec;
@
    vec p[5];
    for (int i = 0; i < 5; i++) { p[i].x = at(x, 2*i); p[i].y = at(x, 2*i + 1); }
    for (int i = 0; i < 5; i++) {
        vec a = p[i], b = p[(i + 1) % 5];
        acc[0] += hypot(a.x - b.x, a.y - b.y);
    }`, ""},
	{"a struct by pointer", `struct particle { real m; real v[2]; };
static real energy(const struct particle *p) { return R(0.5) * p->m * (p->v[0]*p->v[0] + p->v[1]*p->v[1]); }
@
    struct particle p;
    p.m = 1 + d.a[k]; p.v[0] = at(x, k); p.v[1] = at(x, k + 1);
    acc[0] += energy(&p);`, ""},
	{"an extension that is asked for", `#ifdef cl_khr_fp64
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#endif
#if REAL_BITS == 64
typedef double num;
#else
typedef float num;
#endif
@
    num v = at(x, k);
    acc[0] += v * v * (num)0.5;`, ""},
	{"native functions for speed", `@
    acc[0] += native_exp(-at(x, k)) + native_sqrt(fabs(at(x, k)));`, "4:15 uses native_exp"},
	{"a lookup with linear interpolation", `@
    real t = clamp(at(x, k) * 8, (real)0, (real)7.999);
    int i = (int)floor(t);
    real w = t - i;
    acc[0] += mix(d.a[i], d.a[i + 1], w);`, ""},
	{"a spline with ternaries", `static real b3(real t) {
    t = fabs(t);
    return t >= 2 ? 0 : t >= 1 ? (2-t)*(2-t)*(2-t)/6 : R(2.0)/3 - t*t + t*t*t/2;
}
@
    real s = 0;
    for (int j = -1; j <= 2; j++) s += at(x, clamp((int)k + j, 0, (int)DIM - 1)) * b3(R(0.3) - j);
    acc[0] += sq(s - d.a[k]);`, ""},
	{"a schedule with integers in arrays", `@
    int machine[3] = {0};
    for (uint i = 0; i < 6; i++) {
        int m = (int)(at(x, i) * 3) % 3;
        machine[m < 0 ? 0 : m] += (int)d.i[i];
    }
    acc[0] += max(max(machine[0], machine[1]), machine[2]);`, ""},
	{"unsigned and long words", `@
    unsigned int i = 0;
    unsigned long n = 5;
    long long_sum = 0;
    for (; i < (unsigned)n; i++) long_sum += (long)i;
    acc[0] += long_sum * at(x, k);`, ""},
	{"sizeof and an inferred length", `@
    const real w[] = { 0.1, 0.2, 0.4, 0.2, 0.1 };
    real s = 0;
    for (int i = 0; i < (int)(sizeof(w) / sizeof(w[0])); i++) s += w[i] * at(x, k + i);
    acc[0] += s * s;`, ""},
	{"a do while in a macro", `#define ADD(v) do { real _v = (v); acc[0] += _v * _v; } while (0)
@
    ADD(at(x, k) - 1);
    if (k > 0) ADD(at(x, k) - at(x, k - 1)); else ADD(at(x, 0));`, ""},
	{"heat in time, in one component", `#define NX 16
@
    real u[NX], next[NX];
    for (int i = 0; i < NX; i++) u[i] = at(x, i);
    for (int t = 0; t < 10; t++) {
        for (int i = 0; i < NX; i++) {
            const real l = i ? u[i - 1] : 0, r = i + 1 < NX ? u[i + 1] : 0;
            next[i] = u[i] + 0.2*(l - 2*u[i] + r);
        }
        for (int i = 0; i < NX; i++) u[i] = next[i];
    }
    for (int i = 0; i < NX; i++) acc[0] += (u[i] - d.a[i])*(u[i] - d.a[i]);`, ""},
	{"a ring of conditions with booleans", `@
    const bool first = k == 0, last = (k + 1 == DIM);
    const real prev = first ? at(x, DIM - 1) : at(x, k - 1), here = at(x, k);
    if (!first && !last) acc[0] += here * prev;
    if (last || here > 3 && prev < -3) acc[0] += 1;`, ""},
	{"matrix factorization in lists", `#define RANK 4
@
    const uint u = d.i[2*k] * RANK, m = (40 + d.i[2*k + 1]) * RANK;
    real p = 0;
    for (uint f = 0; f < RANK; f++) p += at(x, u + f) * at(x, m + f);
    const real e = d.a[k] - p;
    acc[0] += e * e;
    for (uint f = 0; f < RANK; f++) acc[0] += 0.01 * (sq(at(x, u + f)) + sq(at(x, m + f)));`, ""},
	{"a cart and a pole by euler", `#define G 9.81
static void derivatives(const real s[4], const real force, real ds[4])
{
    const real sn = sin(s[2]), cs = cos(s[2]), den = 1.1 - 0.1*cs*cs;
    ds[0] = s[1]; ds[1] = (force + 0.1*sn*(0.5*s[3]*s[3] + G*cs)) / den;
    ds[2] = s[3]; ds[3] = (-force*cs - 0.05*s[3]*s[3]*cs*sn - 1.1*G*sn) / (0.5*den);
}
@
    real s[4] = {0}, ds[4];
    for (uint t = 0; t < DIM; t++) {
        derivatives(s, at(x, t), ds);
        for (int i = 0; i < 4; i++) s[i] += 0.02 * ds[i];
        acc[0] += 1e-4 * sq(at(x, t));
    }
    acc[0] += sq(s[0]) + sq(cos(s[2]) + 1) + sq(s[1]) + sq(s[3]);`, ""},
	{"logistic rows of a sparse matrix", `@
    real m = 0;
    for (uint j = d.i[k]; j < d.i[k + 1]; ++j) m += d.a[j] * at(x, d.i[j]);
    acc[0] += m > 0 ? log1p(exp(-m)) : -m + log1p(exp(m));`, ""},
	{"charges on a sphere by angles", `static void xyz(point p, uint i, real *o)
{
    real st, ct, sp, cp;
    st = sincos(at(p, 2*i), &ct);
    sp = sincos(at(p, 2*i + 1), &cp);
    o[0] = st*cp; o[1] = st*sp; o[2] = ct;
}
@
    real a[3], b[3];
    xyz(x, k, a);
    for (uint j = 0; j < k; ++j) {
        xyz(x, j, b);
        acc[0] += rsqrt(sq(a[0]-b[0]) + sq(a[1]-b[1]) + sq(a[2]-b[2]));
    }`, ""},
	{"a diode by the function of lambert", `static real lambertw(real z)
{
    real w = log1p(z);
    for (int i = 0; i < 6; i++) { const real e = exp(w); w -= (w*e - z) / (e*(w + 1)); }
    return w;
}
@
    const real v = 0.1 * k, rs = exp(at(x, 0)), is = exp(at(x, 1));
    acc[0] += pown(lambertw(is * rs * exp(v)) / rs - d.a[k], 2);`, ""},
	{"an autoregression with a loop over lags", `@
    real e = d.a[k + 3] - at(x, 3);
    for (int lag = 1; lag <= 3; lag++) e -= at(x, lag - 1) * d.a[k + 3 - lag];
    acc[0] += e * e;`, ""},
	{"a regulariser in the last component", `@
    if (k == COMPS - 1) {
        real norm = 0;
        for (uint i = 0; i < DIM; ++i) norm += fabs(at(x, i));
        acc[0] += 0.1 * norm;
        return;
    }
    real p = at(x, DIM - 1);
    for (uint i = 0; i + 1 < DIM; ++i) p = fma(at(x, i), d.a[k * (DIM - 1) + i], p);
    acc[0] += 0.5 * (p - d.a[k]) * (p - d.a[k]);`, ""},
	{"error function and friends", `@
    const real z = (d.a[k] - at(x, 0)) * M_SQRT1_2 / at(x, 1);
    acc[0] -= log(0.5 * erfc(z) + 1e-300) + expm1(-sq(at(x, 1))) + tgamma(2.5) + cbrt(at(x, 0));`, ""},
}
