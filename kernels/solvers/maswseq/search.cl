// maswseq/search.cl: Solis-Wets local search. Comes after maswseq/maswseq.cl and lib/solis_wets.cl.
//
//   y = clamp(x + sign (b + d)),   d = rho N(0,1) per variable
//
// Solis and Wets (1981, doi:10.1287/moor.6.1.19). The opposite step has the same d. b is the stored bias times a power
// of two.
//
// maswseq_improve: makes count evaluations, numbered from `when` on, of the point under improvement.
//   launch: one group.

// The normal deviates of quad q. With KEEP local memory keeps them for the opposite step and for the accepted one. If
// registers kept them, half as many groups would fit on a multiprocessor.
#if KEEP
#define KEPT local float kept[DIM]
#define DEVIATES(again) \
    if (again) { \
        float normal[4]; \
        draw_normals(draw_words(q, 0, c.when, DRAW_STEP, key), normal); \
        QUAD(kept[i] = normal[k];) \
    }
#define DEVIATE kept[i]
#else
#define KEPT
#define DEVIATES(again) \
    float normal[4]; \
    draw_normals(draw_words(q, 0, c.when, DRAW_STEP, key), normal);
#define DEVIATE normal[k]
#endif

// Searches with steps of Solis and Wets.
kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void maswseq_improve(global real *x, global real *bias, global sum *acc, global uint *chain, global real *pace,
                     global uint *now, global real *work, const uint when, const uint count, const uint seed,
                     const uint run DATA_PARAMS)
{
    local real scratch[SCRATCH] __attribute__((aligned(128)));
    local sum tree[GROUP];
    CANDIDATE;
    KEPT;
    DATA_INIT;
    const uint2 key = (uint2)(seed, run);
    global real *row = ROW(x, POP), *stored = ROW(bias, now[0]);
    global uint *state = chain + now[0] * CHAIN;
    global real *p = pace + now[0] * 2;
    solis_wets c = { p[0], p[1], state[2], state[3], state[4], state[5] };
    sum held[ACCS];
    for (int a = 0; a < ACCS; a++) held[a] = acc[POP * ACCS + a];
    sum value = maswseq_value(held);
    uint strange = 0;
    bool known = false; // whether kept has the deviates of c.when
    barrier(CLK_LOCAL_MEM_FENCE);
    ROUNDS(t) {
        const real sign = c.pending ? R(-1.0) : R(1.0);
        const bool again = !c.pending || !known;
        if (!c.pending) c.when = t;
        EACH_QUAD({
            real from[4];
            real b[4];
            maswseq_get(row, q, from);
            maswseq_get(stored, q, b);
            DEVIATES(again)
            QUAD({
                const real dev = c.rho * (real)DEVIATE;
                const real shift = c.scale == 0 ? (real)0 : c.scale * b[k];
                y[i] = fmin(fmax(from[k] + sign * (shift + dev), BOX_LO), BOX_HI);
            })
        })
        known = true;
        barrier(Y_FENCE);
        sum s[ACCS];
        maswseq_sums((point){ y }, d, scratch, tree, s);
        const sum next = maswseq_value(s);
        if (!maswseq_finite(next)) strange++;
        const bool better = maswseq_better(next, value);
        if (better) {
            const bool forward = !c.pending;
            EACH_QUAD({
                real b[4];
                real to[4];
                maswseq_get(stored, q, b);
                DEVIATES(false)
                QUAD({
                    const real dev = c.rho * (real)DEVIATE;
                    const real shift = c.scale == 0 ? (real)0 : c.scale * b[k];
                    b[k] = forward ? R(0.2) * shift + R(0.4) * (dev + shift) : shift - R(0.4) * (dev + shift);
                    to[k] = y[i];
                })
                maswseq_put(stored, q, b);
                maswseq_put(row, q, to);
            })
            for (int a = 0; a < ACCS; a++) held[a] = s[a];
            value = next;
        }
        solis_wets_adapt(&c, better);
    }
    barrier(CLK_GLOBAL_MEM_FENCE);
    if (get_local_id(0) > 0) return;
    for (int a = 0; a < ACCS; a++) acc[POP * ACCS + a] = held[a];
    p[0] = c.rho;
    p[1] = c.scale;
    state[2] = c.good;
    state[3] = c.bad;
    state[4] = c.pending;
    state[5] = c.when;
    now[1] += strange;
}
