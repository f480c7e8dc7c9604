// graybox/part.cl: what the searches share: a part, its value, and sums over its items. Comes after lib/tile.cl.
//
// All parts of a launch are of one class. The table of the class has, for part w of a tile,
//   table[1 + PART_ROW*w ..]  where its variables begin in the table, their number, where its components begin, their
//                             number, its number among the parts of all classes, the cost of its components, and
//                             where its reals begin among those of the tile (WIDE_PARTS)
//   table[table[0] ..]        the places of the variables of the tile in their parts, see view.cl
//
// Numbers of components count from the first of the tile. Those of open parts may be below 0.
//
// Part w of tile t of a shard is column p = (t - tile_lo)*per_tile + w. Numbers that a run keeps for each part are
// stored row after row, so that neighbouring items read neighbouring numbers:
//   words[row*columns + p]
//   acc[(row*SUMS + a)*columns + p]     sums of the best point (row 0) and of the point of the restart (row 1): the
//                                       accumulators, and then the inner sums of all components of the part
//   reals[row*columns + p], or with WIDE_PARTS those of one part after those of another, tile_reals for a tile
//
// Items pass on m, what the parts of the class have in memory, and on, where they work.
//
// The value of a part is the sum of its accumulators times coefs, which are the bits of a double, or of a float where
// there is no float64. A search may minimize an inner sum instead: its aim is 0 for the value, and j for inner sum j-1.
//
// The numbers of a class are in the struct graybox_layout, see solvers/graybox/layout.go, and no constants, so that the
// classes of a problem have programs in common.

#define PART_ROW 7
#define SUMS (ACCS + INNER)

// What the parts of a class have in memory: parameters of the kernels, and the struct that they pass on as m.
#define MEMORY_PARAMS global real *x, global uint *words, global real *reals, global sum *acc, \
    global const ulong *coefs, global const uint *table, const extent shard, const graybox_layout layout, \
    const uint seed, const uint run
#define MEMORY \
    ulong by[ACCS]; \
    copy_coefs(by, coefs); \
    const memory all = { x, words, reals, acc, table, by, shard, layout, (uint2)(seed, run) }, *const m = &all

typedef struct {
    global real *x;
    global uint *words;
    global real *reals;
    global sum *acc;
    global const uint *table;
    const ulong *coefs;
    extent shard;
    graybox_layout layout;
    uint2 key;
} memory;

static void copy_coefs(ulong *to, global const ulong *from)
{
    for (int a = 0; a < ACCS; a++) to[a] = from[a];
}

#if SUM_FP64
static bool value_less(sum a, sum b) { return a < b; }
static bool value_finite(sum a) { return isfinite(a); }
static sum value_scaled(sum a, ulong coef) { return as_double(coef) * a; }
static real value_less_by(sum a, sum b) { return (real)(a - b); }
#else
static bool value_less(sum a, sum b) { return a.x < b.x || (a.x == b.x && a.y < b.y); }
static bool value_finite(sum a) { return isfinite(a.x); }
static sum value_scaled(sum a, ulong coef)
{
    const float c = as_float((uint)coef), p = c * a.x;
    return sum_pair(p, 0.0f, fma(c, a.x, -p) + c * a.y);
}
static real value_less_by(sum a, sum b) { return (a.x - b.x) + (a.y - b.y); }
#endif

// Whether value a ranks before b: finite values rank before others, then the smaller one does.
static bool value_better(sum a, sum b) { return value_finite(a) && (!value_finite(b) || value_less(a, b)); }

// The value of a part from its accumulators.
static sum value_of(const sum *a, const ulong *coefs)
{
    sum v = value_scaled(a[0], coefs[0]);
    for (int k = 1; k < ACCS; k++) v = sum_join(v, value_scaled(a[k], coefs[k]));
    return v;
}

// What a search with an aim minimizes, from the sums of a part. An inner sum is better in the direction in which the
// component is; there is one accumulator then.
static sum value_aimed(const sum *a, const ulong *coefs, uint aim)
{
#if INNER
    for (uint j = 0; j < INNER; j++)
        if (aim == j + 1) return value_scaled(a[ACCS + j], coefs[0]);
#endif
    return value_of(a, coefs);
}

// A part, the same in all of its items.
typedef struct {
    uint column;              // p
    uint tile, number;        // tile, and number among all parts of the problem
    global const uint *vars;  // variables of the tile
    uint n;
    uint base;                // first variable of the tile
    global const uint *comps; // components of the tile
    uint comps_n;
    global const uint *places;
    ulong reals;              // where its reals begin
#if OPEN
    uint w, lo;               // number in the tile; first variable that is stored
    global const real *best;  // the best point
#endif
} part;

