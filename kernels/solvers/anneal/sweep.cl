// anneal/sweep.cl: sweeps of annealing over the variables of one large point. Comes after
// lib/partial.cl and anneal/neighbour.cl.
//
// No component reads two variables of one colour, so that all variables of a colour move at
// the same time. Each draws a neighbour and decides by Metropolis on the change of
//
//   Σ_a slope[a]·acc_a  over the components that read it.
//
// Layout of a shard: x[i - lo] is variable i; the shard stores its own variables and those before
// and after them that its components read. wide[i - own] is the half-width of the near neighbours
// of variable i (one element if there are no widths).
//
// The variables of a colour are those with i mod SWEEP_PERIOD in d.sweep_residues[off .. off + per - 1]
// (SWEEP_SIMPLE: those with i mod SWEEP_PERIOD = off), or with SWEEP_LISTS d.sweep_order[off .. off + per - 1].
//
// anneal_sweep_start: sets variables first .. first + count - 1.
//   launch: one item per variable.
// anneal_sweep_move: makes the sweeps [sweep, sweep + sweeps) of the variables of a colour in [from, to), or, with
//   SWEEP_LISTS, at these places in the order. Several sweeps at a time need components that read one variable each.
//   launch: groups of GROUP items, one item per variable.
// anneal_sweep_sums: makes one sweep of variables which, which + every, … of a colour in each tile.
//   sums[(t - first)*SWEEP_SUMS + a] is the change of accumulator a by the variables of tile t; a = ACCS is the sum of
//   |change| over all finite trials, a = ACCS + 1 their number, and a = ACCS + 2 the sum of the
//   steps that are accepted, as shares of their intervals. With trial nothing is accepted.
//   launch: groups (1, tiles) of GROUP items.
// anneal_sweep_keep: best[v] = x[skip + v].
//   launch: one item per variable.
// odd[g & 255] counts the values of group (or tile) g that were not finite.
//
// Defines: SWEEP_PERIOD, SWEEP_SIMPLE, SWEEP_LISTS, SWEEP_ALONE (component k reads variable k alone); SA_UNIFORM,
// SA_ADAPTIVE, SA_MIXED (the neighbour; without any it is two-sided), SA_HASTINGS, SWEEP_WIDER and SWEEP_NARROWER
// (factors of a width, float).

#define SWEEP_SUMS (ACCS + 3)
#define SWEEP_WIDTHS (SA_ADAPTIVE || SA_MIXED)

// Draws the start point uniformly in the box and sets each width to the interval of its variable.
kernel void anneal_sweep_start(global real *x, const uint lo, global float *wide, const uint own, const uint own_end,
                               const uint first, const uint count, const uint seed, const uint run DATA_PARAMS)
{
    const uint i = first + get_global_id(0);
    if (get_global_id(0) >= count) return;
    DATA_INIT;
    const real a = box_lower(i, d), b = box_upper(i, d);
    x[i - lo] = fmin(fmax(fma(draw_uniform(draw_word(i, 0, 0, DRAW_INIT, (uint2)(seed, run))), b - a, a), a), b);
#if SWEEP_WIDTHS
    if (i >= own && i < own_end) wide[i - own] = (float)(b - a);
#endif
}

// Adds component k to the sums a. Returns whether they are still finite; otherwise a stays as it was.
static bool anneal_sweep_add(uint k, point x, data d, real *a)
{
    real before[ACCS];
    for (int j = 0; j < ACCS; j++) before[j] = a[j];
    component(k, x, d, a);
    bool finite = true;
    for (int j = 0; j < ACCS; j++) finite = finite && isfinite(a[j]);
    for (int j = 0; j < ACCS; j++) a[j] = finite ? a[j] : before[j];
    return finite;
}

// Sets a to the sums of the components that read variable i. Returns how many of these are not finite, and left out.
static uint anneal_sweep_terms(point x, uint i, data d, real *a)
{
    uint bad = 0;
    for (int j = 0; j < ACCS; j++) a[j] = R(0.0);
#if SWEEP_ALONE
    bad += !anneal_sweep_add(i, x, d, a);
#else
    const uint end = touch_end(i, d);
    for (uint q = touch_first(i, d); q < end; q++) bad += !anneal_sweep_add(touched(q, i, d), x, d, a);
#endif
    return bad;
}

