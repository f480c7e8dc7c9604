package clc

import (
	"testing"

	"github.com/clopt/clopt/internal/clc/token"
)

// strangers are texts as people write them who know C, or another language, better than OpenCL C. What precedes an @
// stands before the component. want is why a text has no tree.
var strangers = []struct{ name, text, want string }{
	{"ackley with a loop and defines", `#define N 30
#define TWO_PI 6.283185307179586
@
    double sum1 = 0.0, sum2 = 0.0;
    int i;
    for (i = 0; i < N; i++) {
        double xi = at(x, i);
        sum1 += xi * xi;
        sum2 += cos(TWO_PI * xi);
    }
    acc[0] += -20.0 * exp(-0.2 * sqrt(sum1 / N)) - exp(sum2 / N) + 20.0 + M_E;`, ""},
	{"rosenbrock with pow and a cast", `@
    acc[0] += 100.0 * pow(at(x, (uint)k + 1) - pow(at(x, k), 2.0), 2.0) + pow(1.0 - at(x, k), 2.0);`, ""},
	{"a helper that copies x into an array", `static inline void load(point x, int from, double *v, int n)
{
    for (int i = 0; i < n; ++i)
        v[i] = at(x, from + i);
}
static inline double dot(const double *a, const double *b, int n)
{
    double s = 0;
    for (int i = 0; i < n; ++i) s += a[i] * b[i];
    return s;
}
@
    double v[8];
    load(x, 8 * k, v, 8);
    acc[0] += dot(v, v, 8) - 3.0 * v[0];`, ""},
	{"a matrix of constants", `__constant double A[3][3] = {
    { 3.0, 10.0, 30.0 },
    { 0.1, 10.0, 35.0 },
    { 3.0, 10.0, 30.0 }
};
__constant double P[9] = { 0.3689, 0.1170, 0.2673, 0.4699, 0.4387, 0.7470, 0.1091, 0.8732, 0.5547 };
@
    double inner = 0;
    for (int j = 0; j < 3; j++) {
        double t = at(x, j) - P[3*(k % 3) + j];
        inner += A[k % 3][j] * t * t;
    }
    acc[0] -= 1.2 * exp(-inner);`, ""},
	{"a lennard-jones cluster by a macro", `#define SQR(a) ((a)*(a))
#define DIST2(i, j) (SQR(at(x,3*(i)) - at(x,3*(j))) + SQR(at(x,3*(i)+1) - at(x,3*(j)+1)) \
                   + SQR(at(x,3*(i)+2) - at(x,3*(j)+2)))
@
    for (uint j = k + 1; j < DIM / 3; j++) {
        real r2 = DIST2(k, j);
        real r6 = 1 / (r2 * r2 * r2);
        acc[0] += 4.0 * (r6 * r6 - r6);
    }`, ""},
	{"an ode by runge and kutta with structs", `typedef struct { double x, v; } state;
static state f(state s, double a, double b)
{
    state d;
    d.x = s.v;
    d.v = -a * s.x - b * s.v;
    return d;
}
static state axpy(state s, double h, state d) { s.x += h * d.x; s.v += h * d.v; return s; }
@
    state s = { 1.0, 0.0 };
    const double h = 0.05;
    for (int n = 0; n < 40; n++) {
        state k1 = f(s, at(x, 0), at(x, 1));
        state k2 = f(axpy(s, h/2, k1), at(x, 0), at(x, 1));
        state k3 = f(axpy(s, h/2, k2), at(x, 0), at(x, 1));
        state k4 = f(axpy(s, h, k3), at(x, 0), at(x, 1));
        s.x += h/6 * (k1.x + 2*k2.x + 2*k3.x + k4.x);
        s.v += h/6 * (k1.v + 2*k2.v + 2*k3.v + k4.v);
        acc[0] += sq(s.x - d.a[n]);
    }`, ""},
	{"a neural network of one layer", `#define H 6
#define IN 2
static real tanh_layer(point x, const real *in, uint row)
{
    real s = at(x, row * (IN + 1) + IN);
    for (uint c = 0; c < IN; c++) s += at(x, row * (IN + 1) + c) * in[c];
    return tanh(s);
}
@
    real in[IN], out = at(x, H * (IN + 1) + H);
    for (uint c = 0; c < IN; c++) in[c] = d.a[3 * k + c];
    for (uint h = 0; h < H; h++) out += at(x, H * (IN + 1) + h) * tanh_layer(x, in, h);
    real e = out - d.a[3 * k + 2];
    acc[0] += 0.5 * e * e;`, ""},
	{"softmax with the largest taken out", `@
    real z[5], top = -INFINITY, sum = 0;
    for (int c = 0; c < 5; c++) {
        z[c] = 0;
        for (int j = 0; j < 4; j++) z[c] += at(x, 4*c + j) * d.a[5*k + j];
        top = fmax(top, z[c]);
    }
    for (int c = 0; c < 5; c++) sum += exp(z[c] - top);
    acc[0] -= z[d.i[k]] - top - log(sum);`, ""},
	{"kmeans with an index of the nearest", `@
    int best = 0;
    float bestd = MAXFLOAT;
    for (int c = 0; c < 4; c++) {
        float dx = (float)at(x, 2*c) - (float)d.a[2*k], dy = (float)at(x, 2*c + 1) - (float)d.a[2*k + 1];
        float dd = dx*dx + dy*dy;
        if (dd < bestd) { bestd = dd; best = c; }
    }
    acc[0] += bestd + 0*best;`, ""},
	{"a grid with neighbours", `@
    const int w = 5;
    const int col = k % w, row = k / w;
    real c = at(x, k), lap = -4 * c;
    lap += col > 0 ? at(x, k - 1) : 0;
    lap += col < w - 1 ? at(x, k + 1) : 0;
    lap += row > 0 ? at(x, k - w) : 0;
    lap += row < w - 1 ? at(x, k + w) : 0;
    acc[0] += lap * lap;`, ""},
	{"a spring with an if chain", `@
    real v = at(x, k);
    if (k == 0) { acc[0] += v * v; }
    else if (k == COMPS - 1) { acc[0] += (1 - v) * (1 - v); }
    else {
        real l = at(x, k - 1), r = at(x, k + 1);
        acc[0] += fabs(l - 2*v + r);
    }`, ""},
	{"polynomials by horner with a pointer", `static real horner(global const real *c, int n, real t)
{
    real r = 0;
    while (n-- > 0) r = r * t + *c++;
    return r;
}
@
    acc[0] += sq(horner(d.a + 4 * k, 4, at(x, k)));`, ""},
	{"a swap of pointers", `@
    real a[4], b[4];
    real *from = a, *to = b;
    for (int i = 0; i < 4; i++) from[i] = at(x, i);
    for (int n = 0; n < 3; n++) {
        for (int i = 0; i < 4; i++) to[i] = from[(i + 1) % 4] - from[i];
        real *t = from; from = to; to = t;
    }
    acc[0] += from[0] * from[0];`, "9:25 has a pointer from to several arrays"},
	{"portfolio with penalties", `@
    real ret = 0, risk = 0, total = 0;
    for (uint i = 0; i < DIM; i++) {
        ret += d.a[i] * at(x, i);
        total += at(x, i);
        for (uint j = 0; j < DIM; j++) risk += at(x, i) * at(x, j) * (i == j ? 0.04 : 0.01);
    }
    acc[0] += risk - 0.5 * ret + 1e3 * pow(total - 1.0, 2) + 1e3 * pow(fmax(0.0, 0.05 - ret), 2);`, ""},
	{"constraints in a function with many outputs", `void constraints(double a, double b, double *g1, double *g2)
{
    *g1 = a * a + b - 11;
    *g2 = a + b * b - 7;
}
@
    double g1, g2;
    constraints(at(x, 0), at(x, 1), &g1, &g2);
    acc[0] += g1 * g1 + g2 * g2;`, ""},
	{"an enum of offsets", `enum { MASS, SPRING, DAMPING, NPAR };
@
    real t = 0.1 * k;
    real w = sqrt(at(x, SPRING) / at(x, MASS)), g = at(x, DAMPING) / (2 * at(x, MASS));
    acc[0] += sq(exp(-g*t) * cos(w*t) - d.a[k * NPAR]);`, ""},
	{"complex numbers in a vector", `@
    double2 z = (double2)(0.0, 0.0);
    double2 c = (double2)(at(x, 2*k), at(x, 2*k + 1));
    for (int i = 0; i < 10; i++) z = (double2)(z.x*z.x - z.y*z.y, 2*z.x*z.y) + c;
    acc[0] += dot(z, z);`, "4:5 uses double2"},
	{"a case for each kind of part", `#define LAST 2
@
    switch (d.i[k]) {
    case 0: acc[0] += sq(at(x, k)); break;
    case 1: acc[0] += fabs(at(x, k)); break;
    case LAST:
    case 3:
        acc[0] += sq(sq(at(x, k)));
        return;
    default: acc[0] += 1 - cos(at(x, k));
    }`, ""},
	{"random noise by bits", `@
    ulong bits = as_ulong(at(x, k)) * 6364136223846793005UL;
    acc[0] += sq(at(x, k)) + 1e-3 * (bits >> 40);`, "4:18 uses as_ulong"},
	{"a hash of k for a weight", `static uint hash(uint v)
{
    v ^= v >> 16; v *= 0x7feb352dU; v ^= v >> 15; v *= 0x846ca68bU; v ^= v >> 16;
    return v;
}
@
    const real w = (real)hash(k) / (real)UINT_MAX;
    acc[0] += w * sq(at(x, k) - 0.5);`, ""},
	{"bubble sort of values", `@
    real v[6];
    for (int i = 0; i < 6; i++) v[i] = at(x, i);
    for (int i = 0; i < 5; i++)
        for (int j = 0; j < 5 - i; j++)
            if (v[j] > v[j + 1]) {
                real t = v[j];
                v[j] = v[j + 1];
                v[j + 1] = t;
            }
    for (int i = 0; i < 6; i++) acc[0] += (i + 1) * sq(v[i] - i);`, ""},
	{"newton inside", `@
    real y = 1.0;
    int it = 0;
    do {
        real f = y * y * y - at(x, k) - 2, df = 3 * y * y + 1e-9;
        y -= f / df;
    } while (++it < 8);
    acc[0] += sq(y - 1.5);`, ""},
	{"a break on convergence", `@
    real y = 1.0;
    for (int it = 0; it < 50; it++) {
        real step = (y - cos(y * at(x, 0))) / (1 + at(x, 0) * sin(y * at(x, 0)));
        y -= step;
        if (fabs(step) < 1e-12) break;
    }
    acc[0] += sq(y - d.a[k]);`, ""},
	{"bundle adjustment", `static void rotate(const real *w, const real *p, real *out)
{
    const real theta2 = w[0]*w[0] + w[1]*w[1] + w[2]*w[2];
    if (theta2 > 1e-12) {
        const real theta = sqrt(theta2), c = cos(theta), s = sin(theta), inv = 1 / theta;
        const real a[3] = { w[0]*inv, w[1]*inv, w[2]*inv };
        const real cr[3] = { a[1]*p[2] - a[2]*p[1], a[2]*p[0] - a[0]*p[2], a[0]*p[1] - a[1]*p[0] };
        const real t = (a[0]*p[0] + a[1]*p[1] + a[2]*p[2]) * (1 - c);
        for (int i = 0; i < 3; i++) out[i] = p[i]*c + cr[i]*s + a[i]*t;
    } else {
        out[0] = p[0] + w[1]*p[2] - w[2]*p[1];
        out[1] = p[1] + w[2]*p[0] - w[0]*p[2];
        out[2] = p[2] + w[0]*p[1] - w[1]*p[0];
    }
}
@
    real cam[9], p[3], q[3];
    for (int i = 0; i < 9; i++) cam[i] = at(x, 9*d.i[2*k] + i);
    for (int i = 0; i < 3; i++) p[i] = at(x, 90 + 3*d.i[2*k + 1] + i);
    rotate(cam, p, q);
    for (int i = 0; i < 3; i++) q[i] += cam[3 + i];
    const real u = -q[0]/q[2], v = -q[1]/q[2], n = u*u + v*v, r = 1 + n*(cam[7] + cam[8]*n);
    acc[0] += sq(cam[6]*r*u - d.a[2*k]) + sq(cam[6]*r*v - d.a[2*k + 1]);`, ""},
	{"total variation with a small constant", `#ifndef EPS
#define EPS 1e-6
#endif
@
    real gx = 0, gy = 0;
    if (k % 5 < 4) gx = at(x, k + 1) - at(x, k);
    if (k / 5 < 1) gy = at(x, k + 5) - at(x, k);
    acc[0] += 0.5 * pown(at(x, k) - d.a[k], 2);
    acc[1] += sqrt(gx*gx + gy*gy + EPS);`, ""},
	{"weibull by log", `@
    real shape = exp(at(x, 0)), scale = exp(at(x, 1)), t = d.a[2*k];
    bool died = d.a[2*k + 1] > 0.5;
    real h = pow(t / scale, shape);
    acc[0] += h - (died ? log(shape / t) + shape * log(t / scale) : 0.0);`, ""},
	{"a mixture of gaussians", `#define K 3
static real logsumexp(const real v[K])
{
    real m = v[0];
    for (int i = 1; i < K; i++) m = max(m, v[i]);
    real s = 0;
    for (int i = 0; i < K; i++) s += exp(v[i] - m);
    return m + log(s);
}
@
    real l[K];
    for (int j = 0; j < K; j++) {
        real z = (d.a[k] - at(x, 3*j)) / exp(at(x, 3*j + 1));
        l[j] = at(x, 3*j + 2) - at(x, 3*j + 1) - 0.5f*z*z - 0.5f*log(2*M_PI_F);
    }
    acc[0] -= logsumexp(l);`, ""},
	{"a kalman filter of one state", `@
    double q = exp(at(x, 0)), r = exp(at(x, 1)), m = 0, P = 1, ll = 0;
    for (uint t = 0; t < 20; ++t) {
        P += q;
        double S = P + r, v = d.a[t] - m, G = P / S;
        ll += 0.5 * (log(2 * M_PI * S) + v * v / S);
        m += G * v;
        P *= 1 - G;
    }
    acc[0] += ll;`, ""},
	{"quantum angles with sincos", `@
    real re = 1, im = 0;
    for (int i = 0; i < 6; i++) {
        real c, s = sincos(at(x, i), &c);
        real t = re * c - im * s;
        im = re * s + im * c, re = t;
    }
    acc[0] -= re;`, ""},
	{"distance on a torus with fract and modf", `@
    real whole, f = fract(at(x, k), &whole), g = modf(at(x, k), &whole);
    f = f > R(0.5) ? f - 1 : f;
    acc[0] += f * f + 1e-3 * fabs(g + whole);`, ""},
	{"periodic distance with rint", `static real wrap(real v, real L) { return v - L * rint(v / L); }
@
    const real L = 10;
    for (uint j = 0; j < k; j++) acc[0] += exp(-sq(wrap(at(x, k) - at(x, j), L)));`, ""},
	{"knapsack by rounding", `@
    int take = at(x, k) >= 0.5 ? 1 : 0;
    acc[0] -= take * d.a[2*k];
    acc[1] += take * d.a[2*k + 1];`, ""},
	{"a function of the name of a builtin", `static real gamma_pdf(real v, real a) { return exp((a - 1)*log(v) - v - lgamma(a)); }
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

// Nine in ten texts of strangers are read, and the others have the reason that is expected.
func TestStrangers(t *testing.T) {
	read := 0
	for _, c := range strangers {
		in := textOf(c.text)
		trees, opaque := Parse(in)
		switch {
		case opaque == nil && c.want == "":
			read++
			var w Writer
			w.Tree(trees.Component)
			in.Tokens = token.Scan("g.cl", 1, Helpers+w.String(), 1e5)
			if _, why := Parse(in); why != nil {
				t.Errorf("%s: %v\n%s", c.name, why, w.String())
			}
		case opaque == nil, opaque.String() != "f.cl:"+c.want:
			t.Errorf("%s: %v, want %q", c.name, opaque, c.want)
		}
	}
	if len(strangers) < 50 || 10*read < 9*len(strangers) {
		t.Errorf("%d of %d texts are read", read, len(strangers))
	}
}
