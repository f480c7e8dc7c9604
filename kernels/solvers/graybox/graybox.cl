// graybox/graybox.cl: episodes of searches in every part. Comes after graybox/searches.cl,
// graybox/lbfgs.cl, graybox/cma.cl and graybox/axes.cl.
//
// An episode begins at a uniform point of the part (or at a start point that was given), and lets one search after the
// other improve it, until none of them does. The best point of all episodes is the best point of the part. A part is at
// rest once `patience` episodes in a row have not improved it. In a closed part of one variable, an episode begins at
// the best of as many uniform points as there were such episodes in a row, plus one, and ends where mts_lost says so.
//
// The next search is one that has not failed since the episode's point was improved. Among these it is the one that has
// had the least of its share of the evaluations so far (probability matching), which is
//   FLOOR + (1 - FLOOR K) credit/sum of credits,   K searches.
// The credit of a search is what its chains in this part gained per evaluation, ln((f0 - b)/(f1 - b)), each chain a
// fifth of it, and the first one all. One that has made no chain has the highest credit of the others. b is a
// thousandth below the best value of the part, or below f1 for an inner sum. A value f0 above the best one of the
// episodes before counts as that one: descents to valleys that are known to be poor gain nothing.
//
// Where components have inner sums, the first aim of an episode is one of these, or the value at once, in turn. When no
// search improves it any more, the aim is the value. The best point has the best value, whatever the aim was.
//
// Open parts work in turns, those of a colour at the same time. As neighbours have moved meanwhile, a turn begins with
// new values of the best point and of that of the episode. Values of before, with which others are compared, change as
// much as that of the same point. Episodes begin at the best point while its value differs from the one when searches
// last ended there, and only then at uniform points. A part at rest begins an episode, too, when neighbours have
// changed its value.
//
// Rows of x: the best point, the point of the episode (its variables are among the reals where OPEN, since parts may
// have variables in common), then start points.
//
// graybox_run: makes up to `quota` evaluations of every part that is not at rest and has made less than `most`, of
//   the `count` parts of a tile from part `first` on. begins: the first launch of a turn.
//   launch: LANES 1: one item a part, from tile `from` of the shard on; else one group a part
//
// Defines: SEARCH_COUNT, SEARCH_KINDS (one more than the largest number of a search), FLOOR.

#define SEARCH_START 7u // the value of the point at which an episode begins

// Rows of words.
#define W_MADE 0     // evaluations, which count the draws
#define W_STRANGE 1  // values that were not finite
#define W_EPISODES 2 // that have begun
#define W_FRUITLESS 3
#define W_SEARCH 4
#define W_FAILED 5 // searches since the episode's point was improved, a set, plus AIMED times the aim
#define W_BEGAN 6  // W_MADE when the chain began
#define W_CHAIN 7 // and three more
#define W_AGAIN 11 // OPEN: evaluations of points whose surroundings have changed

#define AIMED 256u

// Rows of reals.
#define R_FROM 0   // value at which the chain began
#define R_BEFORE 1 // best value when the episode began
#define R_LOW 2    // best value when the chain began, with that of the episode
#define R_CREDIT 3 // of each search, if there are several
#define R_SPENT (R_CREDIT + SEARCH_KINDS) // evaluations of each search
#define R_GAINED (R_CREDIT + (SEARCH_COUNT > 1 ? 2 * SEARCH_KINDS : 0)) // what the best value fell by in each search
#define R_CHAIN (R_GAINED + (SEARCH_COUNT > 1 ? SEARCH_KINDS : 1))
#define R_STILL (R_CHAIN + CHAIN_REALS) // OPEN: best value when searches last ended there
#define R_TRIED (R_STILL + 1)           // OPEN: best value when uniform points were last tried with new surroundings
#define R_HERE (R_TRIED + 1)            // OPEN: the point of the episode
// and one of cma; then comes OWN

// Variable v of the point of the episode.
#if OPEN
#define HERE(v) PART_REAL(q, R_HERE + (v))
#else
#define HERE(v) x[stride + (part_var(q, v) - lo)]
#endif

#define MOST_MADE 0xffffffffu // a part that has made so many evaluations rests for good

#define WORD(row) words[(ulong)(row) * columns + q->column]

