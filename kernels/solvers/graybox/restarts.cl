// graybox/restarts.cl: restarts of searches in a part. Comes after graybox/worker.cl.
//
// A restart begins at a uniform point of the part (or at a start point that was given), and lets one search after the
// other improve it, until none of them does. The best point of all restarts is the best point of the part. A part is at
// rest once `patience` restarts in a row have not improved it. In a closed part of one variable, a restart begins at
// the best of DRAWN uniform points, one more for each such restart in a row, and ends where mts_lost says so.
//
// The next search is one that has not failed since the restart's point was improved. Among these it is the one that has
// had the least of its share of the evaluations so far (probability matching), which is
//   FLOOR + (1 - FLOOR K) credit/sum of credits,   K searches.
// The credit of a search is what its chains in this part gained per evaluation, ln((f0 - b)/(f1 - b)), each chain a
// fifth of it, and the first one all. One that has made no chain has the highest credit of the others. b is a
// thousandth below the best value of the part, or below f1 for an inner sum. A value f0 above the best one of the
// restarts before counts as that one: descents to valleys that are known to be poor gain nothing.
//
// Where components have inner sums, the first aim of a restart is one of these, or the value at once, in turn. When no
// search improves it any more, the aim is the value. The best point has the best value, whatever the aim was.
//
// Open parts work in turns, those of a colour at the same time. As neighbours have moved meanwhile, a turn begins with
// new values of the best point and of that of the restart. Values of before, with which others are compared, change as
// much as that of the same point. Restarts begin at the best point while its value differs from the one when searches
// last ended there, and only then at uniform points. A part at rest begins a restart, too, when neighbours have
// changed its value.
//
// A worker asks for a candidate and is told its sums. All items of a part call both.
//
// Defines: FLOOR.

// The smallest gain, and the smallest distance to a value below all others.
#if REAL_BITS == 64
#define LEAST_GAIN R(1e-300)
#define LEAST_DISTANCE R(1e-300)
#else
#define LEAST_GAIN R(0.0)
#define LEAST_DISTANCE R(1e-30)
#endif

// Uniform points at the best of which the first restart of one variable begins.
#define DRAWN 8

// Whether b improves a by more than rounding.
static bool improves(real b, real a) { return b < a - fmax(R(1e-13) * fabs(a), LEAST_GAIN); }

// What a chain from value a to value b has gained, where the best value of the restarts before is least.
static real chain_gain(real a, real b, real least)
{
    const real low = fmin(b, least), bottom = low - R(1e-3) * fabs(low) - LEAST_DISTANCE;
    const real gain = log((fmin(a, least) - bottom) / (b - bottom));
    return gain > 0 ? fmin(gain, R(36.0)) : R(0.0); // 0 for what is not finite
}

// The most evaluations of a chain in a part of n variables, where the chains of its search had `spent` before. A search
// may creep on for long where it does not suit the part, so its first chain is short, and each later one may be as long
// as all before. One of lbfgs may be twice as long, since it has to learn the second derivatives again. What open parts
// gain by mts and solis_wets is soon out of date, and a search that is alone need not be short.
static uint longest(uint search, uint n, uint spent)
{
    const bool creeps = search == SEARCH_MTS || search == SEARCH_SOLIS_WETS || search == SEARCH_JUMPS;
    if (search == SEARCH_AXES) return max(n * n + 100 * n + 1000, spent);
    if (OPEN) return creeps ? 10 * n + 200 : MOST_MADE;
    if (SEARCH_COUNT == 1) return creeps ? 100 * n + 1000 : MOST_MADE;
    if (creeps) return max(20 * n + 300, spent);
    return max(n * n + 20 * n, search == SEARCH_LBFGS ? 2 * spent : spent);
}

