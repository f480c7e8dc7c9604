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

// Makes evaluations of every part.
kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void graybox_run(PARAMS, const uint from, const uint parts, const uint first, const uint count, const uint quota,
                    const uint most, const uint patience, const uint given, const uint pass,
                    const uint begins DATA_PARAMS)
{
    local sum tree[LANES > 1 ? GROUP : 1];
#if PART_TOGETHER
    local real scratch[SCRATCH] __attribute__((aligned(128)));
#else
    local real scratch[1];
#endif
    SPACE real y[SPAN], here[SPAN];
#if HAS(SEARCH_CMA)
    SPACE real z[8 * SPAN] __attribute__((aligned(64)));
#endif
    DATA_INIT;
#if LANES == 1
    const uint p = get_global_id(0);
    if (p >= parts) return;
#else
    const uint p = get_group_id(0);
#endif
    const part whole = part_of((from + p / count) * PER_TILE + first + p % count, x, lo, table, tile_lo);
    const part *q = &whole;
    if (q->n == 0) return;
    const uint2 key = (uint2)(seed, run);
    uint fruitless = WORD(W_FRUITLESS);
    uint search = WORD(W_SEARCH), episodes = WORD(W_EPISODES), made = WORD(W_MADE);
    if (!OPEN && episodes > 0 && search == SEARCH_START && fruitless >= patience) return;
    uint strange = WORD(W_STRANGE), failed = WORD(W_FAILED) % AIMED, began = WORD(W_BEGAN);
    uint aim = INNER ? WORD(W_FAILED) / AIMED : 0;
    real start = PART_REAL(q, R_FROM), before = PART_REAL(q, R_BEFORE), low = PART_REAL(q, R_LOW);
    chain c;
    for (uint k = 0; k < 4; k++) c.w[k] = WORD(W_CHAIN + k);
    for (uint k = 0; k < CHAIN_REALS; k++) c.r[k] = PART_REAL(q, R_CHAIN + k);
    ulong by[ACCS];
    for (int a = 0; a < ACCS; a++) by[a] = coefs[a];
    sum best[SUMS], now[SUMS];
    for (int a = 0; a < SUMS; a++) {
        best[a] = acc[(ulong)a * columns + q->column];
        now[a] = acc[(ulong)(SUMS + a) * columns + q->column];
    }
    if (episodes == 0) {
        search = SEARCH_START;
        for (int a = 0; a < ACCS; a++) sum_add(best + a, (real)INFINITY);
    }
    sum best_value = value_of(best, by), value = value_aimed(now, by, aim);
    PART_EACH(q, v) here[v] = HERE(v);
#if OPEN
    real still = PART_REAL(q, R_STILL), last = PART_REAL(q, R_TRIED);
    uint again = WORD(W_AGAIN);
    if (begins) {
        const real best_was = sum_real(best_value), was = sum_real(value);
        // The episode began at the best point, and may have improved it, or it is over.
        const bool leads = !isfinite(before) || search == SEARCH_START;
        PART_EACH(q, v) y[v] = x[part_var(q, v) - lo];
        PART_BARRIER
        part_value(q, y, d, scratch, tree, by, best, &best_value, &again, &strange);
        if (leads) {
            PART_EACH(q, v) here[v] = y[v];
            for (int a = 0; a < SUMS; a++) now[a] = best[a];
            value = best_value;
        } else {
            part_value(q, here, d, scratch, tree, by, now, &value, &again, &strange);
        }
        before += sum_real(best_value) - best_was;
        low += sum_real(best_value) - best_was;
        start += sum_real(value) - was;
#if HAS(SEARCH_CMA)
        if (episodes > 0 && search == SEARCH_CMA) cma_lift(q, &c, reals, columns, sum_real(value) - was);
#endif
    }
#endif
    PART_BARRIER
    for (uint t = 0; t < quota && made < most; t++) {
        bool goes_on = false; // an episode begins at the best point
        if (search == SEARCH_START) {
#if OPEN
            goes_on = episodes == 0 || moved(sum_real(best_value), still, STILL);
            if (episodes == 0 || moved(sum_real(best_value), last, AWAKE)) {
                fruitless = 0;
                last = sum_real(best_value);
            }
            if (!goes_on && fruitless >= patience) break;
#else
            if (episodes > 0 && fruitless >= patience) break;
#endif
            if (OPEN || episodes == 0) c.w[0] = 0;
            aim = INNER == 0 || OPEN || episodes < given ? 0 : (episodes - given + 1) % (INNER + 1);
            PART_EACH(q, v) {
                const uint i = part_var(q, v);
                y[v] = goes_on            ? x[i - lo]
                       : episodes < given ? x[stride * (2 + episodes) + (i - lo)]
                                          : draw_in_box(i, made, pass, DRAW_INIT, key);
            }
        } else if (search == SEARCH_MTS) {
            mts_ask(q, &c, y, here);
        } else if (search == SEARCH_SOLIS_WETS) {
            solis_wets_ask(q, &c, y, here, reals, columns, made, key);
        }
#if HAS(SEARCH_JUMPS)
        else if (search == SEARCH_JUMPS) jumps_ask(q, y, here, made, key);
#endif
#if HAS(SEARCH_LBFGS)
        else if (search == SEARCH_LBFGS) lbfgs_ask(q, &c, y, reals, columns, here);
#endif
#if HAS(SEARCH_CMA)
        else if (search == SEARCH_CMA) cma_ask(q, &c, y, reals, columns, made, key, z);
#endif
#if HAS(SEARCH_AXES)
        else axes_ask(q, &c, y, here, reals, columns);
#endif
        PART_BARRIER
        sum s[SUMS];
        part_evaluate(q, y, d, scratch, tree, s);
        made++;
        const sum next = value_aimed(s, by, aim);
        if (!value_finite(value_of(s, by))) strange++;
        const bool better = value_better(next, value);
        uint told = 0;
        bool lost = false;
        if (search == SEARCH_START) {
            const bool among = !OPEN && q->n == 1 && episodes >= given; // one of several uniform points
            if (c.w[0] == 0) before = episodes > 0 && !goes_on ? sum_real(best_value) : (real)INFINITY;
            if (c.w[0] == 0 || better) {
                PART_EACH(q, v) here[v] = y[v];
                told = MOVED;
            }
            if (episodes == 0) PART_EACH(q, v) x[part_var(q, v) - lo] = y[v]; // even if its value is not finite
            if (++c.w[0] > (among ? fruitless : 0)) {
                told |= OVER;
                episodes++;
            }
        } else if (search == SEARCH_MTS) {
            lost = !OPEN && aim == 0 && mts_lost(q, &c, better, value_less_by(next, value), sum_real(value) - before);
            told = mts_tell(q, &c, y, here, better) | (lost ? OVER : 0);
        } else if (search == SEARCH_SOLIS_WETS) {
            told = solis_wets_tell(q, &c, y, here, reals, columns, better, key);
        }
#if HAS(SEARCH_JUMPS)
        else if (search == SEARCH_JUMPS) {
            told = jumps_tell(q, &c, y, here, better, !value_finite(next) || value_better(value, next));
        }
#endif
#if HAS(SEARCH_LBFGS)
        else if (search == SEARCH_LBFGS) {
            told = lbfgs_tell(q, &c, y, here, reals, columns, tree, value_less_by(next, value), sum_real(value));
        }
#endif
#if HAS(SEARCH_CMA)
        else if (search == SEARCH_CMA) {
            told = cma_tell(q, &c, y, here, reals, columns, tree, better, sum_real(next), key, z);
        }
#endif
#if HAS(SEARCH_AXES)
        else {
            told = axes_tell(q, &c, y, here, reals, columns, tree, better, value_less_by(next, value), made, key);
        }
#endif
        if (told & MOVED) {
            for (int a = 0; a < SUMS; a++) now[a] = s[a];
            value = next;
            if (aim > 0 && value_better(value_of(now, by), best_value)) {
                keep_best(q, here, now, best, x, lo);
                best_value = value_of(now, by);
            }
        }
        PART_BARRIER
        const uint spent = SEARCH_COUNT > 1 && search != SEARCH_START ? (uint)PART_REAL(q, R_SPENT + search) : 0;
        if (search != SEARCH_START && made - began > longest(search, q->n, spent)) told |= OVER;
        if (!(told & OVER)) continue;
        real reached = sum_real(value);
        if (search != SEARCH_START) {
            const real gain = chain_gain(start, reached, aim > 0 ? (real)INFINITY : before) / (real)(made - began);
            const real fallen = fall(low, lowest(value, best_value, aim));
            PART_BARRIER
            if (SEARCH_COUNT > 1 && PART_FIRST) {
                const real old = PART_REAL(q, R_SPENT + search) == 0 ? gain : PART_REAL(q, R_CREDIT + search);
                PART_REAL(q, R_CREDIT + search) = R(0.8) * old + R(0.2) * gain;
                PART_REAL(q, R_SPENT + search) += (real)(made - began);
            }
            if (PART_LANE == 0) GAINED(search) += fallen;
            PART_BARRIER
            failed = lost ? SEARCHES : improves(reached, start) ? 0 : failed | 1u << search;
        } else {
            failed = 0;
        }
        if (failed == SEARCHES && aim > 0) { // the inner sum is as small as they make it
            aim = failed = 0;
            value = value_of(now, by);
            reached = sum_real(value);
        }
        if (failed == SEARCHES) { // the episode is over
            if (value_better(value, best_value)) {
                keep_best(q, here, now, best, x, lo);
                best_value = value;
            }
#if OPEN
            if (!isfinite(before) || improves(sum_real(best_value), before)) still = sum_real(best_value);
#endif
            if (isfinite(before)) fruitless = improves(sum_real(best_value), before) ? 0 : fruitless + 1;
            search = SEARCH_START;
            c.w[0] = 0; // points that were drawn
            continue;
        }
#if HAS(SEARCH_CMA)
        const bool fresh = search == SEARCH_START && (episodes == 1 || isfinite(before)) && episodes > given;
#endif
        search = choose(q, reals, columns, SEARCHES & ~failed);
        start = reached;
        low = lowest(value, best_value, aim);
        began = made;
        if (search == SEARCH_MTS) mts_begin(&c, draw_uniform(draw_words(q->number, pass, made, DRAW_CHOOSE, key).y));
        else if (search == SEARCH_SOLIS_WETS) solis_wets_begin(&c, R(0.1) * BOX_WIDTH);
#if HAS(SEARCH_JUMPS)
        else if (search == SEARCH_JUMPS) jumps_begin(&c);
#endif
#if HAS(SEARCH_LBFGS)
        else if (search == SEARCH_LBFGS) lbfgs_begin(q, &c, here, reals, columns);
#endif
#if HAS(SEARCH_CMA)
        else if (search == SEARCH_CMA) cma_begin(q, &c, here, reals, columns, fresh, made, key);
#endif
#if HAS(SEARCH_AXES)
        else axes_begin(q, &c, here, reals, columns, made, key);
#endif
    }
    PART_EACH(q, v) HERE(v) = here[v];
    if (aim == 0 && value_better(value, best_value)) keep_best(q, here, now, best, x, lo);
#if LANES > 1
    if (get_local_id(0) > 0) return;
#endif
    WORD(W_MADE) = made;
    WORD(W_STRANGE) = strange;
    WORD(W_EPISODES) = episodes;
    WORD(W_FRUITLESS) = fruitless;
    WORD(W_SEARCH) = search;
    WORD(W_FAILED) = failed + AIMED * aim;
    WORD(W_BEGAN) = began;
    for (uint k = 0; k < 4; k++) WORD(W_CHAIN + k) = c.w[k];
    for (uint k = 0; k < CHAIN_REALS; k++) PART_REAL(q, R_CHAIN + k) = c.r[k];
    PART_REAL(q, R_FROM) = start;
    PART_REAL(q, R_BEFORE) = before;
    PART_REAL(q, R_LOW) = low;
#if OPEN
    PART_REAL(q, R_STILL) = still;
    PART_REAL(q, R_TRIED) = last;
    WORD(W_AGAIN) = again;
#endif
    for (int a = 0; a < SUMS; a++) {
        acc[(ulong)a * columns + q->column] = best[a];
        acc[(ulong)(SUMS + a) * columns + q->column] = now[a];
    }
}