// The smallest gain, and the smallest distance to a value below all others.
#if REAL_BITS == 64
#define LEAST_GAIN R(1e-300)
#define LEAST_DISTANCE R(1e-300)
#else
#define LEAST_GAIN R(0.0)
#define LEAST_DISTANCE R(1e-30)
#endif

// Whether b improves a by more than rounding.
static bool improves(real b, real a) { return b < a - fmax(R(1e-13) * fabs(a), LEAST_GAIN); }

#if OPEN

// Whether the best value has changed by a part of it.
static bool moved(real best, real from, real by) { return !(fabs(best - from) <= by * fabs(best)); }

#define STILL (REAL_BITS == 64 ? R(1e-6) : R(1e-4)) // changes by more are searched from the best point
#define AWAKE R(0.01)                               // with changes by more, uniform points are tried again

// Computes the accumulators s of a part again, and their value.
static inline __attribute__((always_inline)) void part_value(const part *q, SPACE const real *y, data d,
                                                             local real *scratch, local sum *tree, const ulong *by,
                                                             sum *s, sum *value, uint *again, uint *strange)
{
    part_evaluate(q, y, d, scratch, tree, s);
    *value = value_of(s, by);
    ++*again;
    if (!value_finite(*value)) ++*strange;
}

#if HAS(SEARCH_CMA)
// Changes the values of a chain as much as that of the point of the episode has changed.
static void cma_lift(const part *q, chain *c, global real *reals, uint columns, real by)
{
    c->r[1] += by;
    for (uint k = PART_LANE; k < c->w[0]; k += LANES) OWN_REAL(CMA_VALUES + k) += by;
}
#endif

#endif

// What a chain from value a to value b has gained, where the best value of the episodes before is least.
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
static uint choose(const part *q, global const real *reals, uint columns, uint open)
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

// The best value of the part so far, with that of the episode. There are no branches, at which a compiler has failed.
static real lowest(sum value, sum best, uint aim)
{
    return aim == 0 ? fmin(sum_real(value), sum_real(best)) : sum_real(best);
}

// What the best value has fallen by, from a to b. The first finite value is no gain.
static real fall(real a, real b) { return isfinite(a - b) ? fmax(a - b, R(0.0)) : R(0.0); }

#define GAINED(search) PART_REAL(q, R_GAINED + (SEARCH_COUNT > 1 ? (search) : 0))

// Makes the point of the episode the best one.
static inline __attribute__((always_inline)) void keep_best(const part *q, SPACE const real *here, const sum *now,
                                                            sum *best, global real *x, uint lo)
{
    PART_EACH(q, v) x[part_var(q, v) - lo] = here[v];
    for (int a = 0; a < SUMS; a++) best[a] = now[a];
}

// What items have at hand of a part while they work on it.
typedef struct {
    part q;
    chain c;
    uint made, strange, episodes, fruitless, search, failed, began, aim;
    real start, before, low;
    sum best[SUMS], now[SUMS], best_value, value;
    bool goes_on; // an episode begins at the best point
#if OPEN
    real still, last;
    uint again;
#endif
} worker;

// Whether a part goes on. Open parts rest only when they know their neighbours.
static bool wakes(const part *q, global const uint *words, uint columns, uint most, uint patience)
{
    if (q->n == 0) return false;
    if (OPEN) return true;
    return WORD(W_MADE) < most && (WORD(W_EPISODES) == 0 || WORD(W_SEARCH) != SEARCH_START || WORD(W_FRUITLESS) < patience);
}

// Reads what a run keeps for a part.
static inline __attribute__((always_inline)) void worker_read(worker *w, PARAMS, const ulong *by, SPACE real *here)
{
    const part *q = &w->q;
    w->made = WORD(W_MADE);
    w->strange = WORD(W_STRANGE);
    w->episodes = WORD(W_EPISODES);
    w->fruitless = WORD(W_FRUITLESS);
    w->search = w->episodes == 0 ? SEARCH_START : WORD(W_SEARCH);
    w->failed = WORD(W_FAILED) % AIMED;
    w->aim = INNER ? WORD(W_FAILED) / AIMED : 0;
    w->began = WORD(W_BEGAN);
    w->start = PART_REAL(q, R_FROM);
    w->before = PART_REAL(q, R_BEFORE);
    w->low = PART_REAL(q, R_LOW);
    for (uint k = 0; k < 4; k++) w->c.w[k] = WORD(W_CHAIN + k);
    for (uint k = 0; k < CHAIN_REALS; k++) w->c.r[k] = PART_REAL(q, R_CHAIN + k);
    for (int a = 0; a < SUMS; a++) {
        w->best[a] = acc[(ulong)a * columns + q->column];
        w->now[a] = acc[(ulong)(SUMS + a) * columns + q->column];
    }
    if (w->episodes == 0)
        for (int a = 0; a < ACCS; a++) sum_add(w->best + a, (real)INFINITY);
    w->best_value = value_of(w->best, by);
    w->value = value_aimed(w->now, by, w->aim);
    PART_EACH(q, v) here[v] = HERE(v);
#if OPEN
    w->still = PART_REAL(q, R_STILL);
    w->last = PART_REAL(q, R_TRIED);
    w->again = WORD(W_AGAIN);
#endif
}

