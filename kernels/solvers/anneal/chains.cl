// anneal/chains.cl: chains of simulated annealing, one work-item each. Comes after lib/partial.cl and
// anneal/neighbour.cl.
//
// A device has the chains [first, first + width). width is a multiple of SA_GROUP; chains from `chains` on do nothing.
// Chain p of the device is column p:
//
//   x[i*width + p]    variable i            acc[a*width + p]  accumulator a
//   f[p]              value, +infinity if it is not finite
//   log_at, log_old[s*width + p]  moves since the chain's best point in this
//                     segment: variable and old value, s < segment_steps
//   now_best[p], now_moves[p]  in the middle of a segment: its best value in this segment, and twice the number of
//                     these moves, plus 1 if it has one below the record
//
// A group is SA_GROUP chains, which are the items of one work-group. Group b has
//
//   rec_f[b], rec_x[b*DIM + i]  the best point that any of its chains ever had
//   out_f[b], out_x[b*DIM + i]  the chain of smallest value at the end of an epoch
//   odd[b]                      how many values have not been finite so far
//   tried, taken, wide[b*DIM + i]  for the adaptive neighbour: moves of variable
//                     i in this level, accepted ones, and the half-width
//
// An epoch is the levels between two exchanges. A level is the `steps` steps at one temperature, divided into
// `segments` segments of at most segment_steps. All decisions follow from draws and values, and among equal values the
// lowest chain wins, so that neither launches nor devices change a result.
//
// A run has `groups` groups. Several independent runs may share a launch; the groups of each are then consecutive and
// on one device. Chains are counted within their run, and choose from the groups of their run. The groups begin with
// those of run `run`.
//
// Schedules of all lengths share a program. Defines: SA_GROUP; SA_UNIFORM, SA_ADAPTIVE (the neighbour; without either
// it is two-sided), SA_HASTINGS, SA_SHARED, SA_ELITIST; SA_FULL (a step evaluates all components); SA_START (0 uniform,
// 1 same, 2 grid).

// Draws the variables [from, to) of the start points of groups of chains, from group0 on, one work-item per column. A
// grid has `root` points per variable.
kernel void anneal_start(global real *x, const uint from, const uint to, const uint group0, const anneal_chains of,
                         const uint root, const uint seed, uint run DATA_PARAMS)
{
    const uint p = group0 * SA_GROUP + get_global_id(0);
    uint chain = of.first + p;
    if (p >= of.width) return;
    DATA_INIT;
    run += chain / (of.groups * SA_GROUP);
    chain %= of.groups * SA_GROUP;
    uint digits = min(chain, of.chains - 1);
    for (uint i = 0; SA_START == 2 && i < from; i++) digits /= root;
    for (uint i = from; i < to; i++) {
        const real lo = box_lower(i, d), hi = box_upper(i, d);
#if SA_START == 2
        const real u = (real)(digits % root) / (real)max(root - 1, 1u);
        digits /= root;
#elif SA_START == 1
        const real u = draw_uniform(draw_word(i, 0, 0, DRAW_INIT, (uint2)(seed, run)));
#else
        const real u = draw_uniform(draw_word(i, chain, 0, DRAW_INIT, (uint2)(seed, run)));
#endif
        x[of.width * i + p] = fmin(fmax(fma(u, hi - lo, lo), lo), hi);
    }
}

// Functions that are passed local memory must be inlined: where PoCL 5 calls one, work-groups that run at the same
// time share the memory. No barrier stands in a branch, after which PoCL would compile all that follows twice.

