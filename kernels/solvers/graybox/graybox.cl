// graybox/graybox.cl: works on the parts. Comes after graybox/batch.cl.
//
// The structs graybox_range and graybox_turn are in solvers/graybox/engine.go.
//
// graybox_run: makes up to `quota` evaluations of every part of a range that is not at rest and has made less than
//   `most`. begins: the first launch of a turn.
//   launch: one group for `each` parts of the range; each is 1 where LANES > 1, and at most MOST_EACH. With one item a
//   part, the items of a group share those of its parts that do not rest.

// Part number k of a range.
static part range_part(const memory *m, const graybox_range *r, uint k, data d)
{
    return part_of(m, (r->from + k / r->count) * m->layout.per_tile + r->first + k % r->count, d);
}

#if LANES > 1

// Lets the group work on its part.
static inline __attribute__((always_inline)) void group_works(const memory *m, const graybox_range *range,
                                                              const graybox_turn *turn, const desk *on, data d)
{
    worker w;
    w.q = range_part(m, range, get_group_id(0), d);
    if (!wakes(m, &w.q, turn->most, turn->patience)) return;
    worker_read(m, &w, on->here);
#if OPEN
    if (turn->begins) worker_refresh(m, &w, on, d);
#endif
    PART_BARRIER
    for (uint t = 0; t < turn->quota && w.made < turn->most; t++) {
        if (!worker_ask(m, &w, turn, on)) break;
        PART_BARRIER
        sum s[SUMS];
        part_evaluate(&w.q, on->y, d, on->scratch, on->tree, s);
        worker_tell(m, &w, turn, on, s);
    }
    worker_write(m, &w, on->here);
}

#else

// Lists the parts of the group that do not rest.
static inline __attribute__((always_inline)) void list_awake(const memory *m, const graybox_range *range,
                                                             const graybox_turn *turn, local uint *list,
                                                             local uint *listed, data d)
{
    const uint lane = get_local_id(0), begin = get_group_id(0) * range->each;
    const uint end = min(begin + range->each, range->parts);
    if (lane == 0) *listed = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint k = begin + lane; k < end; k += GROUP) {
        const part q = range_part(m, range, k, d);
        if (wakes(m, &q, turn->most, turn->patience)) list[atomic_inc(listed)] = q.column;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
}

// Lets an item work on those of the n listed parts that begin with the first one of list, BATCH at a time.
static inline __attribute__((always_inline)) void item_works(const memory *m, const graybox_turn *turn,
                                                             local const uint *list, uint n, const desk *on, data d)
{
    real y[BATCH][SPAN], here[BATCH][SPAN];
#if HAS(SEARCH_CMA)
    real z[8 * SPAN] __attribute__((aligned(64)));
#else
    real *z = 0;
#endif
    worker w[BATCH];
    bool works[BATCH];
    for (uint b = 0; b < BATCH; b++) {
        works[b] = b < n;
        w[b].q = part_of(m, list[min(b, n - 1)], d);
        worker_read(m, w + b, here[b]);
#if OPEN
        const desk own = { y[b], here[b], z, on->scratch, on->tree };
        if (turn->begins && works[b]) worker_refresh(m, w + b, &own, d);
#endif
    }
    for (uint t = 0; t < turn->quota; t++) {
#if BATCH > 1 && SEARCHES == 1u << SEARCH_MTS
        t += workers_step(m, w, works, turn->most, turn->quota - t, y, here, d);
        if (t == turn->quota) break;
#endif
        bool any = false;
        for (uint b = 0; b < BATCH; b++) {
            const desk own = { y[b], here[b], z, on->scratch, on->tree };
            works[b] = works[b] && w[b].made < turn->most && worker_ask(m, w + b, turn, &own);
            any = any || works[b];
        }
        if (!any) break;
        sum s[BATCH][SUMS];
#if BATCH > 1
        workers_evaluate(w, works, y, d, s);
#else
        part_evaluate(&w[0].q, y[0], d, on->scratch, on->tree, s[0]);
#endif
        for (uint b = 0; b < BATCH; b++) {
            const desk own = { y[b], here[b], z, on->scratch, on->tree };
            if (works[b]) worker_tell(m, w + b, turn, &own, s[b]);
        }
    }
    for (uint b = 0; b < BATCH && b < n; b++) worker_write(m, w + b, here[b]);
}

#endif

// Makes evaluations of every part.
kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void graybox_run(MEMORY_PARAMS, const graybox_range range, const graybox_turn turn DATA_PARAMS)
{
    local sum tree[LANES > 1 ? GROUP : 1];
#if PART_TOGETHER
    local real scratch[SCRATCH] __attribute__((aligned(128)));
#else
    local real scratch[1];
#endif
    DATA_INIT;
    MEMORY;
#if LANES > 1
    local real y[SPAN], here[SPAN];
#if HAS(SEARCH_CMA)
    local real z[8 * SPAN] __attribute__((aligned(64)));
    const desk on = { y, here, z, scratch, tree };
#else
    const desk on = { y, here, 0, scratch, tree };
#endif
    group_works(m, &range, &turn, &on, d);
#else
    local uint list[MOST_EACH], listed; // parts that do not rest
    const desk on = { 0, 0, 0, scratch, tree };
    list_awake(m, &range, &turn, list, &listed, d);
    for (uint k = get_local_id(0) * BATCH; k < listed; k += GROUP * BATCH)
        item_works(m, &turn, list + k, listed - k, &on, d);
#endif
}