// Stores what a run keeps for a part.
static inline __attribute__((always_inline)) void worker_write(const worker *w, PARAMS, SPACE const real *here)
{
    const part *q = &w->q;
    PART_EACH(q, v) HERE(v) = here[v];
    sum best[SUMS];
    for (int a = 0; a < SUMS; a++) best[a] = w->best[a];
    if (w->aim == 0 && value_better(w->value, w->best_value)) keep_best(q, here, w->now, best, x, lo);
    if (!PART_FIRST) return;
    WORD(W_MADE) = w->made;
    WORD(W_STRANGE) = w->strange;
    WORD(W_EPISODES) = w->episodes;
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
        acc[(ulong)a * columns + q->column] = best[a];
        acc[(ulong)(SUMS + a) * columns + q->column] = w->now[a];
    }
}

#if OPEN
// Computes the values of an open part again, since its neighbours have moved.
static inline __attribute__((always_inline)) void worker_refresh(worker *w, PARAMS, const ulong *by, SPACE real *y,
                                                                 SPACE real *here, data d, local real *scratch,
                                                                 local sum *tree)
{
    const part *q = &w->q;
    const real best_was = sum_real(w->best_value), was = sum_real(w->value);
    // The episode began at the best point, and may have improved it, or it is over.
    const bool leads = !isfinite(w->before) || w->search == SEARCH_START;
    PART_EACH(q, v) y[v] = x[part_var(q, v) - lo];
    PART_BARRIER
    part_value(q, y, d, scratch, tree, by, w->best, &w->best_value, &w->again, &w->strange);
    if (leads) {
        PART_EACH(q, v) here[v] = y[v];
        for (int a = 0; a < SUMS; a++) w->now[a] = w->best[a];
        w->value = w->best_value;
    } else {
        part_value(q, here, d, scratch, tree, by, w->now, &w->value, &w->again, &w->strange);
    }
    w->before += sum_real(w->best_value) - best_was;
    w->low += sum_real(w->best_value) - best_was;
    w->start += sum_real(w->value) - was;
#if HAS(SEARCH_CMA)
    if (w->episodes > 0 && w->search == SEARCH_CMA) cma_lift(q, &w->c, reals, columns, sum_real(w->value) - was);
#endif
}
#endif

// Writes the next candidate to y. Returns false if the part rests.
static inline __attribute__((always_inline)) bool worker_ask(worker *w, PARAMS, const uint patience,
                                                             const uint given, const uint pass, SPACE real *y,
                                                             SPACE const real *here, SPACE real *z)
{
    const part *q = &w->q;
    const uint2 key = (uint2)(seed, run);
    w->goes_on = false;
    if (w->search == SEARCH_START) {
#if OPEN
        w->goes_on = w->episodes == 0 || moved(sum_real(w->best_value), w->still, STILL);
        if (w->episodes == 0 || moved(sum_real(w->best_value), w->last, AWAKE)) {
            w->fruitless = 0;
            w->last = sum_real(w->best_value);
        }
        if (!w->goes_on && w->fruitless >= patience) return false;
#else
        if (w->episodes > 0 && w->fruitless >= patience) return false;
#endif
        if (OPEN || w->episodes == 0) w->c.w[0] = 0;
        w->aim = INNER == 0 || OPEN || w->episodes < given ? 0 : (w->episodes - given + 1) % (INNER + 1);
        PART_EACH(q, v) {
            const uint i = part_var(q, v);
            y[v] = w->goes_on            ? x[i - lo]
                   : w->episodes < given ? x[stride * (2 + w->episodes) + (i - lo)]
                                         : draw_in_box(i, w->made, pass, DRAW_INIT, key);
        }
    } else if (w->search == SEARCH_MTS) {
        mts_ask(q, &w->c, y, here);
    } else if (w->search == SEARCH_SOLIS_WETS) {
        solis_wets_ask(q, &w->c, y, here, reals, columns, w->made, key);
    }
#if HAS(SEARCH_JUMPS)
    else if (w->search == SEARCH_JUMPS) jumps_ask(q, y, here, w->made, key);
#endif
#if HAS(SEARCH_LBFGS)
    else if (w->search == SEARCH_LBFGS) lbfgs_ask(q, &w->c, y, reals, columns, here);
#endif
#if HAS(SEARCH_CMA)
    else if (w->search == SEARCH_CMA) cma_ask(q, &w->c, y, reals, columns, w->made, key, z);
#endif
#if HAS(SEARCH_AXES)
    else axes_ask(q, &w->c, y, here, reals, columns);
#endif
    return true;
}

