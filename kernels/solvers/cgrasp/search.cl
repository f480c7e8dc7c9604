// cgrasp/search.cl: the line searches of C-GRASP and the restricted candidate list,
// computed by one work-group. Comes before cgrasp/cgrasp.cl.
//
// Defines:
//   LINES           the most line searches of a round
//   HALF            nodes on each side
//   GRASP_MOST      the largest number of nodes that is counted
//   GRASP_LOWER     nodes are counted from the lower bound
//   GRASP_FULL      each value comes from a full evaluation
//   GRASP_ADDITIVE  g is affine
//   GRASP_MANY      a selection fixes an independent set of variables
//   MEET_STRIDE, MEET_FROM, MEET_TO   the window of a component; MEET_STRIDE 0: all variables interact
//   GRASP_SCALED    h of a variable is in proportion to its interval; GRASP_SPAN is the widest interval

enum { GRASP_BEGIN, GRASP_SEARCH, GRASP_SELECT, GRASP_REFRESH, GRASP_BALL, GRASP_EXTEND, GRASP_ENDED };
enum { GRASP_CLEAN, GRASP_DIRTY, GRASP_FIXED }; // marks
enum { GRASP_NONE, GRASP_STILL, GRASP_MOVED };  // what a selection of many does to a variable

// The state of a start; graspCounters in the Go code.
typedef struct {
    uint phase, who, construction, fixes, balls, left, cursor, end, tried, moved, origin, odd;
    uint until; // where the round of line searches that has begun ends; 0: none has
    uint part; // points of a batch that were evaluated so far; 0: none has begun
    real h, fx, f0, alpha, best, gained;
    real low; // value of the best of them
    ulong values, components, values_began, components_began;
    uint a, b, c; // counters
} grasp;

// What a slot has in memory, as in the banner of cgrasp/cgrasp.cl, and what its group works with: sums, the least
// values of the items and where they are, a list of variables. What a kernel does not need is 0.
typedef struct {
    global real *x, *z, *gain, *before, *at, *y;
    global uchar *mark;
    global sum *acc;
    local sum *tree;
    local real *least;
    local int *which;
    local uint *list;
    uint2 key;
} grasp_slot;

// The best node of a line search so far, and how many values were not finite.
typedef struct { real least; int which; uint odd; } grasp_found;

#if GRASP_SCALED
#define GRASP_SCALE(i) ((box_upper(i, d) - box_lower(i, d)) / GRASP_SPAN)
#else
#define GRASP_SCALE(i) R(1.0)
#endif

static int grasp_count(real v, int most) { return v >= (real)most ? most : (int)v; }

#if REAL_BITS == 64
#define grasp_root(v) sqrt(v)
#else
#define grasp_root(v) root(v)
#endif

// Sets entry a to the lower of a and b. Ties go to the lower index.
static void grasp_less(local real *value, local int *index, uint a, uint b)
{
    if (value[b] < value[a] || (value[b] == value[a] && index[b] < index[a])) {
        value[a] = value[b];
        index[a] = index[b];
    }
}

// All items together compute the accumulators a of the first components of a point, COMPS: of all, and the value that
// follows from them, which is returned.
static real grasp_sums(point p, uint components, data d, local sum *tree, sum *a)
{
    for (int j = 0; j < ACCS; j++) a[j] = sum_zero();
    for (uint k = get_local_id(0); k < components; k += GROUP) {
        real c[ACCS];
        for (int j = 0; j < ACCS; j++) c[j] = R(0.0);
        component(k, p, d, c);
        for (int j = 0; j < ACCS; j++) sum_add(a + j, c[j]);
    }
    group_sums(a, ACCS, tree);
    for (int j = 0; j < ACCS; j++) a[j] = tree[j * GROUP];
    return objective(a, d);
}

// As grasp_sums, but it stores the accumulators in acc.
static real grasp_value(point p, data d, local sum *tree, global sum *acc)
{
    sum a[ACCS];
    const real f = grasp_sums(p, COMPS, d, tree, a);
    if (get_local_id(0) == 0)
        for (int j = 0; j < ACCS; j++) acc[j] = a[j];
    return f;
}

// The range of nodes k of variable i, whose value is v.
static int2 grasp_nodes(uint i, real v, real h, data d)
{
    const real lo = box_lower(i, d), hi = box_upper(i, d);
#if GRASP_LOWER
    const int near = grasp_count(rint((v - lo) / h), GRASP_MOST);
    return (int2)(max(0, near - HALF), min(grasp_count((hi - lo) / h, GRASP_MOST), near + HALF));
#else
    return (int2)(-grasp_count((v - lo) / h, HALF), grasp_count((hi - v) / h, HALF));
#endif
}