// Returns the search of the set `open` that has had the least of its share of the evaluations. In closed parts each
// counts as if it had had its price before, so that cheap searches come first.
static uint choose(const memory *m, const part *q, uint open)
{
    const real n = OPEN ? 0 : q->n, price[] = { 10 * n, 50 * n, 15 * n, 20 * n, 100 * n,
                                            fmax(12 * n, n * n / 4) };
    real credits = 0, spent = 0, highest = 0, most = -INFINITY;
    uint next = 0, fresh = 0;
    for (uint k = 0; k < SEARCH_KINDS; k++) {
        if (SEARCH_COUNT == 1 || !HAS(k)) continue;
        credits += PART_REAL(q, R_CREDIT + k);
        highest = fmax(highest, PART_REAL(q, R_CREDIT + k));
        spent += PART_REAL(q, R_SPENT + k);
        fresh += PART_REAL(q, R_SPENT + k) == 0;
    }
    credits += fresh * highest;
    for (uint k = 0; k < SEARCH_KINDS; k++) {
        if (!(open >> k & 1u)) continue;
        if (SEARCH_COUNT == 1) return k;
        const real own = PART_REAL(q, R_SPENT + k) == 0 ? highest : PART_REAL(q, R_CREDIT + k);
        const real credit = credits > 0 ? own / credits : (real)1 / SEARCH_COUNT;
        const real due = (FLOOR + (1 - FLOOR * SEARCH_COUNT) * credit) * spent
                         - PART_REAL(q, R_SPENT + k) - price[k];
        if (due > most) {
            most = due;
            next = k;
        }
    }
    return next;
}

// Whether a restart of the part begins. If so, it notes where.
static inline __attribute__((always_inline)) bool worker_begins(worker *w, const graybox_turn *turn)
{
#if OPEN
    w->goes_on = w->restarts == 0 || moved(sum_real(w->best_value), w->still, STILL);
    if (w->restarts == 0 || moved(sum_real(w->best_value), w->last, AWAKE)) {
        w->fruitless = 0;
        w->last = sum_real(w->best_value);
    }
    if (!w->goes_on && w->fruitless >= turn->patience) return false;
#else
    if (w->restarts > 0 && w->fruitless >= turn->patience) return false;
#endif
    if (OPEN || w->made == 0) w->c.w[0] = 0;
    w->aim = INNER == 0 || OPEN || w->restarts < turn->given ? 0 : (w->restarts - turn->given + 1) % (INNER + 1);
    return true;
}

// Writes a point at which a restart may begin to y.
static inline __attribute__((always_inline)) void worker_draw(const memory *m, const worker *w,
                                                              const graybox_turn *turn, SPACE real *y)
{
    const part *q = &w->q;
    for (uint v = PART_LANE; v < q->n; v += LANES) {
        const uint i = part_var(q, v), stored = i - m->shard.lo;
        y[v] = w->goes_on                  ? m->x[stored]
               : w->restarts < turn->given ? m->x[m->shard.stride * (2 + w->restarts) + stored]
                                           : draw_in_box(i, w->made, turn->pass, DRAW_INIT, m->key);
    }
}

// Writes the next candidate to y. Returns false if the part rests.
static inline __attribute__((always_inline)) bool worker_ask(const memory *m, worker *w, const graybox_turn *turn,
                                                             const desk *on)
{
    const part *q = &w->q;
    w->goes_on = false;
    if (w->search == SEARCH_START) {
        if (!worker_begins(w, turn)) return false;
        worker_draw(m, w, turn, on->y);
    } else if (w->search == SEARCH_MTS) {
        mts_ask(q, &w->c, on->y, on->here);
    } else if (w->search == SEARCH_SOLIS_WETS) {
        solis_wets_ask(m, q, &w->c, on->y, on->here, w->made);
    }
#if HAS(SEARCH_JUMPS)
    else if (w->search == SEARCH_JUMPS) jumps_ask(m, q, on->y, on->here, w->made);
#endif
#if HAS(SEARCH_LBFGS)
    else if (w->search == SEARCH_LBFGS) lbfgs_ask(m, q, &w->c, on->y, on->here);
#endif
#if HAS(SEARCH_CMA)
    else if (w->search == SEARCH_CMA) cma_ask(m, q, &w->c, on->y, w->made, on->z);
#endif
#if HAS(SEARCH_AXES)
    else axes_ask(m, q, &w->c, on->y, on->here);
#endif
    return true;
}

