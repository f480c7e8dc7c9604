// graybox/graybox.cl: works on the parts. Comes after graybox/batch.cl.
//
// graybox_run: makes up to `quota` evaluations of every part that is not at rest and has made less than `most`, of
//   the `count` parts of a tile from part `first` on. begins: the first launch of a turn.
//   launch: one group for `each` of all `parts` parts, from tile `from` of the shard on; each is 1 where LANES > 1, and
//   at most MOST_EACH. With one item a part, the items of a group share those of its parts that do not rest.

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
#if BATCH > 1 && SEARCHES == 1u << SEARCH_MTS
            t += workers_step(w, works, by, most, quota - t, y, here, d);
            if (t == quota) break;
#endif
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