// Notes the sums s of the candidate y, and what follows from them.
static inline __attribute__((always_inline)) void worker_tell(worker *w, PARAMS, const ulong *by, const uint given,
                                                              const uint pass, SPACE const real *y, SPACE real *here,
                                                              SPACE real *z, local sum *tree, const sum *s)
{
    const part *q = &w->q;
    const uint2 key = (uint2)(seed, run);
    w->made++;
    const sum next = value_aimed(s, by, w->aim);
    if (!value_finite(value_of(s, by))) w->strange++;
    const bool better = value_better(next, w->value);
    uint told = 0;
    bool lost = false;
    if (w->search == SEARCH_START) {
        const bool among = !OPEN && q->n == 1 && w->episodes >= given; // one of several uniform points
        if (w->c.w[0] == 0) {
            w->before = w->episodes > 0 && !w->goes_on ? sum_real(w->best_value) : (real)INFINITY;
        }
        if (w->c.w[0] == 0 || better) {
            PART_EACH(q, v) here[v] = y[v];
            told = MOVED;
        }
        if (w->episodes == 0) PART_EACH(q, v) x[part_var(q, v) - lo] = y[v]; // even if its value is not finite
        if (++w->c.w[0] > (among ? w->fruitless : 0)) {
            told |= OVER;
            w->episodes++;
        }
    } else if (w->search == SEARCH_MTS) {
        lost = !OPEN && w->aim == 0 &&
               mts_lost(q, &w->c, better, value_less_by(next, w->value), sum_real(w->value) - w->before);
        told = mts_tell(q, &w->c, y, here, better) | (lost ? OVER : 0);
    } else if (w->search == SEARCH_SOLIS_WETS) {
        told = solis_wets_tell(q, &w->c, y, here, reals, columns, better, key);
    }
#if HAS(SEARCH_JUMPS)
    else if (w->search == SEARCH_JUMPS) {
        told = jumps_tell(q, &w->c, y, here, better, !value_finite(next) || value_better(w->value, next));
    }
#endif
#if HAS(SEARCH_LBFGS)
    else if (w->search == SEARCH_LBFGS) {
        told = lbfgs_tell(q, &w->c, y, here, reals, columns, tree, value_less_by(next, w->value),
                          sum_real(w->value));
    }
#endif
#if HAS(SEARCH_CMA)
    else if (w->search == SEARCH_CMA) {
        told = cma_tell(q, &w->c, y, here, reals, columns, tree, better, sum_real(next), key, z);
    }
#endif
#if HAS(SEARCH_AXES)
    else {
        told = axes_tell(q, &w->c, y, here, reals, columns, tree, better, value_less_by(next, w->value), w->made,
                         key);
    }
#endif
    if (told & MOVED) {
        for (int a = 0; a < SUMS; a++) w->now[a] = s[a];
        w->value = next;
        if (w->aim > 0 && value_better(value_of(w->now, by), w->best_value)) {
            keep_best(q, here, w->now, w->best, x, lo);
            w->best_value = value_of(w->now, by);
        }
    }
    PART_BARRIER
    const uint spent = SEARCH_COUNT > 1 && w->search != SEARCH_START ? (uint)PART_REAL(q, R_SPENT + w->search) : 0;
    if (w->search != SEARCH_START && w->made - w->began > longest(w->search, q->n, spent)) told |= OVER;
    if (!(told & OVER)) return;
    real reached = sum_real(w->value);
    if (w->search != SEARCH_START) {
        const real gain = chain_gain(w->start, reached, w->aim > 0 ? (real)INFINITY : w->before) /
                          (real)(w->made - w->began);
        const real fallen = fall(w->low, lowest(w->value, w->best_value, w->aim));
        PART_BARRIER
        if (SEARCH_COUNT > 1 && PART_FIRST) {
            const real old = PART_REAL(q, R_SPENT + w->search) == 0 ? gain : PART_REAL(q, R_CREDIT + w->search);
            PART_REAL(q, R_CREDIT + w->search) = R(0.8) * old + R(0.2) * gain;
            PART_REAL(q, R_SPENT + w->search) += (real)(w->made - w->began);
        }
        if (PART_LANE == 0) GAINED(w->search) += fallen;
        PART_BARRIER
        w->failed = lost ? SEARCHES : improves(reached, w->start) ? 0 : w->failed | 1u << w->search;
    } else {
        w->failed = 0;
    }
    if (w->failed == SEARCHES && w->aim > 0) { // the inner sum is as small as they make it
        w->aim = w->failed = 0;
        w->value = value_of(w->now, by);
        reached = sum_real(w->value);
    }
    if (w->failed == SEARCHES) { // the episode is over
        if (value_better(w->value, w->best_value)) {
            keep_best(q, here, w->now, w->best, x, lo);
            w->best_value = w->value;
        }
#if OPEN
        if (!isfinite(w->before) || improves(sum_real(w->best_value), w->before)) w->still = sum_real(w->best_value);
#endif
        if (isfinite(w->before)) w->fruitless = improves(sum_real(w->best_value), w->before) ? 0 : w->fruitless + 1;
        w->search = SEARCH_START;
        w->c.w[0] = 0; // points that were drawn
        return;
    }
#if HAS(SEARCH_CMA)
    const bool fresh = w->search == SEARCH_START && (w->episodes == 1 || isfinite(w->before)) && w->episodes > given;
#endif
    w->search = choose(q, reals, columns, SEARCHES & ~w->failed);
    w->start = reached;
    w->low = lowest(w->value, w->best_value, w->aim);
    w->began = w->made;
    if (w->search == SEARCH_MTS) {
        mts_begin(&w->c, draw_uniform(draw_words(q->number, pass, w->made, DRAW_CHOOSE, key).y));
    } else if (w->search == SEARCH_SOLIS_WETS) {
        solis_wets_begin(&w->c, R(0.1) * BOX_WIDTH);
    }
#if HAS(SEARCH_JUMPS)
    else if (w->search == SEARCH_JUMPS) jumps_begin(&w->c);
#endif
#if HAS(SEARCH_LBFGS)
    else if (w->search == SEARCH_LBFGS) lbfgs_begin(q, &w->c, here, reals, columns);
#endif
#if HAS(SEARCH_CMA)
    else if (w->search == SEARCH_CMA) cma_begin(q, &w->c, here, reals, columns, fresh, w->made, key);
#endif
#if HAS(SEARCH_AXES)
    else axes_begin(q, &w->c, here, reals, columns, w->made, key);
#endif
}

