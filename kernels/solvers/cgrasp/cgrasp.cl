// cgrasp/cgrasp.cl: continuous GRASP, one start per work-group. Comes after lib/partial.cl and cgrasp/search.cl;
// solvers/cgrasp/start.go computes the same on the host.
//
// Some compilers duplicate code next to barriers, so that it may run twice. Items therefore read what they need of
// the start before a barrier, and the first item writes after it only values that may be written twice. No barrier
// stands in a branch if it can be avoided.
//
// cgrasp_construct does up to `units` units of construction for each of the slots first … first + groups - 1, and
// cgrasp_local up to `units` units of local search, as far as this step may obtain `quota` values and evaluate `work`
// components for each slot. A unit is
// a start point, a line search, a selection, a full evaluation, or GROUP points of a batch.
// No result depends on where a launch ends. There are two kernels because compilers inline all of one.
//   launch: groups of GROUP items; GROUP is 1 on processors.
//   x, z, gain, before, at: [slot][DIM]; z is also the best point of a batch that has begun; y: [slot][DIM][WIDTH];
//   acc: [slot][ACCS];
//   mark: [slot][GRASP_MARKS], the marks of the variables, followed by what a
//   selection of many does to each; words, reals, counts: the state of a slot, see grasp_load;
//   x0: points that replace the first `given` starts, dense; units of cgrasp_construct: 0 when a step begins, from
//   where its quota counts;
//   did[2*slot]: units made in this launch; did[2*slot + 1]: whether the slot has more
//   to do within the quota.
//
// Defines: those of cgrasp/search.cl; WIDTH (points side by side in y), BATCH, EXTEND, POINTS (points without success
// after which a local search ends), TRIES (points after which it ends in any case), RHO, GRASP_WORTH, ALPHA (negative:
// drawn), GRASP_HS, GRASP_HE, GRASP_UNTIL (the value at which a start ends), RESTART, STARTS; GRASP_FIXING (the most
// components that a selection evaluates); GRASP_WORDS, GRASP_REALS, GRASP_COUNTS, GRASP_MARKS (sizes for one slot).

// grasp_load and grasp_store copy the state of a slot from and to global memory.
static void grasp_load(local grasp *s, global const uint *w, global const real *r, global const ulong *c)
{
    s->phase = w[0]; s->who = w[1]; s->construction = w[2]; s->fixes = w[3]; s->balls = w[4]; s->left = w[5];
    s->cursor = w[6]; s->end = w[7]; s->tried = w[8]; s->moved = w[9]; s->origin = w[10]; s->odd = w[11];
    s->until = w[12]; s->part = w[13];
    s->h = r[0]; s->fx = r[1]; s->f0 = r[2]; s->alpha = r[3]; s->best = r[4]; s->gained = r[5];
    s->low = r[6];
    s->values = c[0]; s->components = c[1]; s->values_began = c[2]; s->components_began = c[3];
}

static void grasp_store(local const grasp *s, global uint *w, global real *r, global ulong *c)
{
    w[0] = s->phase; w[1] = s->who; w[2] = s->construction; w[3] = s->fixes; w[4] = s->balls; w[5] = s->left;
    w[6] = s->cursor; w[7] = s->end; w[8] = s->tried; w[9] = s->moved; w[10] = s->origin; w[11] = s->odd;
    w[12] = s->until; w[13] = s->part;
    r[0] = s->h; r[1] = s->fx; r[2] = s->f0; r[3] = s->alpha; r[4] = s->best; r[5] = s->gained;
    r[6] = s->low;
    c[0] = s->values; c[1] = s->components; c[2] = s->values_began; c[3] = s->components_began;
}

// If `now`, keeps the point if it is better than the best of the start.
static void grasp_record(local grasp *s, const grasp_slot *m, bool now)
{
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    const bool better = now && s->fx < s->best;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (better)
        for (uint i = get_local_id(0); i < DIM; i += GROUP) m->at[i] = m->x[i];
    if (better && get_local_id(0) == 0) s->best = s->fx;
}

// If `now`, begins a construction. `now` is an argument so that no branch surrounds a barrier.
static void grasp_construct(local grasp *s, const grasp_slot *m, bool now)
{
    barrier(CLK_LOCAL_MEM_FENCE);
    if (now)
        for (uint i = get_local_id(0); i < DIM; i += GROUP) m->mark[i] = GRASP_DIRTY;
    if (now && get_local_id(0) == 0) {
        s->f0 = s->fx;
        s->left = s->end = DIM;
        s->cursor = s->fixes = s->moved = 0;
        s->alpha = ALPHA;
        if (s->alpha < R(0.0)) s->alpha = draw_uniform(draw_words(0, s->who, s->construction, DRAW_GRASP, m->key).x);
        s->phase = GRASP_SEARCH;
    }
}