// Tells one of the points at which a restart may begin, which is better than those before or not.
static inline __attribute__((always_inline)) uint worker_told_start(const memory *m, worker *w, uint given,
                                                                    const desk *on, bool better)
{
    const part *q = &w->q;
    const bool among = !OPEN && q->n == 1 && w->restarts >= given; // one of several uniform points
    uint told = 0;
    if (w->c.w[0] == 0) {
        w->before = w->restarts > 0 && !w->goes_on ? sum_real(w->best_value) : (real)INFINITY;
    }
    if (w->c.w[0] == 0 || better) {
        for (uint v = PART_LANE; v < q->n; v += LANES) on->here[v] = on->y[v];
        if (w->restarts == 0) // even if its value is not finite
            for (uint v = PART_LANE; v < q->n; v += LANES) m->x[part_var(q, v) - m->shard.lo] = on->y[v];
        told = MOVED;
    }
    if (++w->c.w[0] >= (among ? DRAWN + w->fruitless : 1)) {
        told |= OVER;
        w->restarts++;
    }
    return told;
}

// Gives the search the value of its candidate. *lost is set to true if the search is in a valley that leads nowhere.
static inline __attribute__((always_inline)) uint worker_told(const memory *m, worker *w, const desk *on, sum next,
                                                              bool better, bool *lost)
{
    const part *q = &w->q;
    if (w->search == SEARCH_MTS) {
        *lost = !OPEN && w->aim == 0 &&
                mts_lost(q, &w->c, better, value_less_by(next, w->value), sum_real(w->value) - w->before);
        return mts_tell(q, &w->c, on->y, on->here, better) | (*lost ? OVER : 0);
    }
    if (w->search == SEARCH_SOLIS_WETS) return solis_wets_tell(m, q, &w->c, on->y, on->here, better);
#if HAS(SEARCH_JUMPS)
    if (w->search == SEARCH_JUMPS)
        return jumps_tell(q, &w->c, on->y, on->here, better, !value_finite(next) || value_better(w->value, next));
#endif
#if HAS(SEARCH_LBFGS)
    if (w->search == SEARCH_LBFGS)
        return lbfgs_tell(m, q, &w->c, on->y, on->here, on->tree, value_less_by(next, w->value), sum_real(w->value));
#endif
#if HAS(SEARCH_CMA)
    if (w->search == SEARCH_CMA)
        return cma_tell(m, q, &w->c, on->y, on->here, on->tree, better, sum_real(next), on->z);
#endif
#if HAS(SEARCH_AXES)
    return axes_tell(m, q, &w->c, on->y, on->here, on->tree, better, value_less_by(next, w->value), w->made);
#else
    return 0;
#endif
}

// Takes over the candidate to which a search has moved, with its sums and what the search minimizes.
static inline __attribute__((always_inline)) void worker_move(const memory *m, worker *w, SPACE const real *here,
                                                              const sum *s, sum next)
{
    for (int a = 0; a < SUMS; a++) w->now[a] = s[a];
    w->value = next;
    if (w->aim > 0 && value_better(value_of(w->now, m->coefs), w->best_value)) {
        keep_best(m, &w->q, here, w->now, w->best);
        w->best_value = value_of(w->now, m->coefs);
    }
}

// Notes what a chain of a search has gained that is over.
static inline __attribute__((always_inline)) void worker_credit(const memory *m, worker *w, bool lost)
{
    const part *q = &w->q;
    const real reached = sum_real(w->value);
    const real gain = chain_gain(w->start, reached, w->aim > 0 ? (real)INFINITY : w->before) /
                      (real)(w->made - w->began);
    const real fallen = fall(w->low, lowest(w->value, w->best_value, w->aim));
    PART_BARRIER
    if (SEARCH_COUNT > 1 && PART_FIRST) {
        const real old = PART_REAL(q, R_SPENT + w->search) == 0 ? gain : PART_REAL(q, R_CREDIT + w->search);
        PART_REAL(q, R_CREDIT + w->search) = R(0.8) * old + R(0.2) * gain;
        PART_REAL(q, R_SPENT + w->search) += (real)(w->made - w->began);
    }
    if (PART_FIRST) GAINED(w->search) += fallen;
    PART_BARRIER
    const uint kept = OPEN ? w->failed & CMA_FRESH : 0;
    w->failed = kept | (lost ? SEARCHES : improves(reached, w->start) ? 0 : w->failed | 1u << w->search);
}

