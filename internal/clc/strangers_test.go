package clc

import (
	"slices"
	"testing"

	"github.com/clopt/clopt/internal/clc/token"
)

// stranger is a text that a person wrote, and why it has no tree.
type stranger struct{ name, text, want string }

// strangers are texts as people write them who know C, or another language, better than OpenCL C. What precedes an @
// stands before the component. want is why a text has no tree.
var strangers = []stranger{
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
}

// Nine in ten texts of strangers are read, and the others have the reason that is expected.
func TestStrangers(t *testing.T) {
	read := 0
	all := slices.Concat(strangers, others)
	for _, c := range all {
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
	if len(all) < 50 || 10*read < 9*len(all) {
		t.Errorf("%d of %d texts are read", read, len(all))
	}
}
