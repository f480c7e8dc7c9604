// view_trial.cl: the view of uniform points that checks reads, for the trial of a user's objective. A component may
// read only the variables that the problem declares. Another read is noted and returns the middle of the box.
//
// view_noted[0] counts the reads of variables that are not declared; [1] and [2] are the variable and the component
// of one of them. [3] to [5] are the same for reads outside 0..DIM-1.
// Defines: TRIAL_STRIDE (component k reads from variable k*TRIAL_STRIDE on), TRIAL_REACH (it reads TRIAL_STRIDE +
// TRIAL_REACH variables), TRIAL_WHOLE (it may read all).

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