#if BATCH > 1
// Computes the sums s of the parts of some workers at y. The parts are in the innermost loop, which compilers can turn
// into vector code.
static inline __attribute__((always_inline)) void workers_evaluate(const worker *w, real y[BATCH][SPAN], data d,
                                                                   sum s[BATCH][SUMS])
{
    uint most = 0;
    for (uint b = 0; b < BATCH; b++) {
        for (int a = 0; a < SUMS; a++) s[b][a] = sum_zero();
        most = max(most, w[b].q.comps_n);
    }
    for (uint j = 0; j < most; j++) {
        uint k[BATCH];
        real terms[BATCH][ACCS];
        for (uint b = 0; b < BATCH; b++) { // parts with fewer components compute one again
            const uint n = w[b].q.comps_n;
            k[b] = w[b].q.tile * TILE_COMPS + (n > 0 ? w[b].q.comps[min(j, n - 1)] : 0);
        }
        for (uint b = 0; b < BATCH; b++) {
            const point x = part_point(&w[b].q, y[b]);
            real term[ACCS];
            for (int a = 0; a < ACCS; a++) term[a] = 0;
            component(k[b], x, d, term);
            for (int a = 0; a < ACCS; a++) terms[b][a] = term[a];
        }
        for (uint b = 0; b < BATCH; b++)
            for (int a = 0; a < ACCS && j < w[b].q.comps_n; a++) sum_add(s[b] + a, terms[b][a]);
    }
}
#endif

