// lbfgs/view.cl: the view of a stored point with rounded kinks. x_i is view_x[i - view_lo].
//
// Layout of kinks: kinks[s] is the width of site s, a place of the text that has a kink, and
// kinks[KINK_SITES + (k - first)*KINK_SLOTS + c] is the multiplier of slot c of component k, from -1 to 1.
//
// |u| is rounded to the largest g*u - w/2*(g - m)^2 for -1 <= g <= 1, where w is the width and m the multiplier. That
// g is the derivative. A slot KINK_NONE has the multiplier 0.
//
// Defines: KINK_SITES, KINK_SLOTS.

#define KINK_NONE 0xffffffffu

typedef struct {
    global const real *x;
    uint lo;
    global const real *kinks;
    uint first;
} point;

#define VIEW_PARAMS global const real *view_x, const uint view_lo, global const real *view_kinks, const uint view_first
#define VIEW_POINT(p, i) ((point){ view_x, view_lo, view_kinks, view_first })

static real at(point x, uint i) { return x.x[i - x.lo]; }

static real kink_multiplier(point x, uint k, uint slot)
{
    return slot == KINK_NONE ? R(0.0) : x.kinks[KINK_SITES + (ulong)(k - x.first) * KINK_SLOTS + slot];
}

// The derivative of |u|, rounded.
static real kink_slope(point x, real u, uint k, uint slot, uint site)
{
    return fmin(fmax(kink_multiplier(x, k, slot) + u / x.kinks[site], R(-1.0)), R(1.0));
}

// What |u| loses by the distance of its derivative g from the multiplier.
static real kink_loss(point x, real g, uint k, uint slot, uint site)
{
    const real by = g - kink_multiplier(x, k, slot);
    return R(0.5) * x.kinks[site] * by * by;
}

static real kink_abs(point x, real u, uint k, uint slot, uint site)
{
    const real g = kink_slope(x, u, k, slot, site);
    return g * u - kink_loss(x, g, k, slot, site);
}

// The larger one of a and b, (a + b + |a - b|)/2. Far from the kink it is one of them, whatever the size of the other.
static real kink_max(point x, real a, real b, uint k, uint slot, uint site)
{
    const real g = kink_slope(x, a - b, k, slot, site), loss = R(0.5) * kink_loss(x, g, k, slot, site);
    if (g >= R(1.0)) return a - loss;
    if (g <= R(-1.0)) return b - loss;
    return R(0.5) * (a + b + g * (a - b)) - loss;
}
