// view_trial.cl: uniform points under watch, for the trial of a user's objective:
// a component may read only what the problem declares. A read outside is noted
// and gives the middle of the box instead.
//
// view_noted[0] = number of reads outside what is declared, [1] and [2] = the
// variable and the component of one of them; [3] to [5] the same for reads
// outside 0..DIM-1.
// Defines: TRIAL_STRIDE (component k reads from variable k times this on),
// TRIAL_REACH (so many more than TRIAL_STRIDE), TRIAL_WHOLE (anything).

typedef struct { uint2 key; uint who, component, first, end; global uint *noted; } point;

#define VIEW_PARAMS const uint view_seed, const uint view_run, global uint *view_noted
#define VIEW_POINT(p, i) ((point){ (uint2)(view_seed, view_run), p, 0, 0, DIM, view_noted })
#define VIEW_OF(x, k) trial_of(x, k)

static point trial_of(point x, uint k)
{
    x.component = k;
#if !TRIAL_WHOLE
    x.first = min(k * TRIAL_STRIDE, DIM);
    x.end = min(x.first + TRIAL_STRIDE + TRIAL_REACH, DIM);
#endif
    return x;
}

static real at(point x, uint i)
{
    if (i < x.first || i >= x.end) {
        global uint *noted = x.noted + (i < DIM ? 0 : 3);
        if (atomic_inc(noted) == 0) {
            noted[1] = i;
            noted[2] = x.component;
        }
        return R(0.5) * (BOX_LO + BOX_HI);
    }
    return draw_in_box(i, x.who, 0, DRAW_CHECK, x.key);
}
