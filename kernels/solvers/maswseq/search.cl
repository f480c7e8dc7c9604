// maswseq/search.cl: Solis-Wets local search. Comes after maswseq/maswseq.cl and lib/solis_wets.cl.
//
//   y = clamp(x + sign (b + d)),   d = rho N(0,1) per variable
//
// Solis and Wets (1981, doi:10.1287/moor.6.1.19). The opposite step has the same d. b is the stored bias times a power
// of two.
//
// maswseq_improve: makes count evaluations, numbered from `when` on, of the point under improvement.
//   launch: one group.

// Sets v to the normal deviates of quad q. With KEEP local memory keeps them for the opposite step and for the accepted
// one, until they are drawn again. If registers kept them, half as many groups would fit on a multiprocessor.
static inline __attribute__((always_inline)) void maswseq_deviates(local float *kept, uint q, bool again, uint when,
                                                                   uint2 key, float *v)
{
#if KEEP
    if (again) {
        float normal[4];
        draw_normals(draw_words(q, 0, when, DRAW_STEP, key), normal);
#pragma unroll
        for (uint k = 0; k < 4; k++)
            if (4 * q + k < DIM) kept[4 * q + k] = normal[k];
    }
#pragma unroll
    for (uint k = 0; k < 4; k++) v[k] = 4 * q + k < DIM ? kept[4 * q + k] : 0.0f;
#else
    draw_normals(draw_words(q, 0, when, DRAW_STEP, key), v);
#endif
}

// Searches with steps of Solis and Wets.
kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void maswseq_improve(global real *x, global real *bias, global sum *acc, global uint *chain, global real *pace,
                     global uint *now, global real *work, const uint when, const uint count, const uint seed,
                     const uint run DATA_PARAMS)
{
    local real scratch[SCRATCH] __attribute__((aligned(128)));
    local sum tree[GROUP];
    CANDIDATE;
#if KEEP
    local float kept[DIM];
#else
    local float *kept = 0;
#endif
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
    uint t = when; // the number of the round
#if !ONE_ROUND
    for (; t < when + count; t++)
#endif
    {
        const real sign = c.pending ? R(-1.0) : R(1.0);
        const bool again = !c.pending || !known;
        if (!c.pending) c.when = t;
#pragma unroll 1
        for (uint first = 0; first < POINT_QUADS; first += GROUP) {
            const uint q = first + get_local_id(0);
            if (q < POINT_QUADS) {
                real from[4], b[4];
                float normal[4];
                maswseq_get(row, q, from);
                maswseq_get(stored, q, b);
                maswseq_deviates(kept, q, again, c.when, key, normal);
#pragma unroll
                for (uint k = 0; k < 4; k++) {
                    const real dev = c.rho * (real)normal[k];
                    const real shift = c.scale == 0 ? (real)0 : c.scale * b[k];
                    if (4 * q + k < DIM) y[4 * q + k] = fmin(fmax(from[k] + sign * (shift + dev), BOX_LO), BOX_HI);
                }
            }
        }
        known = true;
        barrier(Y_FENCE);
        sum s[ACCS];
        maswseq_sums((point){ y }, d, scratch, tree, s);
        const sum next = maswseq_value(s);
        if (!maswseq_finite(next)) strange++;
        const bool better = maswseq_better(next, value);
        if (better) {
            const bool forward = !c.pending;
#pragma unroll 1
            for (uint first = 0; first < POINT_QUADS; first += GROUP) {
                const uint q = first + get_local_id(0);
                if (q < POINT_QUADS) {
                    real b[4], to[4];
                    float normal[4];
                    maswseq_get(stored, q, b);
                    maswseq_deviates(kept, q, false, c.when, key, normal);
#pragma unroll
                    for (uint k = 0; k < 4; k++) {
                        const real dev = c.rho * (real)normal[k];
                        const real shift = c.scale == 0 ? (real)0 : c.scale * b[k];
                        b[k] = forward ? R(0.2) * shift + R(0.4) * (dev + shift) : shift - R(0.4) * (dev + shift);
                        to[k] = 4 * q + k < DIM ? y[4 * q + k] : R(0.0);
                    }
                    maswseq_put(stored, q, b);
                    maswseq_put(row, q, to);
                }
            }
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