static part part_of(const memory *m, uint p, data d)
{
    const uint w = p % m->layout.per_tile;
    global const uint *row = m->table + 1 + PART_ROW * w;
    part q;
    q.column = p;
    q.tile = m->shard.tile_lo + p / m->layout.per_tile;
    q.number = q.tile * m->layout.all + row[4];
    q.vars = m->table + row[0];
    q.n = row[1];
    q.base = q.tile * TILE_VARS;
    q.comps = m->table + row[2];
    q.comps_n = row[3];
    q.places = m->table + m->table[0];
    q.reals = WIDE_PARTS ? (ulong)(p / m->layout.per_tile) * m->layout.tile_reals + row[6] : p;
#if OPEN
    q.w = w;
    q.lo = m->shard.lo;
    q.best = m->x;
#endif
    // The last tile may have fewer variables and components, and the first one has none before it.
    while (q.n > 0 && q.base + q.vars[q.n - 1] >= DIM) q.n--;
    while (q.comps_n > 0 && q.tile * TILE_COMPS + q.comps[q.comps_n - 1] >= COMPS) q.comps_n--;
#if OPEN
    for (; q.tile == 0 && q.comps_n > 0 && (int)q.comps[0] < 0; q.comps_n--) q.comps++;
#endif
    return q;
}

// The global index of variable v of a part.
static uint part_var(const part *q, uint v) { return q->base + q->vars[v]; }

static point part_point(const part *q, SPACE const real *y)
{
    point at;
    at.y = y;
#if LINEAR
    at.first = q->base + q->vars[0];
#else
    at.first = q->base;
#endif
    at.place = q->places;
#if OPEN
    at.n = q->n;
    at.w = q->w;
    at.lo = q->lo;
    at.best = q->best;
#endif
    return at;
}

// The number of an item among those of its part, and whether it is the first one. Items have the variables PART_LANE,
// PART_LANE + LANES and so on of a part, the same in every loop.
#if LANES == 1
#define PART_LANE 0u
#else
#define PART_LANE get_local_id(0)
#endif
#define PART_FIRST (PART_LANE == 0)

// Number `row` of the reals that a run keeps for a part.
#if WIDE_PARTS
#define PART_REAL(q, row) m->reals[(q)->reals + (row)]
#else
#define PART_REAL(q, row) m->reals[(ulong)(row) * m->layout.columns + (q)->reals]
#endif

// Where the items of a part work: the candidate, the point of the restart, what cma has drawn (0: nothing), the numbers
// of a component that they compute together, and what they add.
typedef struct {
    SPACE real *y, *here, *z;
    local real *scratch;
    local sum *tree;
} desk;

// Adds v over the items of a part; every item gets the sum. tree has GROUP places.
static inline __attribute__((always_inline)) sum part_total(sum v, local sum *tree)
{
#if LANES > 1
    group_sums(&v, 1, tree);
    v = tree[0];
    barrier(CLK_LOCAL_MEM_FENCE);
#endif
    return v;
}

// Items compute a group of variables together where the problem can and no other part shares their local memory.
#if defined(TOGETHER) && (LANES > 1 || GROUP == 1)
#define PART_TOGETHER 1
#else
#define PART_TOGETHER 0
#endif

#if INNER
// Adds component k, which has the inner sums inner, and these to the sums of a part, in the items that count.
static void part_add_inner(uint k, const real *inner, bool counts, data d, sum *s)
{
    sum_add(s, counts ? component_value(k, inner, d) : R(0.0));
    for (int j = 0; j < INNER; j++) sum_add(s + ACCS + j, counts ? inner[j] : R(0.0));
}
#endif

// Adds component k at x.
static void part_add(uint k, point x, data d, sum *s)
{
#if INNER
    real inner[INNER];
    for (int j = 0; j < INNER; j++) inner[j] = R(0.0);
    component_inner(k, x, d, inner);
    part_add_inner(k, inner, true, d, s);
#else
    tile_add(k, x, d, s);
#endif
}

#if PART_TOGETHER
// Adds wide component k at x. All items call it, and a barrier follows.
static inline __attribute__((always_inline)) void part_add_together(uint k, point x, data d, local real *scratch,
                                                                    sum *s)
{
#if INNER
    real inner[INNER];
    for (int j = 0; j < INNER; j++) inner[j] = R(0.0);
    component_inner_together(k, x, d, scratch, inner);
    part_add_inner(k, inner, get_local_id(0) == 0, d, s);
#else
    component_together(k, x, d, scratch, s);
#endif
    barrier(CLK_LOCAL_MEM_FENCE);
}
#endif

// Computes the sums of a part at y; every item gets them.
static inline __attribute__((always_inline)) void part_evaluate(const part *q, SPACE const real *y, data d,
                                                                local real *scratch, local sum *tree, sum *s)
{
    const point x = part_point(q, y);
    const uint from = q->tile * TILE_COMPS;
    for (int a = 0; a < SUMS; a++) s[a] = sum_zero();
    uint done = 0;
#if PART_TOGETHER
    for (; done < q->comps_n; done++) {
        const uint c = from + q->comps[done];
        if (!TOGETHER(c)) break;
        part_add_together(c, x, d, scratch, s);
    }
#endif
#if LANES > 1
    done += get_local_id(0);
#endif
    for (uint k = done; k < q->comps_n; k += LANES) part_add(from + q->comps[k], x, d, s);
    for (int a = 0; a < SUMS; a++) s[a] = part_total(s[a], tree);
}