// Ends a restart.
static inline __attribute__((always_inline)) void worker_end(const memory *m, worker *w, SPACE const real *here)
{
    if (value_better(w->value, w->best_value)) {
        keep_best(m, &w->q, here, w->now, w->best);
        w->best_value = w->value;
    }
#if OPEN
    if (!isfinite(w->before) || improves(sum_real(w->best_value), w->before)) w->still = sum_real(w->best_value);
#endif
    if (isfinite(w->before)) w->fruitless = improves(sum_real(w->best_value), w->before) ? 0 : w->fruitless + 1;
    w->search = SEARCH_START;
    w->c.w[0] = 0; // points that were drawn
}

// Begins a chain of the next search.
static inline __attribute__((always_inline)) void worker_chain(const memory *m, worker *w, uint pass,
                                                               SPACE const real *here)
{
    const part *q = &w->q;
    w->search = choose(m, q, SEARCHES & ~w->failed);
    w->start = sum_real(w->value);
    w->low = lowest(w->value, w->best_value, w->aim);
    w->began = w->made;
    if (w->search == SEARCH_MTS) {
        mts_begin(&w->c, draw_uniform(draw_words(q->number, pass, w->made, DRAW_CHOOSE, m->key).y));
    } else if (w->search == SEARCH_SOLIS_WETS) {
        solis_wets_begin(&w->c, R(0.1) * BOX_WIDTH);
    }
#if HAS(SEARCH_JUMPS)
    else if (w->search == SEARCH_JUMPS) jumps_begin(&w->c);
#endif
#if HAS(SEARCH_LBFGS)
    else if (w->search == SEARCH_LBFGS) lbfgs_begin(m, q, &w->c, here);
#endif
#if HAS(SEARCH_CMA)
    else if (w->search == SEARCH_CMA) {
        cma_begin(m, q, &w->c, here, w->failed & CMA_FRESH, w->made);
        w->failed &= ~CMA_FRESH;
    }
#endif
#if HAS(SEARCH_AXES)
    else axes_begin(m, q, &w->c, here, w->made);
#endif
}

// Notes the sums s of the candidate, and what follows from them.
static inline __attribute__((always_inline)) void worker_tell(const memory *m, worker *w, const graybox_turn *turn,
                                                              const desk *on, const sum *s)
{
    const part *q = &w->q;
    w->made++;
    const sum next = value_aimed(s, m->coefs, w->aim);
    if (!value_finite(value_of(s, m->coefs))) w->strange++;
    const bool better = value_better(next, w->value), begins = w->search == SEARCH_START;
    bool lost = false;
    uint told = begins ? worker_told_start(m, w, turn->given, on, better) : worker_told(m, w, on, next, better, &lost);
    if (told & MOVED) worker_move(m, w, on->here, s, next);
    PART_BARRIER
    const uint spent = SEARCH_COUNT > 1 && !begins ? (uint)PART_REAL(q, R_SPENT + w->search) : 0;
    if (!begins && w->made - w->began > longest(w->search, q->n, spent)) told |= OVER;
    if (!(told & OVER)) return;
    if (begins) w->failed = (w->restarts == 1 || isfinite(w->before)) && w->restarts > turn->given ? CMA_FRESH : 0;
    else worker_credit(m, w, lost);
    if ((w->failed & SEARCHES) == SEARCHES && w->aim > 0) { // the inner sum is as small as they make it
        w->aim = w->failed = 0;
        w->value = value_of(w->now, m->coefs);
    }
    if ((w->failed & SEARCHES) == SEARCHES) worker_end(m, w, on->here);
    else worker_chain(m, w, turn->pass, on->here);
}