// The value of node k of variable i, whose value is v.
static real grasp_node(uint i, int k, real v, real h, data d)
{
    const real lo = box_lower(i, d), hi = box_upper(i, d);
#if GRASP_LOWER
    v = lo;
#endif
    return fmin(fmax(v + (real)k * h, lo), hi);
}

// Sets b to the accumulators without the terms of variable i. A candidate adds its terms to them.
static void grasp_base(point p, uint i, global const sum *acc, data d, sum *b)
{
    for (int j = 0; j < ACCS; j++) b[j] = GRASP_ADDITIVE ? sum_zero() : acc[j];
    const uint end = touch_end(i, d);
    for (uint q = touch_first(i, d); q < end; q++) {
        real a[ACCS];
        for (int j = 0; j < ACCS; j++) a[j] = R(0.0);
        component(touched(q, i, d), p, d, a);
        for (int j = 0; j < ACCS; j++) sum_add(b + j, -a[j]);
    }
}

// Adds the terms of variable i of a point to a.
static void grasp_terms(point p, uint i, data d, sum *a)
{
    const uint end = touch_end(i, d);
    for (uint q = touch_first(i, d); q < end; q++) {
        real c[ACCS];
        for (int j = 0; j < ACCS; j++) c[j] = R(0.0);
        component(touched(q, i, d), p, d, c);
        for (int j = 0; j < ACCS; j++) sum_add(a + j, c[j]);
    }
}

// Updates what was found by those nodes of the line search of variable i that belong to this lane.
static void grasp_line(const grasp_slot *m, uint i, int2 nodes, uint lane, uint team, real h, real fx, data d,
                       grasp_found *found)
{
    const point p = point_stored(m->x, 1);
    const real v = m->x[i];
    sum base[ACCS], none[ACCS];
    for (int j = 0; j < ACCS; j++) none[j] = sum_zero();
    const real offset = objective(none, d);
    if (!GRASP_FULL) grasp_base(p, i, m->acc, d, base);
    // k = 0 is left out, since its difference is 0
    for (int e = nodes.x + (int)lane; e <= nodes.y - (GRASP_LOWER ? 0 : 1); e += (int)team) {
        const int k = !GRASP_LOWER && e >= 0 ? e + 1 : e;
        const point to = point_with(p, i, grasp_node(i, k, v, h, d));
        sum a[ACCS];
        real f;
        if (GRASP_FULL) {
            partial_full(to, d, a);
            f = objective(a, d) - fx;
        } else {
            for (int j = 0; j < ACCS; j++) a[j] = base[j];
            grasp_terms(to, i, d, a);
            f = objective(a, d) - (GRASP_ADDITIVE ? offset : fx);
        }
        if (!isfinite(f)) found->odd++;
        else if (f < found->least || (f == found->least && k < found->which)) {
            found->least = f;
            found->which = k;
        }
    }
}

