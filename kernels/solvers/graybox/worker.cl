// graybox/worker.cl: what items have at hand of a part while they work on it, and what a run keeps of that. Comes after
// graybox/searches.cl, graybox/lbfgs.cl, graybox/cma.cl and graybox/axes.cl.
//
// Rows of x: the best point, the point of the restart (its variables are among the reals where OPEN, since parts may
// have variables in common), then start points.
//
// Defines: SEARCH_COUNT, SEARCH_KINDS (one more than the largest number of a search).

#define SEARCH_START 7u // the value of the point at which a restart begins

// Rows of words.
#define W_MADE 0     // evaluations, which count the draws
#define W_STRANGE 1  // values that were not finite
#define W_RESTARTS 2 // that have begun
#define W_FRUITLESS 3
#define W_SEARCH 4
#define W_FAILED 5 // searches since the restart's point was improved, a set, plus AIMED times the aim
#define W_BEGAN 6  // W_MADE when the chain began
#define W_CHAIN 7 // and three more
#define W_AGAIN 11 // OPEN: evaluations of points whose surroundings have changed

#define CMA_FRESH 128u // in that set: the next chain of cma is the first one from a uniform point
#define AIMED 256u

// Rows of reals.
#define R_FROM 0   // value at which the chain began
#define R_BEFORE 1 // best value when the restart began
#define R_LOW 2    // best value when the chain began, with that of the restart
#define R_CREDIT 3 // of each search, if there are several
#define R_SPENT (R_CREDIT + SEARCH_KINDS) // evaluations of each search
#define R_GAINED (R_CREDIT + (SEARCH_COUNT > 1 ? 2 * SEARCH_KINDS : 0)) // what the best value fell by in each search
#define R_CHAIN (R_GAINED + (SEARCH_COUNT > 1 ? SEARCH_KINDS : 1))
#define R_STILL (R_CHAIN + CHAIN_REALS) // OPEN: best value when searches last ended there
#define R_TRIED (R_STILL + 1)           // OPEN: best value when uniform points were last tried with new surroundings
#define R_HERE (R_TRIED + 1)            // OPEN: the point of the restart
// and one of cma; then comes own

// Variable v of the point of the restart.
#if OPEN
#define HERE(v) PART_REAL(q, R_HERE + (v))
#else
#define HERE(v) m->x[m->shard.stride + (part_var(q, v) - m->shard.lo)]
#endif

#define MOST_MADE 0xffffffffu // a part that has made so many evaluations rests for good

#define WORD(row) m->words[(ulong)(row) * m->layout.columns + q->column]

#if OPEN

// Whether the best value has changed by a part of it.
static bool moved(real best, real from, real by) { return !(fabs(best - from) <= by * fabs(best)); }

#define STILL (REAL_BITS == 64 ? R(1e-6) : R(1e-4)) // changes by more are searched from the best point
#define AWAKE R(0.01)                               // with changes by more, uniform points are tried again

#if HAS(SEARCH_CMA)
// Changes the values of a chain as much as that of the point of the restart has changed.
static void cma_lift(const memory *m, const part *q, chain *c, real by)
{
    c->r[1] += by;
    for (uint k = PART_LANE; k < c->w[0]; k += LANES) OWN_REAL(CMA_VALUES + k) += by;
}
#endif

#endif

// The best value of the part so far, with that of the restart. There are no branches, at which a compiler has failed.
static real lowest(sum value, sum best, uint aim)
{
    return aim == 0 ? fmin(sum_real(value), sum_real(best)) : sum_real(best);
}

// What the best value has fallen by, from a to b. The first finite value is no gain.
static real fall(real a, real b) { return isfinite(a - b) ? fmax(a - b, R(0.0)) : R(0.0); }

#define GAINED(search) PART_REAL(q, R_GAINED + (SEARCH_COUNT > 1 ? (search) : 0))

// Makes the point of the restart, which has the sums now, the best one.
static inline __attribute__((always_inline)) void keep_best(const memory *m, const part *q, SPACE const real *here,
                                                            const sum *now, sum *best)
{
    for (uint v = PART_LANE; v < q->n; v += LANES) m->x[part_var(q, v) - m->shard.lo] = here[v];
    for (int a = 0; a < SUMS; a++) best[a] = now[a];
}

// What items have at hand of a part while they work on it.
typedef struct {
    part q;
    chain c;
    uint made, strange, restarts, fruitless, search, failed, began, aim;
    real start, before, low;
    sum best[SUMS], now[SUMS], best_value, value;
    bool goes_on; // a restart begins at the best point
#if OPEN
    real still, last;
    uint again;
#endif
} worker;

// Whether a part goes on. Open parts rest only when they know their neighbours.
static bool wakes(const memory *m, const part *q, uint most, uint patience)
{
    if (q->n == 0) return false;
    if (OPEN) return true;
    const bool rests = WORD(W_RESTARTS) > 0 && WORD(W_SEARCH) == SEARCH_START && WORD(W_FRUITLESS) >= patience;
    return !rests && WORD(W_MADE) < most;
}

