// lbfgs/seen.cl: the view of a stored point in which a component tells what it sees of its kinks. The layout is that of
// lbfgs/view.cl.
//
// Defines: KINK_SITES, KINK_SLOTS.

#define KINK_NONE 0xffffffffu

typedef struct {
    global const real *x;
    uint lo;
    global real *kinks;
    uint first;
    uint site;  // whose arguments are added to seen
    real *seen; // the sum of the logarithms of |u| where that is not 0, and how many there are; 0: multipliers are set
} point;

static real at(point x, uint i) { return x.x[i - x.lo]; }

// Sets the multiplier of |u| to its derivative, or adds |u| to what is seen.
static void kink_see(point x, real u, uint k, uint slot, uint site)
{
    if (x.seen) {
        const real v = log(fabs(u));
        if (site != x.site || !isfinite(v)) return;
        x.seen[0] += v;
        x.seen[1] += R(1.0);
    } else if (slot != KINK_NONE) {
        global real *m = x.kinks + (KINK_SITES + (ulong)(k - x.first) * KINK_SLOTS + slot);
        const real g = *m + u / x.kinks[site];
        if (isfinite(g)) *m = fmin(fmax(g, R(-1.0)), R(1.0));
    }
}

static real kink_abs(point x, real u, uint k, uint slot, uint site)
{
    kink_see(x, u, k, slot, site);
    return fabs(u);
}

static real kink_max(point x, real a, real b, uint k, uint slot, uint site)
{
    kink_see(x, a - b, k, slot, site);
    return fmax(a, b);
}