// The weighted sum of the accumulators a.
static real anneal_sweep_value(const real *a, global const real *slope)
{
    real v = slope[0] * a[0];
    for (int j = 1; j < ACCS; j++) v = fma(slope[j], a[j], v);
    return v;
}

// A variable that is v: the value of the components that read it, and how many of these are not finite.
typedef struct {
    real v, value;
    uint bad;
} sweep_place;

// A sweep: its temperature and number, the draws, and how many values were not finite.
typedef struct {
    real t;
    uint sweep, strange;
    uint2 key;
} sweep_state;

// Draws a neighbour *to of variable i, which is at `from`, and computes its sums b. Returns whether it is accepted:
// never if more components are not finite than before, and always if fewer or, where there are some, as many are not.
static inline __attribute__((always_inline)) bool anneal_sweep_offer(point x, uint i, sweep_place from, sweep_place *to,
                                                                     real *b, float *reach, sweep_state *s,
                                                                     global const real *slope, data d)
{
    const real v = from.v;
    const uint4 w = draw_words(i, 0, s->sweep, DRAW_SWEEP, s->key);
    const real lo = box_lower(i, d), hi = box_upper(i, d), u = draw_fine(w.y, w.z);
    real odds = R(0.0);
#if SA_UNIFORM
    to->v = anneal_uniform(lo, hi, u);
#elif SA_ADAPTIVE
    const bool near = true;
    to->v = anneal_within(v, lo, hi, u, (real)*reach);
#elif SA_MIXED
    const bool near = w.x >> 31;
    to->v = near ? anneal_within(v, lo, hi, u, (real)*reach) : anneal_two_sided(v, lo, hi, u, &odds);
#else
    to->v = anneal_two_sided(v, lo, hi, u, &odds);
#endif
    x.w = to->v;
    to->bad = anneal_sweep_terms(x, i, d, b);
    to->value = anneal_sweep_value(b, slope);
    const bool good = to->bad == 0 && isfinite(to->value);
    s->strange += good ? 0u : 1u;
    const bool was_good = from.bad == 0 && isfinite(from.value);
    const bool take = good && was_good ? to->value - from.value <= s->t * (odds - (real)draw_log_uniform(w.w))
                                             || (!SA_HASTINGS && to->value <= from.value)
                                       : !was_good && to->bad <= from.bad;
#if SWEEP_WIDTHS
    const float next = take ? fmin(*reach * SWEEP_WIDER, (float)(hi - lo)) : fmax(*reach * SWEEP_NARROWER, 1e-30f);
    *reach = near ? next : *reach;
#endif
    return take;
}

// Whether any component reads variable i. Variables that none reads stay where they are.
static bool anneal_sweep_read(uint i, data d)
{
#if SWEEP_ALONE
    return true;
#else
    return touch_first(i, d) < touch_end(i, d);
#endif
}

// Variable v of a colour, counted from variable `from` or, with SWEEP_LISTS, from place `from` of the order.
static uint anneal_sweep_variable(uint from, uint v, uint off, uint per, data d)
{
#if SWEEP_LISTS
    return d.sweep_order[from + v];
#elif SWEEP_SIMPLE
    return (from / SWEEP_PERIOD + v) * SWEEP_PERIOD + off;
#else
    return (from / SWEEP_PERIOD + v / per) * SWEEP_PERIOD + d.sweep_residues[off + v % per];
#endif
}

// Sweeps over the variables of one colour, each of which moves or stays.
kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void anneal_sweep_move(global real *x, const uint lo, global float *wide, const uint own, global uint *odd,
                       global const real *slope, const sweep_colour of, const real t, const uint sweep,
                       const uint sweeps, const uint seed, const uint run DATA_PARAMS)
{
    DATA_INIT;
    const uint v0 = get_global_id(0);
#if SWEEP_LISTS
    if (v0 >= of.to - of.from) return;
    const uint i = anneal_sweep_variable(of.from, v0, of.off, of.per, d);
#else
    const uint i = anneal_sweep_variable(of.from, v0, of.off, of.per, d);
    if (i < of.from || i >= of.to) return;
#endif
    if (!anneal_sweep_read(i, d)) return;
    real a[ACCS];
    sweep_place at = { x[i - lo], 0, 0 };
    at.bad = anneal_sweep_terms((point){ x, lo, i, at.v }, i, d, a);
    at.value = anneal_sweep_value(a, slope);
    sweep_state state = { t, sweep, 0, (uint2)(seed, run) };
#if SWEEP_WIDTHS
    float reach = wide[i - own];
#else
    float reach = 0.0f;
#endif
#if !ONE_ROUND
    for (; state.sweep < sweep + sweeps; state.sweep++)
#endif
    {
        real b[ACCS];
        sweep_place to;
        const bool take = anneal_sweep_offer((point){ x, lo, i, at.v }, i, at, &to, b, &reach, &state, slope, d);
        at.v = take ? to.v : at.v;
        at.value = take ? to.value : at.value;
        at.bad = take ? to.bad : at.bad;
    }
    x[i - lo] = at.v;
#if SWEEP_WIDTHS
    wide[i - own] = reach;
#endif
    if (state.strange > 0) atomic_add(odd + ((uint)get_group_id(0) & 255u), state.strange);
}

