// graybox/batch.cl: several parts of one variable at a time, on processors. Comes after graybox/episodes.cl.
//
// The parts are in the innermost loops. Compilers turn these into vector code if there are no branches, and if numbers
// of several parts lie next to each other.

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

// Makes up to `rounds` evaluations of all parts that work, as worker_ask and worker_tell do, and returns their number.
// It ends before one after which a part needs more than the next step of mts.
static inline __attribute__((always_inline)) uint workers_step(worker *w, const bool *works, const ulong *by,
                                                               const uint most, uint rounds, real y[BATCH][SPAN],
                                                               real here[BATCH][SPAN], data d)
{
#if SEARCHES == 1u << SEARCH_MTS
    part one;
    one.n = 1;
    real at[BATCH], step[BATCH], before[BATCH];
    sum value[BATCH], now[BATCH][SUMS];
    uint second[BATCH], sweeps[BATCH], counts[BATCH];
    for (uint b = 0; b < BATCH; b++) {
        if (works[b]) {
            if (w[b].search != SEARCH_MTS || w[b].made >= most) return 0;
            rounds = min(rounds, min(most - w[b].made, longest(SEARCH_MTS, 1, 0) - (w[b].made - w[b].began)));
        }
        counts[b] = works[b];
        at[b] = here[b][0];
        step[b] = w[b].c.r[0];
        before[b] = w[b].before;
        second[b] = w[b].c.w[2];
        sweeps[b] = w[b].c.w[3];
        value[b] = w[b].value;
        for (int a = 0; a < SUMS; a++) now[b][a] = w[b].now[a];
    }
    uint made = 0;
    for (; made < rounds; made++) {
        for (uint b = 0; b < BATCH; b++) {
            const chain c = { .r = { step[b] }, .w = { 0, 0, second[b], sweeps[b] } };
            mts_ask(&one, &c, y[b], at + b);
        }
        sum s[BATCH][SUMS];
        workers_evaluate(w, y, d, s);
        real at_next[BATCH], step_next[BATCH];
        uint second_next[BATCH], sweeps_next[BATCH], better[BATCH], ends = 0;
        for (uint b = 0; b < BATCH; b++) {
            const sum next = value_of(s[b], by);
            chain c = { .r = { step[b] }, .w = { 0, 0, second[b], sweeps[b] } };
            real p = at[b];
            better[b] = value_better(next, value[b]);
            ends |= counts[b] & (!value_finite(next) | mts_lost(&one, &c, better[b], value_less_by(next, value[b]),
                                                                sum_real(value[b]) - before[b]));
            ends |= counts[b] & mts_tell(&one, &c, y[b], &p, better[b]) / OVER;
            at_next[b] = p;
            step_next[b] = c.r[0];
            second_next[b] = c.w[2];
            sweeps_next[b] = c.w[3];
        }
        if (ends) break;
        for (uint b = 0; b < BATCH; b++) {
            at[b] = at_next[b];
            step[b] = step_next[b];
            second[b] = second_next[b];
            sweeps[b] = sweeps_next[b];
            value[b] = better[b] ? value_of(s[b], by) : value[b];
            for (int a = 0; a < SUMS; a++) now[b][a] = better[b] ? s[b][a] : now[b][a];
        }
    }
    for (uint b = 0; b < BATCH; b++) {
        if (!works[b]) continue;
        here[b][0] = at[b];
        w[b].c.r[0] = step[b];
        w[b].c.w[2] = second[b];
        w[b].c.w[3] = sweeps[b];
        w[b].value = value[b];
        for (int a = 0; a < SUMS; a++) w[b].now[a] = now[b][a];
        w[b].made += made;
    }
    return made;
#else
    return 0;
#endif
}

#endif
