// graybox/search.cl: Solis-Wets local search inside parts. Comes after graybox/chains.cl.
//
//   y = clamp(x + sign (b + d)),   d = rho N(0,1) per variable
//
// Solis and Wets (1981, doi:10.1287/moor.6.1.19). The opposite step has the same d. b is the stored bias times a power
// of two.
//
// graybox_improve: makes count evaluations, numbered from `when` on, of row POP (with chains) or of every individual
//   (PART_SYNC).
//   launch: groups (⌈rows/POINTS⌉, parts), GROUP items each.

// The state of one row under improvement. All items have the same.
typedef struct {
    uint row, slot, who; // row of x, of bias, and who draws
    bool copy;           // the last row once more, to fill the group; it writes nothing
    real rho, scale;     // d = rho N(0,1); the bias is scale times what is stored
    uint good, bad, pending, drawn, strange;
    sum acc[ACCS], value;
} graybox_climber;

// Adapts a climber after a step. The step was better, or it failed and its opposite comes next, or both have failed.
static void graybox_adapt(graybox_climber *c, bool better)
{
    if (better) {
        c->scale = 1;
        c->good++;
        c->bad = 0;
        c->pending = 0;
    } else if (!c->pending) {
        c->pending = 1;
    } else {
        c->scale *= R(0.5);
        c->bad++;
        c->good = 0;
        c->pending = 0;
    }
    // One of the counters may have reached its limit, but only if it has just changed.
    if (c->good >= 5) {
        c->good = 0;
        c->rho *= 2;
    } else if (c->bad >= 3) {
        c->bad = 0;
        c->rho *= R(0.5);
    }
}

// The deviates of the variables of an item, in a PART_EACH of climber k. With PART_KEEP local memory keeps them for
// the opposite step and for the accepted one. If registers kept them, half as many groups would fit on a
// multiprocessor.
#if PART_KEEP
#define SEARCH_KEPT local float kept[POINTS * PART_SPAN]
#define SEARCH_DRAW(k, again) \
    if (again) { \
        PART_NORMALS(draw_words(q, c[k].who, c[k].drawn, DRAW_STEP, key)) \
        PART_QUAD(range, kept[(k) * PART_SPAN + v] = PART_NORMAL;) \
    }
#define SEARCH_NORMAL(k) kept[(k) * PART_SPAN + v]
#else
#define SEARCH_KEPT
#define SEARCH_DRAW(k, again) PART_NORMALS(draw_words(q, c[k].who, c[k].drawn, DRAW_STEP, key))
#define SEARCH_NORMAL(k) PART_NORMAL
#endif

// Searches inside a part with steps of Solis and Wets.
kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void graybox_improve(PART_PARAMS, const uint when, const uint count DATA_PARAMS)
{
    local real scratch[SCRATCH] __attribute__((aligned(128)));
    local sum tree[POINTS * GROUP];
    PART_Y;
    SEARCH_KEPT;
    DATA_INIT;
    const uint l = get_local_id(0);
    PART_HEAD
    const uint2 key = (uint2)(seed, run);
    graybox_climber c[POINTS];
#pragma unroll
    for (uint k = 0; k < POINTS; k++) {
#if PART_SYNC
        c[k].row = c[k].slot = c[k].who = min((uint)get_group_id(0) * POINTS + k, POP - 1u);
        c[k].copy = get_group_id(0) * POINTS + k >= POP;
#else
        c[k].row = POP;
        c[k].slot = now[4 * home + 1];
        c[k].who = 0;
        c[k].copy = false;
#endif
        global const sum *mine = acc + (home * PART_POINTS + c[k].row) * ACCS;
        global const uint *s = chain + (home * PART_ROWS + c[k].slot) * 6;
        global const real *p = pace + (home * PART_ROWS + c[k].slot) * PART_PACE;
        c[k].rho = p[0];
        c[k].scale = p[1];
        c[k].good = s[2];
        c[k].bad = s[3];
        c[k].pending = s[4];
        c[k].drawn = s[5];
        c[k].strange = 0;
        for (int a = 0; a < ACCS; a++) c[k].acc[a] = mine[a];
        c[k].value = graybox_value(c[k].acc);
    }
    bool known = false; // whether kept has the deviates of c.drawn
    barrier(CLK_LOCAL_MEM_FENCE);
    PART_ROUNDS(t) {
#pragma unroll
        for (uint k = 0; k < POINTS; k++) {
            const real sign = c[k].pending ? R(-1.0) : R(1.0);
            const bool again = !c[k].pending || !known;
            if (!c[k].pending) c[k].drawn = t;
            PART_EACH(range, {
                PART_GET(at, x + stride * c[k].row)
                PART_GET(bias, bias + stride * c[k].slot)
                SEARCH_DRAW(k, again)
                PART_QUAD(range, {
                    const real dev = c[k].rho * (real)SEARCH_NORMAL(k);
                    const real b = c[k].scale == 0 ? (real)0 : c[k].scale * PART_GOT(bias);
                    y[k * PART_SPAN + v] = fmin(fmax(PART_GOT(at) + sign * (b + dev), BOX_LO), BOX_HI);
                })
            })
        }
        known = true;
        barrier(PART_FENCE);
        sum s[POINTS * ACCS];
        point at[POINTS];
        for (uint k = 0; k < POINTS; k++) at[k] = PART_POINT(u, k);
        graybox_evaluate(u, at, d, parts, scratch, tree, s);
#pragma unroll
        for (uint k = 0; k < POINTS; k++) {
            const sum next = graybox_value(s + k * ACCS);
            if (!graybox_finite(next)) c[k].strange++;
            const bool better = graybox_better(next, c[k].value);
            if (better && !c[k].copy) {
                const bool forward = !c[k].pending;
                PART_EACH(range, {
                    PART_GET(bias, bias + stride * c[k].slot)
                    PART_NEW(to)
                    SEARCH_DRAW(k, false)
                    PART_QUAD(range, {
                        const real dev = c[k].rho * (real)SEARCH_NORMAL(k);
                        const real b = c[k].scale == 0 ? (real)0 : c[k].scale * PART_GOT(bias);
                        PART_GOT(bias) = forward ? R(0.2) * b + R(0.4) * (dev + b) : b - R(0.4) * (dev + b);
                        PART_GOT(to) = y[k * PART_SPAN + v];
                    })
                    PART_PUT(bias, bias + stride * c[k].slot)
                    PART_PUT(to, x + stride * c[k].row)
                })
            }
            if (better) {
                for (int a = 0; a < ACCS; a++) c[k].acc[a] = s[k * ACCS + a];
                c[k].value = next;
            }
            graybox_adapt(c + k, better);
        }
    }
    barrier(CLK_GLOBAL_MEM_FENCE);
    if (l > 0) return;
#pragma unroll
    for (uint k = 0; k < POINTS; k++) {
        if (c[k].copy) break;
        global sum *mine = acc + (home * PART_POINTS + c[k].row) * ACCS;
        global uint *s = chain + (home * PART_ROWS + c[k].slot) * 6;
        global real *p = pace + (home * PART_ROWS + c[k].slot) * PART_PACE;
        for (int a = 0; a < ACCS; a++) mine[a] = c[k].acc[a];
        p[0] = c[k].rho;
        p[1] = c[k].scale;
        s[2] = c[k].good;
        s[3] = c[k].bad;
        s[4] = c[k].pending;
        s[5] = c[k].drawn;
#if PART_SYNC
        if (c[k].strange) atomic_add(now + 4 * home + 2, c[k].strange);
#else
        now[4 * home + 2] += c[k].strange;
#endif
    }
}