// Makes evaluations of every part.
kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void graybox_run(PARAMS, const uint from, const uint parts, const uint first, const uint count, const uint each,
                 const uint quota, const uint most, const uint patience, const uint given, const uint pass,
                 const uint begins DATA_PARAMS)
{
    local sum tree[LANES > 1 ? GROUP : 1];
#if PART_TOGETHER
    local real scratch[SCRATCH] __attribute__((aligned(128)));
#else
    local real scratch[1];
#endif
    DATA_INIT;
    ulong by[ACCS];
    for (int a = 0; a < ACCS; a++) by[a] = coefs[a];
#if LANES > 1
    SPACE real y[SPAN], here[SPAN];
#if HAS(SEARCH_CMA)
    SPACE real z[8 * SPAN] __attribute__((aligned(64)));
#else
    SPACE real *z = 0;
#endif
    worker w;
    const uint p = get_group_id(0);
    w.q = part_of((from + p / count) * PER_TILE + first + p % count, x, lo, table, tile_lo);
    if (!wakes(&w.q, words, columns, most, patience)) return;
    worker_read(&w, ARGS, by, here);
#if OPEN
    if (begins) worker_refresh(&w, ARGS, by, y, here, d, scratch, tree);
#endif
    PART_BARRIER
    for (uint t = 0; t < quota && w.made < most; t++) {
        if (!worker_ask(&w, ARGS, patience, given, pass, y, here, z)) break;
        PART_BARRIER
        sum s[SUMS];
        part_evaluate(&w.q, y, d, scratch, tree, s);
        worker_tell(&w, ARGS, by, given, pass, y, here, z, tree, s);
    }
    worker_write(&w, ARGS, here);
#else
    local uint list[MOST_EACH], listed; // parts that do not rest
    const uint lane = get_local_id(0), begin = get_group_id(0) * each, end = min(begin + each, parts);
    if (lane == 0) listed = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint p = begin + lane; p < end; p += GROUP) {
        const part q = part_of((from + p / count) * PER_TILE + first + p % count, x, lo, table, tile_lo);
        if (wakes(&q, words, columns, most, patience)) list[atomic_inc(&listed)] = q.column;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint k = lane * BATCH; k < listed; k += GROUP * BATCH) {
        real y[BATCH][SPAN], here[BATCH][SPAN];
#if HAS(SEARCH_CMA)
        real z[8 * SPAN] __attribute__((aligned(64)));
#else
        real *z = 0;
#endif
        worker w[BATCH];
        bool works[BATCH];
        for (uint b = 0; b < BATCH; b++) {
            works[b] = k + b < listed;
            w[b].q = part_of(list[min(k + b, listed - 1)], x, lo, table, tile_lo);
            worker_read(w + b, ARGS, by, here[b]);
#if OPEN
            if (begins && works[b]) worker_refresh(w + b, ARGS, by, y[b], here[b], d, scratch, tree);
#endif
        }
        for (uint t = 0; t < quota; t++) {
            bool any = false;
            for (uint b = 0; b < BATCH; b++) {
                works[b] = works[b] && w[b].made < most &&
                           worker_ask(w + b, ARGS, patience, given, pass, y[b], here[b], z);
                any = any || works[b];
            }
            if (!any) break;
            sum s[BATCH][SUMS];
#if BATCH > 1
            workers_evaluate(w, y, d, s);
#else
            part_evaluate(&w[0].q, y[0], d, scratch, tree, s[0]);
#endif
            for (uint b = 0; b < BATCH; b++)
                if (works[b]) worker_tell(w + b, ARGS, by, given, pass, y[b], here[b], z, tree, s[b]);
        }
        for (uint b = 0; b < BATCH && k + b < listed; b++) worker_write(w + b, ARGS, here[b]);
    }
#endif
}