// Sweeps over variables of one colour as anneal_sweep_move does, and sums the changes of the accumulators.
kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void anneal_sweep_sums(global real *x, const uint lo, global float *wide, const uint own, global uint *odd,
                       global const real *slope, global sum *sums, const uint first, const sweep_some of, const real t,
                       const uint sweep, const uint seed, const uint run DATA_PARAMS)
{
    local sum tree[SWEEP_SUMS * GROUP];
    DATA_INIT;
    const uint tile = of.tile0 + get_group_id(1);
#if SWEEP_LISTS
    const uint from = of.off + (uint)((ulong)tile * of.per / TILES),
               to = of.off + (uint)((ulong)(tile + 1) * of.per / TILES), n = to - from;
#else
    const uint from = min(tile * TILE_VARS, DIM), to = tile + 1 == TILES ? DIM : min((tile + 1) * TILE_VARS, DIM);
    const uint n = ((to + SWEEP_PERIOD - 1) / SWEEP_PERIOD - from / SWEEP_PERIOD) * (SWEEP_SIMPLE ? 1u : of.per);
#endif
    sum acc[SWEEP_SUMS];
    for (int j = 0; j < SWEEP_SUMS; j++) acc[j] = sum_zero();
    sweep_state state = { t, sweep, 0, (uint2)(seed, run) };
    for (uint v0 = of.which + of.every * get_local_id(0); v0 < n; v0 += of.every * GROUP) {
        const uint i = anneal_sweep_variable(from, v0, of.off, of.per, d);
#if SWEEP_LISTS
        const bool here = true;
#else
        const bool here = i >= from && i < to;
#endif
        if (here && anneal_sweep_read(i, d)) {
            real a[ACCS], b[ACCS];
            sweep_place at = { x[i - lo], 0, 0 }, to;
            at.bad = anneal_sweep_terms((point){ x, lo, i, at.v }, i, d, a);
            at.value = anneal_sweep_value(a, slope);
#if SWEEP_WIDTHS
            float reach = wide[i - own];
#else
            float reach = 0.0f;
#endif
            const bool take = anneal_sweep_offer((point){ x, lo, i, at.v }, i, at, &to, b, &reach, &state, slope, d);
            if (at.bad == 0 && to.bad == 0 && isfinite(at.value) && isfinite(to.value)) {
                sum_add(acc + ACCS, fabs(to.value - at.value));
                sum_add(acc + ACCS + 1, R(1.0));
                if (take && !of.trial)
                    sum_add(acc + ACCS + 2, fabs(to.v - at.v) / (box_upper(i, d) - box_lower(i, d)));
            }
            if (!of.trial) {
                if (take) {
                    x[i - lo] = to.v;
                    // Add old and new terms one by one: in float32 sums have more digits than terms.
                    for (int j = 0; j < ACCS; j++) {
                        sum_add(acc + j, -a[j]);
                        sum_add(acc + j, b[j]);
                    }
                }
#if SWEEP_WIDTHS
                wide[i - own] = reach;
#endif
            }
        }
    }
    if (state.strange > 0 && !of.trial) atomic_add(odd + (tile & 255u), state.strange);
    group_sums(acc, SWEEP_SUMS, tree);
    for (uint j = get_local_id(0); j < SWEEP_SUMS; j += GROUP)
        sums[(ulong)(tile - first) * SWEEP_SUMS + j] = tree[j * GROUP];
}

// Copies the point to the best point.
kernel void anneal_sweep_keep(global const real *x, const uint skip, global real *best, const uint count)
{
    const uint v = get_global_id(0);
    if (v < count) best[v] = x[skip + v];
}
