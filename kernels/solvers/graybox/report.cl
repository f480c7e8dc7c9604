// graybox/report.cl: what the parts have reached. Comes after graybox/graybox.cl.
//
// graybox_again: evaluates the points of row `row` of x again, 0 or 1, and stores their sums. Launch as
//   graybox_run.
// graybox_report: sums[(t - tile_lo)*REPORT + a] = accumulators a of the best points of the parts of tile t; then
//   the cost of all evaluations so far, the number of parts that are not at rest, their cost (OPEN: of all parts), the
//   number of values that were not finite, and that of parts with a finite value; then for each search the cost of its
//   evaluations, and for each search what the values of the parts have fallen by in it.
//   launch: groups (1, tiles), GROUP items each

// Evaluates a stored point again.
kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void graybox_again(MEMORY_PARAMS, const graybox_range range, const uint row DATA_PARAMS)
{
    local sum tree[LANES > 1 ? GROUP : 1];
#if PART_TOGETHER
    local real scratch[SCRATCH] __attribute__((aligned(128)));
#else
    local real scratch[1];
#endif
    SPACE real y[SPAN];
    DATA_INIT;
    MEMORY;
    const uint begin = get_group_id(0) * range.each, end = min(begin + range.each, range.parts);
    for (uint k = begin + (LANES > 1 ? 0 : get_local_id(0)); k < end; k += GROUP / LANES) {
        const part whole = range_part(m, &range, k, d);
        const part *q = &whole;
        if (q->n == 0) continue;
        for (uint v = PART_LANE; v < q->n; v += LANES)
            y[v] = row == 1 ? HERE(v) : x[part_var(q, v) - shard.lo];
        PART_BARRIER
        sum s[SUMS];
        part_evaluate(q, y, d, scratch, tree, s);
        if (!PART_FIRST) continue;
        for (int a = 0; a < SUMS; a++) acc[(ulong)(row * SUMS + a) * layout.columns + q->column] = s[a];
    }
}

// Adds a number to a sum without rounding, in pieces that each real holds.
static void count_add(sum *s, ulong n)
{
    sum_add(s, (real)(n & 0xffffffu));
    sum_add(s, (real)(n >> 24 & 0xffffffu) * R(0x1p24));
    sum_add(s, (real)(n >> 48) * R(0x1p48));
}

#define SPENT (ACCS + 5)
#define GAINS (SPENT + ALL_SEARCHES)
#define REPORT (GAINS + ALL_SEARCHES)

// Reports the best points of the parts of every tile, the work that was done, and what the searches have gained.
kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void graybox_report(MEMORY_PARAMS, const uint from, const uint most, const uint patience,
                    global sum *sums DATA_PARAMS)
{
    local sum tree[REPORT * GROUP];
    const uint t = from + get_group_id(0);
    sum s[REPORT];
    MEMORY;
    DATA_INIT;
    for (int a = 0; a < REPORT; a++) s[a] = sum_zero();
    for (uint w = get_local_id(0); w < layout.per_tile; w += GROUP) {
        const part whole = part_of(m, t * layout.per_tile + w, d);
        const part *q = &whole;
        if (q->n == 0) continue;
        const uint cost = table[1 + PART_ROW * w + 5];
        sum own[ACCS]; // of the best point
        for (int a = 0; a < ACCS; a++) {
            own[a] = acc[(ulong)a * layout.columns + q->column];
            s[a] = sum_join(s[a], own[a]);
        }
#if OPEN
        count_add(s + ACCS, (ulong)cost * ((ulong)WORD(W_MADE) + WORD(W_AGAIN)));
        count_add(s + ACCS + 2, cost);
#else
        count_add(s + ACCS, (ulong)cost * WORD(W_MADE));
#endif
        if (WORD(W_MADE) < most && (WORD(W_FRUITLESS) < patience || WORD(W_SEARCH) != SEARCH_START)) {
            count_add(s + ACCS + 1, 1);
            if (!OPEN) count_add(s + ACCS + 2, cost);
        }
        count_add(s + ACCS + 3, WORD(W_STRANGE));
        const sum best = value_of(own, m->coefs);
        count_add(s + ACCS + 4, WORD(W_MADE) > 0 && isfinite(sum_real(best)));
        for (uint k = 0; k < SEARCH_KINDS; k++) {
            if (!HAS(k)) continue;
            const bool works = WORD(W_SEARCH) == k && WORD(W_MADE) > 0; // its chain is not over
            const uint made = works ? WORD(W_MADE) - WORD(W_BEGAN) : 0;
            sum_add(s + SPENT + k, cost * (SEARCH_COUNT > 1 ? PART_REAL(q, R_SPENT + k) + made : (real)WORD(W_MADE)));
            sum_add(s + GAINS + k, GAINED(k) + (works ? fall(PART_REAL(q, R_LOW), sum_real(best)) : R(0.0)));
        }
    }
    group_sums(s, REPORT, tree);
    if (get_local_id(0) > 0) return;
    for (int a = 0; a < REPORT; a++) sums[(ulong)t * REPORT + a] = tree[a * GROUP];
}
