// graybox/batch.cl: several parts of one variable at a time, on processors. Comes after graybox/restarts.cl.
//
// The parts are in the innermost loops. Compilers turn these into vector code if there are no branches, and if numbers
// of several parts lie next to each other.

#if BATCH > 1

// Computes the sums s of the parts of those workers that work at y. In the place of others, and of parts without
// components, another part is computed again, so that the text of the problem reads no variable that has no value.
static inline __attribute__((always_inline)) void workers_evaluate(const worker *w, const bool *works,
                                                                   real y[BATCH][SPAN], data d, sum s[BATCH][SUMS])
{
    uint most = 0, some = 0, n[BATCH], of[BATCH]; // the numbers of components, and the part that is computed
    real at[BATCH][SPAN];
    for (uint b = 0; b < BATCH; b++) {
        for (int a = 0; a < SUMS; a++) s[b][a] = sum_zero();
        n[b] = works[b] ? w[b].q.comps_n : 0;
        some = n[b] > 0 ? b : some;
        most = max(most, n[b]);
    }
    if (most == 0) return;
    for (uint b = 0; b < BATCH; b++) {
        of[b] = n[b] > 0 ? b : some;
        at[b][0] = y[of[b]][0];
    }
    for (uint j = 0; j < most; j++) {
        uint k[BATCH];
        real terms[BATCH][ACCS];
        for (uint b = 0; b < BATCH; b++) { // parts with fewer components compute one again
            const part *q = &w[of[b]].q;
            k[b] = q->tile * TILE_COMPS + q->comps[min(j, q->comps_n - 1)];
        }
        for (uint b = 0; b < BATCH; b++) {
            const point x = part_point(&w[of[b]].q, at[b]);
            real term[ACCS];
            for (int a = 0; a < ACCS; a++) term[a] = 0;
            component(k[b], x, d, term);
            for (int a = 0; a < ACCS; a++) terms[b][a] = term[a];
        }
        for (uint b = 0; b < BATCH; b++)
            for (int a = 0; a < ACCS && j < n[b]; a++) sum_add(s[b] + a, terms[b][a]);
    }
}

#if SEARCHES == 1u << SEARCH_MTS

// What mts changes in its parts, see graybox/searches.cl.
typedef struct {
    sum value[BATCH], sums[BATCH][SUMS];
    real at[BATCH], step[BATCH];
    uint second[BATCH], sweeps[BATCH];
} batch;

// The chain of part b, between two sweeps or in the middle of one.
static chain batch_chain(const batch *a, uint b)
{
    const chain c = { .r = { a->step[b] }, .w = { 0, 0, a->second[b], a->sweeps[b] } };
    return c;
}

// Makes up to `rounds` evaluations of the parts that work, as worker_ask and worker_tell do, and returns their number.
// It ends before one after which a part would begin something else than the next step of mts.
static inline __attribute__((always_inline)) uint workers_step(const memory *m, worker *w, const bool *works,
                                                               const uint most, uint rounds, real y[BATCH][SPAN],
                                                               real here[BATCH][SPAN], data d)
{
    part one;
    one.n = 1;
    batch now, next;
    real before[BATCH];
    uint counts[BATCH], made = 0;
    for (uint b = 0; b < BATCH; b++) {
        if (works[b]) {
            if (w[b].search != SEARCH_MTS || w[b].made >= most) return 0;
            rounds = min(rounds, min(most - w[b].made, longest(SEARCH_MTS, 1, 0) - (w[b].made - w[b].began)));
        }
        counts[b] = works[b];
        before[b] = w[b].before;
        now.value[b] = w[b].value;
        for (int a = 0; a < SUMS; a++) now.sums[b][a] = w[b].now[a];
        now.at[b] = here[b][0];
        now.step[b] = w[b].c.r[0];
        now.second[b] = w[b].c.w[2];
        now.sweeps[b] = w[b].c.w[3];
    }
    for (; made < rounds; made++) {
        for (uint b = 0; b < BATCH; b++) {
            const chain c = batch_chain(&now, b);
            mts_ask(&one, &c, y[b], now.at + b);
        }
        sum s[BATCH][SUMS];
        workers_evaluate(w, works, y, d, s);
        uint ends = 0;
        for (uint b = 0; b < BATCH; b++) {
            chain c = batch_chain(&now, b);
            const sum v = value_of(s[b], m->coefs), was = now.value[b];
            const bool better = value_better(v, was);
            const bool lost = mts_lost(&one, &c, better, value_less_by(v, was), sum_real(was) - before[b]);
            real at = now.at[b];
            const uint told = mts_tell(&one, &c, y[b], &at, better);
            ends |= counts[b] & (!value_finite(v) | lost | told / OVER);
            next.value[b] = better ? v : was;
            for (int a = 0; a < SUMS; a++) next.sums[b][a] = better ? s[b][a] : now.sums[b][a];
            next.at[b] = at;
            next.step[b] = c.r[0];
            next.second[b] = c.w[2];
            next.sweeps[b] = c.w[3];
        }
        if (ends) break;
        now = next;
    }
    for (uint b = 0; b < BATCH; b++) {
        if (!works[b]) continue;
        w[b].made += made;
        w[b].value = now.value[b];
        for (int a = 0; a < SUMS; a++) w[b].now[a] = now.sums[b][a];
        here[b][0] = now.at[b];
        w[b].c.r[0] = now.step[b];
        w[b].c.w[2] = now.second[b];
        w[b].c.w[3] = now.sweeps[b];
    }
    return made;
}

#endif
#endif
