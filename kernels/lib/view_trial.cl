// view_trial.cl: the view of uniform points, and of a stored point, that checks reads, for the trial of a user's
// objective. A component may read only the variables that the problem declares. Another read is noted and returns the
// middle of an interval.
//
// The point of number TRIAL_STORED is stored: its variable i is view_x[i - view_lo] where a component may read it.
//
// noted[0] counts the reads of variables that are not declared; [1] and [2] are the variable and the component
// of one of them. [3] to [5] are the same for reads outside 0..DIM-1. [6] to [8] are the same for writes outside of
// arrays, with an index in the place of the variable. Bit i % 32 of marks[i / 32] is set where variable i is read.
// Defines: TRIAL_BOXED (variable i is in d.trial_lo[i] to d.trial_hi[i], and otherwise in the box); TRIAL_WHOLE (a
// component may read all); TRIAL_LISTS (component k may read k/TRIAL_COMPS*TRIAL_VARS + v for each v of
// d.trial[d.trial_start[k % TRIAL_COMPS]] to d.trial[d.trial_start[k % TRIAL_COMPS + 1] - 1], which are in increasing
// order); TRIAL_GRID (it may read k + v modulo 2^32 for each v of d.trial[d.trial_start[c]] to
// d.trial[d.trial_start[c + 1] - 1], with c = TRIAL_CLASS(k)); otherwise TRIAL_STRIDE, TRIAL_FROM and TRIAL_TO (it may
// read TRIAL_STRIDE*k + TRIAL_FROM to TRIAL_STRIDE*k + TRIAL_TO).

#define TRIAL_STORED 0xffffffffu
#define TRIAL_PARAMS global const real *view_x, const uint view_lo

typedef struct {
    global const real *x;            // of a stored point, from variable lo on
    uint lo;
    uint2 key;
    uint who, component, dim;
    uint first, end;                 // it may read first to end - 1
    global const uint *list, *past;  // only those with i - first in the list; 0: all
    global uint *noted, *marks;
    uint *reads; // a hash of the variables that were read
#if TRIAL_BOXED
    global const real *least, *most; // the interval of each variable
#endif
} point;

// The point of a number, as component k may read it.
static point trial_point(uint number, uint k, data d, TRIAL_PARAMS, global uint *noted, global uint *marks,
                         uint *reads)
{
    point x = { view_x, view_lo, (uint2)(0, 0), number, k, DIM, 0, DIM, 0, 0, noted, marks, reads };
#if TRIAL_BOXED
    x.least = d.trial_lo;
    x.most = d.trial_hi;
#endif
#if TRIAL_GRID
    x.first = k;
    x.list = d.trial + d.trial_start[TRIAL_CLASS(k)];
    x.past = d.trial + d.trial_start[TRIAL_CLASS(k) + 1];
#elif TRIAL_LISTS
    x.first = k / TRIAL_COMPS * TRIAL_VARS;
    x.list = d.trial + d.trial_start[k % TRIAL_COMPS];
    x.past = d.trial + d.trial_start[k % TRIAL_COMPS + 1];
#elif !TRIAL_WHOLE
    x.first = min(k * TRIAL_STRIDE + TRIAL_FROM, DIM);
    x.end = min(k * TRIAL_STRIDE + TRIAL_TO + 1u, DIM);
#endif
    return x;
}

static bool trial_declared(point x, uint i)
{
#if TRIAL_GRID
    for (global const uint *q = x.list; q < x.past; q++)
        if (i == x.first + *q) return true;
    return false;
#else
    if (i < x.first || i >= x.end) return false;
    if (!x.list) return true;
    global const uint *lo = x.list, *hi = x.past; // the first that is not below i - x.first is in lo to hi
    while (lo < hi) {
        global const uint *mid = lo + (hi - lo) / 2;
        if (*mid < i - x.first) lo = mid + 1;
        else hi = mid;
    }
    return lo < x.past && *lo == i - x.first;
#endif
}

// The interval of variable i, or of the last one if there is no variable i.
#if TRIAL_BOXED
static real trial_lower(point x, uint i) { return x.least[min(i, x.dim - 1u)]; }
static real trial_upper(point x, uint i) { return x.most[min(i, x.dim - 1u)]; }
#else
static real trial_lower(point x, uint i) { return BOX_LO; }
static real trial_upper(point x, uint i) { return BOX_HI; }
#endif

static real at(point x, uint i)
{
    *x.reads = (*x.reads ^ i) * 0x9e3779b1u;
    if (!trial_declared(x, i)) {
        global uint *noted = x.noted + (i < x.dim ? 0 : 3);
        if (atomic_inc(noted) == 0) {
            noted[1] = i;
            noted[2] = x.component;
        }
        return R(0.5) * trial_lower(x, i) + R(0.5) * trial_upper(x, i);
    }
    atomic_or(x.marks + i / 32, 1u << i % 32);
    if (x.who == TRIAL_STORED) return x.x[i - x.lo];
#if TRIAL_BOXED
    const real lo = trial_lower(x, i), hi = trial_upper(x, i);
    return fmin(fma(draw_uniform(draw_word(i, x.who, 0, DRAW_CHECK, x.key)), hi - lo, lo), hi);
#else
    return draw_in_box(i, x.who, 0, DRAW_CHECK, x.key);
#endif
}
