// cec2013/residuals.cl: the numbers whose squares are the components of an elliptic function, of one of Schwefel, or of
// that of Rosenbrock, and their derivatives. Comes after cec2013/item.cl, whose components are the sums of their
// squares.
//
// A residual of a group is a function of its rotated positions y: of one of them, or (schwefel) a sum of such functions
// of those up to it. So two values of each function give all derivatives.

#if CEC_GROUPS > 0
// Writes the rotated positions of group c in tile b to y.
static void cec_turn(uint b, uint c, point x, data d, global real *y)
{
    const uint a = d.start[c], s = d.size[c];
#if CEC_ROTATED > 0
    if (a < CEC_ROTATED) {
        for (uint i = 0; i < s; i += CEC_CHUNK) {
            real v[CEC_CHUNK];
            for (uint u = 0; u < CEC_CHUNK; u++) v[u] = R(0.0);
            for (uint j = 0; j < s; j++) {
                const real z = cec_z(b, a + j, x, d);
                global const real *row = d.rot + d.turn[c] + j * s + i;
                for (uint u = 0; u < CEC_CHUNK; u++) v[u] = fma(row[u], z, v[u]);
            }
            for (uint u = 0; u < CEC_CHUNK; u++) y[i + u] = v[u];
        }
        return;
    }
#endif
    for (uint i = 0; i < s; i++) y[i] = cec_z(b, a + i, x, d);
}

// The function of position p of a group.
static real cec_function(uint p, uint c, real y, data d)
{
#if CEC_BASE == CEC_SCHWEFEL
    return sqrt(d.weight[c]) * tosz_asy(y, d.u[p]);
#else
    return sqrt(d.coef[p]) * tosz(y);
#endif
}

// Turns the functions of the s positions of a group, or their derivatives, into its residuals or theirs.
static void cec_sums(global real *r, uint s)
{
#if CEC_BASE == CEC_SCHWEFEL
    for (uint i = 1; i < s; i++) r[i] += r[i - 1];
#endif
}
#endif

static void component_residuals(uint k, point x, data d, global real *r)
{
    const uint b = k / CEC_COMPS, c = k % CEC_COMPS;
#if CEC_GROUPS > 0
    if (c < CEC_GROUPS) {
        const uint a = d.start[c], s = d.size[c];
        cec_turn(b, c, x, d, r);
        for (uint i = 0; i < s; i++) r[i] = cec_function(a + i, c, r[i], d);
        cec_sums(r, s);
        return;
    }
#endif
    const uint p = CEC_SINGLE + c - CEC_GROUPS;
    const real z = cec_z(b, p, x, d);
#if CEC_BASE == CEC_ROSENBROCK
    r[0] = R(10.0) * (z * z - cec_z(b, p + 1, x, d));
    r[1] = z - R(1.0);
#elif CEC_BASE == CEC_ELLIPTIC
    r[0] = sqrt(d.coef[p]) * tosz(z);
#else
    r[0] = z; // the rest of F7
#endif
}

// The values around y at which functions are computed for a derivative.
static real2 cec_around(real y, real size)
{
    const real h = size * fmax(fabs(y), R(1e-3) * (BOX_HI - BOX_LO));
    return (real2)(y + h, y - h);
}

static void component_slopes(uint k, point x, real size, data d, global real *slopes)
{
    const uint b = k / CEC_COMPS, c = k % CEC_COMPS;
#if CEC_GROUPS > 0
    if (c < CEC_GROUPS) { // of the functions
        const uint a = d.start[c], s = d.size[c];
        cec_turn(b, c, x, d, slopes);
        for (uint i = 0; i < s; i++) {
            const real2 y = cec_around(slopes[i], size);
            slopes[i] = (cec_function(a + i, c, y.x, d) - cec_function(a + i, c, y.y, d)) / (y.x - y.y);
        }
        return;
    }
#endif
    const uint p = CEC_SINGLE + c - CEC_GROUPS;
    const real2 y = cec_around(cec_z(b, p, x, d), size);
#if CEC_BASE == CEC_ROSENBROCK
    slopes[0] = R(10.0) * (y.x * y.x - y.y * y.y) / (y.x - y.y);
    slopes[1] = R(1.0);
#elif CEC_BASE == CEC_ELLIPTIC
    slopes[0] = sqrt(d.coef[p]) * (tosz(y.x) - tosz(y.y)) / (y.x - y.y);
#else
    slopes[0] = R(1.0);
#endif
}

static void component_slope(uint k, uint v, data d, global const real *slopes, global real *by)
{
    const uint c = k % CEC_COMPS;
#if CEC_GROUPS > 0
    if (c < CEC_GROUPS) {
        const uint s = d.size[c];
#if CEC_ROTATED > 0
        const bool turned = d.start[c] < CEC_ROTATED;
        global const real *row = d.rot + d.turn[c] + v * s; // of no group without a rotation
        for (uint i = 0; i < s; i++) by[i] = turned ? slopes[i] * row[i] : i == v ? slopes[i] : R(0.0);
#else
        for (uint i = 0; i < s; i++) by[i] = i == v ? slopes[i] : R(0.0);
#endif
        cec_sums(by, s);
        return;
    }
#endif
#if CEC_BASE == CEC_ROSENBROCK
    by[0] = v == 0 ? slopes[0] : R(-10.0);
    by[1] = v == 0 ? slopes[1] : R(0.0);
#else
    by[0] = slopes[0];
#endif
}