// Returns the item of a group that has the smallest value, the lowest item among equals. *least becomes the value.
static inline __attribute__((always_inline)) uint anneal_least(real v, local real *value, local uint *item, real *least)
{
    const uint l = get_local_id(0);
    value[l] = v;
    item[l] = l;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint w = SA_GROUP / 2; w > 0; w >>= 1) {
        if (l < w && (value[l + w] < value[l] || (value[l + w] == value[l] && item[l + w] < item[l]))) {
            value[l] = value[l + w];
            item[l] = item[l + w];
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    const uint who = item[0];
    *least = value[0];
    barrier(CLK_LOCAL_MEM_FENCE);
    return who;
}

// Returns the point of in_x that has the smallest of the `ins` values in_f, the first one among equals.
static inline __attribute__((always_inline)) global const real *anneal_best(global const real *in_f,
                                                                            global const real *in_x, uint ins,
                                                                            local real *value, local uint *item)
{
    const uint l = get_local_id(0);
    real least = (real)INFINITY;
    uint at_least = 0;
    for (uint c = l; c < ins; c += SA_GROUP)
        if (in_f[c] < least) {
            least = in_f[c];
            at_least = c;
        }
    const uint who = anneal_least(least, value, item, &least);
    if (l == who) item[0] = at_least;
    barrier(CLK_LOCAL_MEM_FENCE);
    const uint best = item[0];
    // All have read item, which a later anneal_least writes.
    barrier(CLK_LOCAL_MEM_FENCE);
    return in_x + (ulong)DIM * best;
}

// The value by which points are compared. It is infinite where f is not finite, which *odd counts.
static real anneal_value(real f, uint *odd)
{
    if (isfinite(f)) return f;
    (*odd)++;
    return (real)INFINITY;
}

#if COMPS > 32
// All items of a group compute the accumulators of the first comps components of a point together.
static inline __attribute__((always_inline)) void anneal_together(point x, uint comps, data d, local sum *tree,
                                                                  sum *acc)
{
    const uint l = get_local_id(0);
    for (int j = 0; j < ACCS; j++) acc[j] = sum_zero();
    for (uint k = l; k < comps; k += SA_GROUP) {
        real a[ACCS];
        for (int j = 0; j < ACCS; j++) a[j] = R(0.0);
        component(k, x, d, a);
        for (int j = 0; j < ACCS; j++) sum_add(acc + j, a[j]);
    }
    for (int j = 0; j < ACCS; j++) {
        tree[l] = acc[j];
        barrier(CLK_LOCAL_MEM_FENCE);
        for (uint w = SA_GROUP / 2; w > 0; w >>= 1) {
            if (l < w) tree[l] = sum_join(tree[l], tree[l + w]);
            barrier(CLK_LOCAL_MEM_FENCE);
        }
        acc[j] = tree[0];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
}
#endif

// The neighbour of a in [lo, hi] for the uniform number u. *odds is as in anneal/neighbour.cl.
static real anneal_neighbour(real a, real lo, real hi, real u, real width, real *odds)
{
#if SA_UNIFORM
    *odds = R(0.0);
    return anneal_uniform(lo, hi, u);
#elif SA_ADAPTIVE
    *odds = R(0.0);
    return anneal_within(a, lo, hi, u, width);
#else
    return anneal_two_sided(a, lo, hi, u, odds);
#endif
}

// The draws of step s of a chain. *i becomes the variable that the step moves.
static uint4 anneal_draw(uint s, uint chain, uint level, uint2 key, uint *i)
{
    const uint4 w = draw_words(s, chain, level, DRAW_ANNEAL, key);
#if SA_SHARED
    *i = draw_int(draw_word(s, chain / SA_GROUP, level, DRAW_AXIS, key), DIM);
#else
    *i = draw_int(w.x, DIM);
#endif
    return w;
}

// A trial moves variable i from old to y, which changes the accumulators by delta. It is accepted if the value rises
// by no more than limit.
typedef struct { uint i; real old, y, limit; sum delta[ACCS]; } trial;

// Prepares the trial of a step with words w that moves variable i. It does not need the value of the point, so that
// it can overlap with the decision about the step before. The result is returned through a pointer because Oclgrind
// does not handle the code that clang makes of an inlined function that returns a struct.
static inline __attribute__((always_inline)) void anneal_try(trial *r, point stored, uint i, real old, uint4 w, real t,
                                                             global const real *wide, data d)
{
#if SA_ADAPTIVE
    const real reach = wide[i];
#else
    const real reach = R(0.0);
#endif
    real odds;
    r->i = i;
    r->old = old;
    r->y = anneal_neighbour(old, box_lower(i, d), box_upper(i, d), draw_fine(w.y, w.z), reach, &odds);
    // u <= q exp(-(fy - fx)/T), as logarithms: the same bits on every device and on the host
    r->limit = t * (odds - (real)draw_log_uniform(w.w));
#if !SA_FULL
    const point from = point_with(stored, i, old);
    partial_change(from, point_with(from, i, r->y), i, d, r->delta);
#endif
}

// Anneals groups of chains, from group0 on, through the segments [segment0, segment1) of the run. temperature[level]
// is the temperature of a level. The structs anneal_chains and anneal_launch are in solvers/anneal/launch.go.
// A launch may make a part of one segment, if that takes long: the steps from step0 to before step1 of the chains from
// lane0 to before lane1 of each group. record: the segment has then come to its end. A launch of whole segments has the
// chains from 0 to SA_GROUP and the steps from 0 to segment_steps, and records.
//   launch: groups of SA_GROUP items, one for each group of chains
kernel __attribute__((reqd_work_group_size(SA_GROUP, 1, 1)))
void anneal_advance(global real *x, global sum *acc, global real *f, global uint *log_at, global real *log_old,
                    global real *now_best, global uint *now_moves, global real *rec_f, global real *rec_x,
                    global const real *in_f, global const real *in_x, global real *out_f, global real *out_x,
                    global uint *odd, global uint *tried, global uint *taken, global real *wide,
                    global const real *temperature, const anneal_chains of, const anneal_launch now,
                    const uint seed, uint run DATA_PARAMS)
{
    local real value[SA_GROUP];
    local uint item[SA_GROUP];
#if COMPS > 32
    local sum tree[SA_GROUP];
#endif
    local uint odd_of_group;
    const uint l = get_local_id(0), b = now.group0 + get_group_id(0), p = b * SA_GROUP + l;
    const uint chain = (of.first + p) % (of.groups * SA_GROUP);
    run += (of.first + p) / (of.groups * SA_GROUP);
    in_f += b - b % of.groups;
    in_x += (ulong)DIM * (b - b % of.groups);
    const bool runs = chain < of.chains, here = l >= now.lane0 && l < now.lane1, begins = now.step0 == 0;
    const uint2 key = (uint2)(seed, run);
    global real *const column = x + p;
    DATA_INIT;
    uint strange = 0;
    if (l == 0) odd_of_group = 0;

    sum mine[ACCS];
    for (uint j = 0; j < ACCS; j++) mine[j] = acc[of.width * j + p];
    real fx = f[p];
    // If the launch begins an epoch, all chains begin at the best point of the epoch before.
    const bool meet = now.exchange > 0 && now.segment0 > 0 && now.segment0 < now.segment1 &&
                      now.segment0 % now.exchange == 0;
    global const real *const chosen = anneal_best(in_f, in_x, meet ? now.ins : 0, value, item);
#if COMPS > 32
    sum of_chosen[ACCS];
    anneal_together(point_stored(chosen, 1), meet && begins ? COMPS : 0, d, tree, of_chosen);
#endif
    if (meet && here && begins) {
        for (uint i = 0; i < DIM; i++) column[of.width * i] = chosen[i];
#if COMPS > 32
        for (uint j = 0; j < ACCS; j++) mine[j] = of_chosen[j];
#else
        partial_full(point_stored(chosen, 1), d, mine);
#endif
        fx = anneal_value(objective(mine, d), &strange);
    }
    for (uint segment = now.segment0; segment < now.segment1; segment++) {
        const uint level = segment / of.segments, piece = segment % of.segments;
        const bool full = segment == 0 || (now.refresh > 0 && level % now.refresh == 0);
        if (here && begins && !(meet && segment == now.segment0) && piece == 0 && full) {
            partial_full(point_stored(column, of.width), d, mine);
            fx = anneal_value(objective(mine, d), &strange);
            if (!runs) fx = (real)INFINITY;
        }
        const real t = temperature[level];
        // The best value of the chain in this segment, if it is below the record of the group.
        real best = rec_f[b];
        bool have = runs && fx < best;
        if (have) best = fx;
        uint moves = 0;
        if (!(here && begins)) {
            const uint noted = now_moves[p];
            best = now_best[p];
            moves = noted >> 1;
            have = l < now.lane1 && (noted & 1);
        }
        const uint begin = piece * of.segment_steps + now.step0;
        const uint to = min(piece * of.segment_steps + min(now.step1, of.segment_steps), of.steps);
        const uint end = runs && here ? to : begin;
        // While one step is decided, the draws of the second step after it, and the variable that this one moves, are
        // already under way. When a device has few chains, it would otherwise wait for them.
        const point stored = point_stored(column, of.width);
        uint i1, i2;
        uint4 w1 = anneal_draw(begin, chain, level, key, &i1), w2;
        trial move;
        if (begin < end) anneal_try(&move, stored, i1, column[of.width * i1], w1, t, wide + (ulong)b * DIM, d);
        w1 = anneal_draw(begin + 1, chain, level, key, &i1);
        real old1 = column[of.width * i1], old2;
        for (uint s = begin; s < end; s++) {
            w2 = anneal_draw(s + 2, chain, level, key, &i2);
            old2 = column[of.width * i2];
#if SA_ADAPTIVE
            atomic_inc(tried + (ulong)b * DIM + move.i);
#endif
            sum next[ACCS];
#if SA_FULL
            partial_full(point_with(stored, move.i, move.y), d, next);
#else
            for (uint j = 0; j < ACCS; j++) next[j] = sum_join(mine[j], move.delta[j]);
#endif
            real fy = objective(next, d);
            bool take = fy - fx <= move.limit;
            if (!isfinite(fx) || !isfinite(fy)) {
                // Differences to accumulators that are not finite are useless.
                if (!SA_FULL && !isfinite(fx)) {
                    partial_full(point_with(stored, move.i, move.y), d, next);
                    fy = objective(next, d);
                }
                fy = anneal_value(fy, &strange);
                take = fy - fx <= move.limit || (!SA_HASTINGS && fy <= fx);
            }
            if (take) {
                column[of.width * move.i] = move.y;
                for (uint j = 0; j < ACCS; j++) mine[j] = next[j];
                fx = fy;
#if SA_ADAPTIVE
                atomic_inc(taken + (ulong)b * DIM + move.i);
#endif
                const bool better = fy < best;
                if (have && !better) {
                    log_at[of.width * moves + p] = move.i;
                    log_old[of.width * moves + p] = move.old;
                }
                moves = better ? 0 : moves + have;
                have |= better;
                best = better ? fy : best;
            }
            // Correct the values that were read before this step was decided.
            if (take && i1 == move.i) old1 = move.y;
            if (take && i2 == move.i) old2 = move.y;
            if (s + 1 < end) anneal_try(&move, stored, i1, old1, w1, t, wide + (ulong)b * DIM, d);
            i1 = i2;
            w1 = w2;
            old1 = old2;
        }
        if (here && !now.record) {
            now_best[p] = best;
            now_moves[p] = 2 * moves + have;
        }
        // The record of the group becomes the point of its best chain, whose later moves are undone.
        barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
        real least_best;
        const uint who = anneal_least(have && now.record ? best : (real)INFINITY, value, item, &least_best);
        const bool found = least_best < (real)INFINITY;
        const uint q = b * SA_GROUP + who;
        for (uint i = l; found && i < DIM; i += SA_GROUP) rec_x[(ulong)b * DIM + i] = x[of.width * i + q];
        barrier(CLK_GLOBAL_MEM_FENCE | CLK_LOCAL_MEM_FENCE);
        if (found && l == who) {
            for (uint m = moves; m-- > 0;)
                rec_x[(ulong)b * DIM + log_at[of.width * m + p]] = log_old[of.width * m + p];
            rec_f[b] = best;
        }
        barrier(CLK_GLOBAL_MEM_FENCE | CLK_LOCAL_MEM_FENCE);
#if SA_ADAPTIVE
        if (piece + 1 == of.segments && now.record) {
            // Corana, Marchesi, Martini, Ridella (1987): half to two thirds accepted
            for (uint i = l; i < DIM; i += SA_GROUP) {
                const ulong at = (ulong)b * DIM + i;
                const real range = box_upper(i, d) - box_lower(i, d);
                if (tried[at] > 0) {
                    const real rate = (real)taken[at] / (real)tried[at];
                    real v = wide[at];
                    if (rate > R(0.6)) v *= fma(R(2.0), (rate - R(0.6)) / R(0.4), R(1.0));
                    if (rate < R(0.4)) v /= fma(R(2.0), (R(0.4) - rate) / R(0.4), R(1.0));
                    wide[at] = fmin(v, range);
                    tried[at] = taken[at] = 0;
                }
            }
            barrier(CLK_GLOBAL_MEM_FENCE | CLK_LOCAL_MEM_FENCE);
        }
#endif
    }
    for (uint j = 0; j < ACCS; j++) acc[of.width * j + p] = mine[j];
    f[p] = fx;
    real least;
    const uint who = anneal_least(runs ? fx : (real)INFINITY, value, item, &least);
    if (strange > 0 && runs) atomic_add(&odd_of_group, strange);
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l == 0) odd[b] += odd_of_group;
#if SA_ELITIST
    if (l == 0) out_f[b] = rec_f[b];
    if (now.last)
        for (uint i = l; i < DIM; i += SA_GROUP) out_x[(ulong)b * DIM + i] = rec_x[(ulong)b * DIM + i];
#else
    if (l == 0) out_f[b] = least;
    if (now.last)
        for (uint i = l; i < DIM; i += SA_GROUP) out_x[(ulong)b * DIM + i] = x[of.width * i + b * SA_GROUP + who];
#endif
}