// If `now`, ends an iteration. The next construction follows, on a denser grid if this one did not help, or the next
// start.
static void grasp_next(local grasp *s, const grasp_slot *m, bool now)
{
    barrier(CLK_LOCAL_MEM_FENCE);
    const uint construction = s->construction + 1, who = s->who + STARTS;
    const real gain = s->f0 - s->fx, gained = fmax(s->gained, gain);
    const bool helped = gain > GRASP_WORTH * gained;
    const real h = helped ? s->h : R(0.5) * s->h;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (now && get_local_id(0) == 0) {
        s->construction = construction;
        s->h = h;
        s->gained = helped ? gained : R(0.0);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    const bool on = s->h >= GRASP_HE && !(s->fx <= GRASP_UNTIL);
    grasp_construct(s, m, now && on);
    if (now && !on && get_local_id(0) == 0) {
        s->phase = RESTART ? GRASP_BEGIN : GRASP_ENDED;
        if (RESTART) s->who = who;
    }
}

// Begins a start: its first point, its value, and its first construction.
static void grasp_begin(local grasp *s, const grasp_slot *m, global const real *x0, uint given, data d)
{
    const uint who = s->who;
    const ulong values = s->values + 1, components = s->components + COMPS;
    const uint odd = s->odd + 1;
    for (uint i = get_local_id(0); i < DIM; i += GROUP) {
        const real lo = box_lower(i, d), hi = box_upper(i, d);
        const real v = fmin(fmax(fma(draw_uniform(draw_word(i, who, 0, DRAW_INIT, m->key)), hi - lo, lo), lo), hi);
        m->x[i] = m->before[i] = who < given ? x0[(ulong)who * DIM + i] : v;
    }
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    const real f = grasp_value(point_stored(m->x, 1), d, m->tree, m->acc);
    barrier(CLK_LOCAL_MEM_FENCE);
    if (get_local_id(0) == 0) {
        s->values = values;
        s->components = components;
        s->fx = f;
        if (!isfinite(f)) { // no improvement can be measured from here
            s->odd = odd;
            s->fx = INFINITY;
            s->who = who + STARTS;
        } else {
            s->h = GRASP_HS;
            s->construction = s->balls = 0;
            s->gained = R(0.0);
        }
    }
    grasp_record(s, m, true);
    grasp_construct(s, m, isfinite(f));
}

// Ends a construction with a full evaluation.
static void grasp_refresh(local grasp *s, const grasp_slot *m, data d)
{
    const bool moved = s->moved;
    const ulong values = s->values + 1, components = s->components + COMPS;
    const uint odd = s->odd;
    // not in a branch, since it has barriers
    const real f = grasp_value(point_stored(m->x, 1), d, m->tree, m->acc);
    if (moved) {
        if (get_local_id(0) == 0) {
            s->values = values;
            s->components = components;
            s->odd = odd + !isfinite(f);
            s->fx = isfinite(f) ? f : INFINITY;
        }
    }
    grasp_record(s, m, true);
    barrier(CLK_LOCAL_MEM_FENCE);
    if (get_local_id(0) == 0) {
        s->origin = s->balls;
        s->tried = s->fx <= GRASP_UNTIL ? POINTS : 0u;
        s->phase = GRASP_BALL;
    }
}

// Sets a column of y to point `number` of B_h(x): x + h r/|r|, where r is a vector of integers with x + h r in the box.
static void grasp_ball(local const grasp *s, global const real *x, global real *y, uint number, uint2 key, data d)
{
    real square = R(0.0);
    for (uint q = 0; q < (DIM + 3) / 4; q++) {
        const uint4 w = draw_words(q, s->who, number, DRAW_BALL, key);
        for (uint i = 4 * q; i < min(4 * q + 4, DIM); i++) {
            const real h = s->h * GRASP_SCALE(i), v = x[i];
            const int down = grasp_count((v - box_lower(i, d)) / h, GRASP_MOST),
                      up = grasp_count((box_upper(i, d) - v) / h, GRASP_MOST);
            const real r = (real)((int)draw_int(draw_pick(w, i & 3u), (uint)(down + up + 1)) - down);
            y[(ulong)i * WIDTH] = r;
            square += r * r;
        }
    }
    const real by = square > R(0.0) ? s->h / grasp_root(square) : R(0.0);
    for (uint i = 0; i < DIM; i++)
        y[(ulong)i * WIDTH] = fmin(fmax(x[i] + by * GRASP_SCALE(i) * y[(ulong)i * WIDTH], box_lower(i, d)),
                                   box_upper(i, d));
}

// grasp_try evaluates the points [s->part, end) of a batch of `count`, one per column of y. They are points of B_h
// (ball), or steps 1, 2, 4, … times as long as the way of the iteration. z is the best one so far. After the last one
// it becomes x if it is better. Returns whether it did.
static bool grasp_try(local grasp *s, const grasp_slot *m, bool ball, uint end, uint count, data d)
{
    const uint l = get_local_id(0), from = s->part;
    const bool whole = end == count;
    const ulong values = whole ? s->values + count : s->values,
                components = whole ? s->components + (ulong)count * COMPS : s->components;
    real best = from > 0 && l == 0 ? s->low : INFINITY;
    int place = from > 0 && l == 0 ? -1 : 0;
    uint odd = 0;
    for (uint b = from + l; b < end; b += GROUP) {
        global real *column = m->y + b;
        if (ball)
            grasp_ball(s, m->x, column, s->balls + b, m->key, d);
        else
            for (uint i = 0; i < DIM; i++)
                column[(ulong)i * WIDTH] = fmin(fmax(m->x[i] + (real)(1u << b) * (m->x[i] - m->before[i]),
                                                     box_lower(i, d)), box_upper(i, d));
        sum a[ACCS];
        partial_full(point_stored(column, WIDTH), d, a);
        const real f = objective(a, d);
        if (!isfinite(f)) odd++;
        else if (f < best) { best = f; place = (int)b; }
    }
    m->least[l] = best;
    m->which[l] = place;
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    if (odd > 0) atomic_add(&s->odd, odd);
    for (uint w = GROUP / 2; w > 0; w >>= 1) {
        if (l < w) grasp_less(m->least, m->which, l, l + w);
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    best = m->least[0];
    place = m->which[0];
    if (place >= 0)
        for (uint i = l; i < DIM; i += GROUP) m->z[i] = m->y[(ulong)i * WIDTH + place];
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    // Evaluate the point again, in the order of all other values of x. This is done even if it is no better, so that
    // no barrier stands in a branch.
    sum a[ACCS];
    const real f = grasp_sums(point_stored(m->z, 1), whole ? COMPS : 0u, d, m->tree, a);
    const bool taken = whole && best < s->fx && f < s->fx;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (taken) {
        for (uint i = l; i < DIM; i += GROUP) {
            m->before[i] = ball ? m->before[i] : m->x[i];
            m->x[i] = m->z[i];
        }
        if (l == 0) {
            for (int j = 0; j < ACCS; j++) m->acc[j] = a[j];
            s->fx = f;
        }
    }
    grasp_record(s, m, true);
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l == 0) {
        s->values = values;
        s->components = components;
        s->part = whole ? 0u : end;
        s->low = best;
    }
    return taken;
}

// How many points without success end a local search.
static uint grasp_most(real h, data d)
{
    real count = RHO;
    for (uint i = 0; i < DIM && count < (real)POINTS; i++)
        count *= ceil((box_upper(i, d) - box_lower(i, d)) / (h * GRASP_SCALE(i)));
    return count >= (real)POINTS ? POINTS : (uint)ceil(count);
}

// Evaluates points of a batch of the local search (ball) or of the extension steps after it, up to number `end` of
// `count`. After the last one it chooses the next phase.
static void grasp_local(local grasp *s, const grasp_slot *m, bool ball, uint most, uint end, uint count, data d)
{
    const uint l = get_local_id(0);
    const bool whole = end == count;
    const bool taken = grasp_try(s, m, ball, end, count, d);
    barrier(CLK_LOCAL_MEM_FENCE);
    const uint balls = s->balls + count, tried = s->tried + count;
    const bool done = s->fx <= GRASP_UNTIL;
    const bool over = whole && (!ball || done || (!taken && tried >= most) || balls - s->origin >= TRIES);
    const bool extends = ball && EXTEND > 0 && s->fx < s->f0 && !done;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (whole && !ball && !taken)
        for (uint i = l; i < DIM; i += GROUP) m->before[i] = m->x[i];
    if (whole && ball && l == 0) {
        s->balls = balls;
        s->tried = taken ? 0u : tried;
        if (over) s->phase = GRASP_EXTEND;
    }
    grasp_next(s, m, over && !extends);
}

// Continues the constructions of slots with line searches and selections, as far as the quota allows.
kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void cgrasp_construct(global real *xs, global real *zs, global real *gains, global real *befores, global real *ats,
                      global uchar *marks, global sum *accs, global uint *words, global real *reals,
                      global ulong *counts, global const real *x0, const uint given, global uint *did,
                      const uint seed, const uint run,
                      const uint first, const ulong quota, const ulong work, const uint units DATA_PARAMS)
{
    local grasp s;
    local sum tree[ACCS * GROUP];
    local real least[GROUP];
    local int which[GROUP];
    local uint list[GROUP > 2 * LINES ? GROUP : 2 * LINES];
    DATA_INIT;
    const uint l = get_local_id(0);
    const ulong slot = first + get_group_id(0);
    const grasp_slot of = { .x = xs + slot * DIM, .z = zs + slot * DIM, .gain = gains + slot * DIM,
        .before = befores + slot * DIM, .at = ats + slot * DIM, .y = 0, .mark = marks + slot * GRASP_MARKS,
        .acc = accs + slot * ACCS, .tree = tree, .least = least, .which = which, .list = list,
        .key = (uint2)(seed, run) }, *const m = &of;
    if (l == 0) {
        grasp_load(&s, words + slot * GRASP_WORDS, reals + slot * GRASP_REALS, counts + slot * GRASP_COUNTS);
        if (units == 0) {
            s.values_began = s.values;
            s.components_began = s.components;
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    bool more = s.phase != GRASP_ENDED;
    uint made = 0;
    for (; made < units && more && s.phase <= GRASP_REFRESH; made++) {
        const uint phase = s.phase;
        const ulong room = s.values_began + quota - s.values, left = s.components_began + work - s.components;
        if (phase == GRASP_BEGIN) {
            more = room >= 1 && left >= COMPS;
            if (more) grasp_begin(&s, m, x0, given, d);
        } else if (phase == GRASP_SEARCH) {
            const int lines = grasp_search(&s, m, room, left, units - made, d);
            more = lines >= 0;
            made += max(lines - 1, 0);
        } else if (phase == GRASP_SELECT) {
            more = left >= GRASP_FIXING;
            if (more) grasp_select(&s, m, d);
        } else {
            more = !s.moved || (room >= 1 && left >= COMPS);
            if (more) grasp_refresh(&s, m, d);
        }
        barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    }
    // A construction may take many steps. Where g is not affine, fx is the value of the point so far, which is kept if
    // it is better. Elsewhere fx is still the value at its beginning, and nothing happens.
    grasp_record(&s, m, !more);
    if (l == 0) {
        grasp_store(&s, words + slot * GRASP_WORDS, reals + slot * GRASP_REALS, counts + slot * GRASP_COUNTS);
        did[2 * slot] = made;
        did[2 * slot + 1] = more;
    }
}

// Continues the local searches of slots, whose batches may be cut by launches, as far as the quota allows.
kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void cgrasp_local(global real *xs, global real *zs, global real *befores, global real *ats, global real *ys,
                  global uchar *marks, global sum *accs, global uint *words, global real *reals,
                  global ulong *counts, global uint *did,
                  const uint seed, const uint run, const uint first, const ulong quota, const ulong work,
                  const uint units DATA_PARAMS)
{
    local grasp s;
    local sum tree[ACCS * GROUP];
    local real least[GROUP];
    local int which[GROUP];
    DATA_INIT;
    const uint l = get_local_id(0);
    const ulong slot = first + get_group_id(0);
    const grasp_slot of = { .x = xs + slot * DIM, .z = zs + slot * DIM, .gain = 0, .before = befores + slot * DIM,
        .at = ats + slot * DIM, .y = ys + slot * DIM * WIDTH, .mark = marks + slot * GRASP_MARKS,
        .acc = accs + slot * ACCS, .tree = tree, .least = least, .which = which, .list = 0,
        .key = (uint2)(seed, run) }, *const m = &of;
    if (l == 0) grasp_load(&s, words + slot * GRASP_WORDS, reals + slot * GRASP_REALS, counts + slot * GRASP_COUNTS);
    barrier(CLK_LOCAL_MEM_FENCE);
    const bool mine = s.phase == GRASP_BALL || s.phase == GRASP_EXTEND;
    bool more = mine;
    uint made = 0;
    while (made < units && more && (s.phase == GRASP_BALL || s.phase == GRASP_EXTEND)) {
        const ulong room = s.values_began + quota - s.values, left = s.components_began + work - s.components;
        const bool ball = s.phase == GRASP_BALL;
        const uint most = ball ? grasp_most(s.h, d) : EXTEND,
                   count = ball ? min((uint)BATCH, most - min(most, s.tried)) : EXTEND;
        const uint rest = count - s.part, todo = min((rest + GROUP - 1) / GROUP, units - made);
        made += max(todo, 1u);
        more = room >= count && left >= (ulong)count * COMPS;
        const uint end = s.part + min(rest, todo * GROUP);
        if (more) grasp_local(&s, m, ball, most, end, count, d);
        barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    }
    if (l == 0) did[2 * slot] = made;
    if (l == 0 && mine) {
        grasp_store(&s, words + slot * GRASP_WORDS, reals + slot * GRASP_REALS, counts + slot * GRASP_COUNTS);
        did[2 * slot + 1] = more && s.phase != GRASP_ENDED;
    }
}