// Reads what a run keeps for a part.
static inline __attribute__((always_inline)) void worker_read(const memory *m, worker *w, SPACE real *here)
{
    const part *q = &w->q;
    w->made = WORD(W_MADE);
    w->strange = WORD(W_STRANGE);
    w->restarts = WORD(W_RESTARTS);
    w->fruitless = WORD(W_FRUITLESS);
    w->search = w->restarts == 0 ? SEARCH_START : WORD(W_SEARCH);
    w->failed = WORD(W_FAILED) % AIMED;
    w->aim = INNER ? WORD(W_FAILED) / AIMED : 0;
    w->began = WORD(W_BEGAN);
    w->start = PART_REAL(q, R_FROM);
    w->before = PART_REAL(q, R_BEFORE);
    w->low = PART_REAL(q, R_LOW);
    for (uint k = 0; k < 4; k++) w->c.w[k] = WORD(W_CHAIN + k);
    for (uint k = 0; k < CHAIN_REALS; k++) w->c.r[k] = PART_REAL(q, R_CHAIN + k);
    for (int a = 0; a < SUMS; a++) {
        w->best[a] = m->acc[(ulong)a * m->layout.columns + q->column];
        w->now[a] = m->acc[(ulong)(SUMS + a) * m->layout.columns + q->column];
    }
    if (w->restarts == 0)
        for (int a = 0; a < ACCS; a++) sum_add(w->best + a, (real)INFINITY);
    w->best_value = value_of(w->best, m->coefs);
    w->value = value_aimed(w->now, m->coefs, w->aim);
    for (uint v = PART_LANE; v < q->n; v += LANES) here[v] = HERE(v);
#if OPEN
    w->still = PART_REAL(q, R_STILL);
    w->last = PART_REAL(q, R_TRIED);
    w->again = WORD(W_AGAIN);
#endif
}

// Stores what a run keeps for a part.
static inline __attribute__((always_inline)) void worker_write(const memory *m, const worker *w,
                                                               SPACE const real *here)
{
    const part *q = &w->q;
    for (uint v = PART_LANE; v < q->n; v += LANES) HERE(v) = here[v];
    sum best[SUMS];
    for (int a = 0; a < SUMS; a++) best[a] = w->best[a];
    if (w->aim == 0 && value_better(w->value, w->best_value)) keep_best(m, q, here, w->now, best);
    if (!PART_FIRST) return;
    WORD(W_MADE) = w->made;
    WORD(W_STRANGE) = w->strange;
    WORD(W_RESTARTS) = w->restarts;
    WORD(W_FRUITLESS) = w->fruitless;
    WORD(W_SEARCH) = w->search;
    WORD(W_FAILED) = w->failed + AIMED * w->aim;
    WORD(W_BEGAN) = w->began;
    for (uint k = 0; k < 4; k++) WORD(W_CHAIN + k) = w->c.w[k];
    for (uint k = 0; k < CHAIN_REALS; k++) PART_REAL(q, R_CHAIN + k) = w->c.r[k];
    PART_REAL(q, R_FROM) = w->start;
    PART_REAL(q, R_BEFORE) = w->before;
    PART_REAL(q, R_LOW) = w->low;
#if OPEN
    PART_REAL(q, R_STILL) = w->still;
    PART_REAL(q, R_TRIED) = w->last;
    WORD(W_AGAIN) = w->again;
#endif
    for (int a = 0; a < SUMS; a++) {
        m->acc[(ulong)a * m->layout.columns + q->column] = best[a];
        m->acc[(ulong)(SUMS + a) * m->layout.columns + q->column] = w->now[a];
    }
}

#if OPEN
// Computes the sums s of an open part at y again, and their value.
static inline __attribute__((always_inline)) void worker_value(const memory *m, worker *w, const desk *on,
                                                               SPACE const real *y, data d, sum *s, sum *value)
{
    part_evaluate(&w->q, y, d, on->scratch, on->tree, s);
    *value = value_of(s, m->coefs);
    w->again++;
    if (!value_finite(*value)) w->strange++;
}

// Computes the values of an open part again, since its neighbours have moved.
static inline __attribute__((always_inline)) void worker_refresh(const memory *m, worker *w, const desk *on, data d)
{
    const part *q = &w->q;
    const real best_was = sum_real(w->best_value), was = sum_real(w->value);
    // The restart began at the best point, and may have improved it, or it is over.
    const bool leads = !isfinite(w->before) || w->search == SEARCH_START;
    for (uint v = PART_LANE; v < q->n; v += LANES) on->y[v] = m->x[part_var(q, v) - m->shard.lo];
    PART_BARRIER
    worker_value(m, w, on, on->y, d, w->best, &w->best_value);
    if (leads) {
        for (uint v = PART_LANE; v < q->n; v += LANES) on->here[v] = on->y[v];
        for (int a = 0; a < SUMS; a++) w->now[a] = w->best[a];
        w->value = w->best_value;
    } else {
        worker_value(m, w, on, on->here, d, w->now, &w->value);
    }
    w->before += sum_real(w->best_value) - best_was;
    w->low += sum_real(w->best_value) - best_was;
    w->start += sum_real(w->value) - was;
#if HAS(SEARCH_CMA)
    if (w->restarts > 0 && w->search == SEARCH_CMA) cma_lift(m, q, &w->c, sum_real(w->value) - was);
#endif
}
#endif
