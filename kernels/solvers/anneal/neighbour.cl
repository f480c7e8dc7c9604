// anneal/neighbour.cl: draws the neighbour of a variable's value in annealing.
//
// Each function takes the value a, its interval [lo, hi] and a uniform number u. With SA_HASTINGS, *odds becomes the
// logarithm of q(y -> a)/q(a -> y); without it, *odds is 0.

// Below or above a with probability 1/2 each, uniform between a and the bound.
static real anneal_two_sided(real a, real lo, real hi, real u, real *odds)
{
    *odds = R(0.0);
    const real y = u < R(0.5) ? fma(u + u, a - lo, lo) : fma(u + u - R(1.0), hi - a, a);
#if SA_HASTINGS
    if (y < a) *odds = log((a - lo) / (hi - y));
    if (y > a) *odds = log((hi - a) / (y - lo));
#endif
    return fmin(fmax(y, lo), hi);
}

// Uniform in the interval.
static real anneal_uniform(real lo, real hi, real u) { return fmin(fmax(fma(u, hi - lo, lo), lo), hi); }

// Uniform within width of a.
static real anneal_within(real a, real lo, real hi, real u, real width)
{
    const real l = fmax(lo, a - width), h = fmin(hi, a + width);
    return fmin(fmax(fma(u, h - l, l), lo), hi);
}