// grasp_search makes `most` line searches, or as many as are left in their round. A round is up to LINES line searches,
// from as many ranges of LINES variables as that allows, which are counted when it begins. If they do not fit into
// `room` values and `left` components, grasp_search begins none. It returns how many line searches it made, or -1 if
// none fitted.
static int grasp_search(local grasp *s, const grasp_slot *m, ulong room, ulong left, uint most, data d)
{
    const uint l = get_local_id(0), begun = s->until, end = begun > 0 ? begun : s->end;
    uint cursor = s->cursor, count = 0;
    // list the variables in any order: no search depends on another
    for (bool full = false; cursor < end && !full;) {
        const uint to = min(cursor + LINES, end);
        barrier(CLK_LOCAL_MEM_FENCE);
        if (l == 0) s->a = 0;
        barrier(CLK_LOCAL_MEM_FENCE);
        for (uint i = cursor + l; i < to; i += GROUP)
            if (m->mark[i] == GRASP_DIRTY) m->list[count + atomic_inc(&s->a)] = i;
        barrier(CLK_LOCAL_MEM_FENCE);
        full = count + s->a > LINES;
        if (!full) {
            count += s->a;
            cursor = to;
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    if (l == 0) s->a = s->b = s->c = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint c = l; c < count; c += GROUP) {
        const uint i = m->list[c];
        const int2 nodes = grasp_nodes(i, m->x[i], s->h * GRASP_SCALE(i), d);
        const uint cost = (uint)(nodes.y - nodes.x + 1);
        const ulong comps = (ulong)cost * (GRASP_FULL ? COMPS : touch_end(i, d) - touch_first(i, d));
        atomic_add(&s->a, cost);
        atomic_add(&s->b, (uint)(comps & 0xffffu)); // in two halves, since the sum may need more than 32 bits
        atomic_add(&s->c, (uint)(comps >> 16));
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    const uint cost = s->a;
    const ulong comps = ((ulong)s->c << 16) + s->b;
    const ulong point = GRASP_ADDITIVE ? COMPS : 0; // see graspStart.search
    const bool fits = begun > 0 || (cost <= room && comps + point <= left), over = count <= most;
    const ulong values = s->values + cost, components = s->components + comps;
    count = fits ? min(count, most) : 0u;
    // as many items per variable as the group has
    uint team = GROUP;
    grasp_found found = { 0, 0, 0 };
    while (team > 1 && team * count > GROUP) team /= 2;
    const uint lane = l % team;
    for (uint c0 = 0; c0 < count; c0 += GROUP / team) {
        const uint c = c0 + l / team;
        const bool mine = c < count;
        const uint i = mine ? m->list[c] : 0;
        const real v = m->x[i], h = s->h * GRASP_SCALE(i);
        found.least = GRASP_LOWER ? INFINITY : R(0.0);
        found.which = GRASP_LOWER ? GRASP_MOST : 0;
        if (mine) grasp_line(m, i, grasp_nodes(i, v, h, d), lane, team, h, s->fx, d, &found);
        m->least[l] = found.least;
        m->which[l] = found.which;
        barrier(CLK_LOCAL_MEM_FENCE);
        for (uint w = team / 2; w > 0; w >>= 1) {
            if (lane < w) grasp_less(m->least, m->which, l, l + w);
            barrier(CLK_LOCAL_MEM_FENCE);
        }
        if (mine && lane == 0) {
            const bool none = m->which[l] == GRASP_MOST; // no value was finite: the variable stays
            m->z[i] = none ? v : grasp_node(i, m->which[l], v, h, d);
            m->gain[i] = none ? R(0.0) : m->least[l];
            m->mark[i] = GRASP_CLEAN;
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (found.odd > 0) atomic_add(&s->odd, found.odd);
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l == 0 && fits) {
        if (begun == 0) {
            s->values = values;
            s->components = components;
        }
        s->until = over ? 0u : cursor;
        if (over) s->cursor = cursor;
        if (over && cursor >= s->end) s->phase = GRASP_SELECT;
    }
    return fits ? (int)count : -1;
}

// The range of variables that share a component with variable i.
static uint2 grasp_meet(uint i)
{
#if MEET_STRIDE
    const uint first = i < MEET_TO ? 0u : (i - MEET_TO + (MEET_STRIDE - 1u)) / MEET_STRIDE;
    const uint past = i < MEET_FROM ? 0u : min((i - MEET_FROM) / MEET_STRIDE + 1u, COMPS);
    if (past <= first) return (uint2)(i, i + 1);
    return (uint2)(min(i, MEET_STRIDE * first + MEET_FROM),
                   max(i + 1, min(MEET_STRIDE * (past - 1u) + MEET_TO + 1u, DIM)));
#else
    return (uint2)(0, DIM);
#endif
}

#if GRASP_MANY
// Fixes an independent set of the candidates: each one that comes before all candidates with which it shares a
// component, in an order drawn for the construction.
static void grasp_many(local grasp *s, const grasp_slot *m, real limit)
{
    const uint l = get_local_id(0), who = s->who, construction = s->construction;
    global uchar *pick = m->mark + DIM;
    if (l == 0) s->a = s->b = 0;
    for (uint i = l; i < DIM; i += GROUP) {
        pick[i] = GRASP_NONE;
        if (m->mark[i] == GRASP_FIXED || !(m->gain[i] <= limit)) continue;
        const uint word = draw_word(i, who, construction, DRAW_ORDER, m->key);
        const uint2 near = grasp_meet(i);
        bool first = true;
        for (uint j = near.x; j < near.y && first; j++)
            if (j != i && m->mark[j] != GRASP_FIXED && m->gain[j] <= limit) {
                const uint other = draw_word(j, who, construction, DRAW_ORDER, m->key);
                first = !(other < word || (other == word && j < i));
            }
        if (first) pick[i] = m->x[i] == m->z[i] ? GRASP_STILL : GRASP_MOVED;
    }
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    uint mine = 0, moved = 0;
    for (uint i = l; i < DIM; i += GROUP) {
        if (pick[i] != GRASP_NONE) {
            mine++;
            m->mark[i] = GRASP_FIXED;
            if (pick[i] == GRASP_MOVED) { m->x[i] = m->z[i]; moved = 1; }
        } else if (m->mark[i] == GRASP_CLEAN) {
            const uint2 near = grasp_meet(i);
            bool dirty = false;
            for (uint j = near.x; j < near.y && !dirty; j++) dirty = pick[j] == GRASP_MOVED;
            if (dirty) m->mark[i] = GRASP_DIRTY;
        }
    }
    if (mine > 0) atomic_add(&s->a, mine);
    if (moved) atomic_or(&s->b, 1u);
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    const uint left = s->left - s->a, fixes = s->fixes + 1;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l == 0) {
        s->left = left;
        s->moved |= s->b;
        s->fixes = fixes;
        s->cursor = 0;
        s->end = DIM;
        s->phase = left > 0 ? GRASP_SEARCH : GRASP_REFRESH;
    }
}
#else
// Draws one of the candidates and fixes it.
static void grasp_one(local grasp *s, const grasp_slot *m, real limit, data d)
{
    const uint l = get_local_id(0);
    // an item takes neighbouring variables, so that candidates are counted in the order of variables
    const uint span = (DIM + GROUP - 1) / GROUP, from = min(l * span, DIM), to = min(from + span, DIM);
    uint mine = 0;
    for (uint i = from; i < to; i++) mine += m->mark[i] != GRASP_FIXED && m->gain[i] <= limit;
    m->list[l] = mine;
    barrier(CLK_LOCAL_MEM_FENCE);
    uint before = 0, count = 0;
    for (uint k = 0; k < GROUP; k++) {
        before += k < l ? m->list[k] : 0;
        count += m->list[k];
    }
    const uint nth = draw_int(draw_words(1 + s->fixes, s->who, s->construction, DRAW_GRASP, m->key).x, count);
    if (nth >= before && nth < before + mine)
        for (uint i = from, n = nth - before; i < to; i++)
            if (m->mark[i] != GRASP_FIXED && m->gain[i] <= limit && n-- == 0) s->a = i;
    barrier(CLK_LOCAL_MEM_FENCE);
    const uint j = s->a;
    const bool change = m->x[j] != m->z[j];
    const uint left = s->left - 1, fixes = s->fixes + 1;
    const ulong components = s->components + 2 * (ulong)(touch_end(j, d) - touch_first(j, d));
    const real fx = s->fx + m->gain[j];
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    if (l == 0) {
        m->mark[j] = GRASP_FIXED;
        s->left = left;
        s->fixes = fixes;
        s->cursor = s->end = 0;
        if (change) {
            s->moved = 1;
            if (GRASP_FULL) {
                s->fx = fx;
            } else if (!GRASP_ADDITIVE) {
                sum a[ACCS];
                const point p = point_stored(m->x, 1);
                grasp_base(p, j, m->acc, d, a);
                grasp_terms(point_with(p, j, m->z[j]), j, d, a);
                for (int k = 0; k < ACCS; k++) m->acc[k] = a[k];
                s->fx = objective(a, d);
                s->components = components;
            }
            m->x[j] = m->z[j];
            const uint2 near = grasp_meet(j);
            s->cursor = near.x;
            s->end = near.y;
        }
        s->phase = left == 0 ? GRASP_REFRESH : change ? GRASP_SEARCH : GRASP_SELECT;
    }
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    if (change) // mark all variables whose line search is out of date
        for (uint i = s->cursor + l; i < s->end; i += GROUP)
            if (m->mark[i] == GRASP_CLEAN) m->mark[i] = GRASP_DIRTY;
}
#endif

// grasp_select makes the restricted candidate list and fixes one or many of its variables.
static void grasp_select(local grasp *s, const grasp_slot *m, data d)
{
    const uint l = get_local_id(0);
    real low = INFINITY, high = -INFINITY;
    for (uint i = l; i < DIM; i += GROUP)
        if (m->mark[i] != GRASP_FIXED) {
            low = fmin(low, m->gain[i]);
            high = fmax(high, m->gain[i]);
        }
    m->least[l] = low;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint w = GROUP / 2; w > 0; w >>= 1) {
        if (l < w) m->least[l] = fmin(m->least[l], m->least[l + w]);
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    low = m->least[0];
    barrier(CLK_LOCAL_MEM_FENCE);
    m->least[l] = high;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint w = GROUP / 2; w > 0; w >>= 1) {
        if (l < w) m->least[l] = fmax(m->least[l], m->least[l + w]);
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    high = m->least[0];
    const real limit = low + s->alpha * (high - low);
#if GRASP_MANY
    grasp_many(s, m, limit);
#else
    grasp_one(s, m, limit, d);
#endif
}
