// graybox/cma.cl: local search inside parts that adapts the distribution of its steps (CMA).
// Comes after graybox/chains.cl, in place of graybox/search.cl.
//
//   y_k = mirrored(m + rho d_k),   d_k = M z_k,   z_k = N(0,1) per variable,   k < offspring
//
// When all offspring are evaluated, with sums over the better half of them and weights w:
//   m = m + rho Σ w d,   s = (1 - cs) s + √(e cs (2 - cs)) Σ w z,   1/e = Σ w²
//   M = M + c1/2 (M s s' - M) + cw/2 (Σ w d z' - M)
//   rho = rho exp(min(cs/ds (|s|/chi - 1), 1)), where exp(v) is computed as (1 + v/16)^16
//
// This is the MA-ES of Beyer and Sendhoff (2017, doi:10.1109/TEVC.2017.2680320), which is CMA-ES (Hansen and Ostermeier
// 2001, doi:10.1162/106365601750190398) without decompositions, with its constants and its bound of 1. The best y is
// stored in row POP.
//
// m and d ignore the box: outside of it, the function continues as its mirror image (reflection without adapting the
// step, one of the ways that Biedrzycki compares, 2020, doi:10.1016/j.swevo.2019.100627). If candidates were clamped to
// the bound instead, steps that lead out would be no worse than those along it, and would be learnt.
//
// A chain is over when the values of the better half of its offspring differ by at most CMA_EQUAL of their value, or
// when their best has not improved for many generations (Hansen 2009, doi:10.1145/1570256.1570333). The next chain of
// the part has twice the offspring, up to CMA_DOUBLINGS times, and begins with wide steps (IPOP, Auger and Hansen 2005,
// doi:10.1109/CEC.2005.1554902). The first chain has CMA_OFFSPRING, or twice as many, and so on, until they are at
// least half as many as the variables, as far as CMA_LEVELS allows.
//
// Layout: shape[(k*CMA_ROWS + r)*stride + v], for bias k and the variable on place v of the shard. The parts of a tile
// are placed one after the other. Rows r < PART_SPAN are the columns of M; then come CMA_MOST rows of z, CMA_MOST rows
// of d, and m. s is stored in place of the bias. pace has rho, the smallest of the best values of all generations, and
// the values of the offspring. In chain, word 2 is 1 if there is an M and 2 if the chain is over; word 3 is the number
// of offspring evaluated, word 4 the number of chains that the part had before, word 5 the number of generations
// without improvement.
//
// graybox_cma: makes count evaluations, numbered from `when` on, of row POP.
//   launch: groups (1, parts), GROUP items each.
// Defines: CMA_OFFSPRING, CMA_DOUBLINGS. There are CMA_LEVELS numbers of offspring, each twice the one before, with
// CMA_WEIGHTS (of the better half, the best first), CMA_STARTS (where the weights of a level begin) and
// CMA_EFFECTIVE (e).

#define CMA_MOST (CMA_OFFSPRING << (CMA_LEVELS - 1u))
#define CMA_ROWS (PART_SPAN + 2 * CMA_MOST + 1)
#define CMA_EQUAL (REAL_BITS == 64 ? R(1e-10) : R(1e-6))

constant real cma_weights[] = { CMA_WEIGHTS };
constant uint cma_starts[CMA_LEVELS] = { CMA_STARTS };
constant real cma_effective[CMA_LEVELS] = { CMA_EFFECTIVE };

// The place of the first variable of a part.
#if PARTS_PER_TILE > 0
#define CMA_PLACE(u) ((u) / PARTS_PER_TILE * TILE_VARS - lo + parts[PART_MAP + 2 * PART_USED + (u) % PARTS_PER_TILE])
#else
#define CMA_PLACE(u) (range.base - lo)
#endif

// The number of the box of which u is a mirror image, with the box mirrored at its bounds again and again.
static real cma_mirrored(real u)
{
    const real w = BOX_HI - BOX_LO, v = fabs(u - BOX_LO);
    return BOX_LO + (w - fabs(v - 2 * w * floor(v / (2 * w)) - w));
}

// Sets pick to the indices of the better half of the values f, the best first. Among equals the first one is better.
static inline __attribute__((always_inline)) void cma_rank(local const real *f, uint offspring, local uint *pick)
{
    for (uint k = get_local_id(0); k < offspring; k += GROUP) {
        uint rank = 0;
        for (uint j = 0; j < offspring; j++) rank += f[j] < f[k] || (f[j] == f[k] && j < k);
        if (rank < offspring / 2) pick[rank] = k;
    }
}

// Searches inside a part with steps whose distribution adapts (CMA).
kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void graybox_cma(PART_PARAMS, const uint when, const uint count, global real *shape DATA_PARAMS)
{
    local real scratch[SCRATCH] __attribute__((aligned(128)));
    local sum tree[GROUP];
    local real z[PART_SPAN];
    local real f[CMA_MOST];
    local uint pick[CMA_MOST / 2];
    PART_Y;
    DATA_INIT;
    const uint l = get_local_id(0);
    PART_HEAD
    const uint2 key = (uint2)(seed, run);
    const uint slot_of = now[4 * home + 1];
    global sum *mine = acc + (home * PART_POINTS + POP) * ACCS;
    global uint *chained = chain + (home * PART_ROWS + slot_of) * 6;
    global real *paced = pace + (home * PART_ROWS + slot_of) * PART_PACE;
    global real *at_x = x + stride * POP;
    global real *path = bias + stride * slot_of;
    global real *m = shape + stride * slot_of * CMA_ROWS + CMA_PLACE(u);
    global real *zs = m + stride * PART_SPAN;
    global real *ds = zs + stride * CMA_MOST;
    global real *mean = ds + stride * CMA_MOST;
    uint level = 0;
    while (level < CMA_LEVELS - 1u - CMA_DOUBLINGS && CMA_OFFSPRING << level < (range.n + 1) / 2) level++;
    level += min(chained[4], CMA_DOUBLINGS);
    const uint offspring = CMA_OFFSPRING << level, better = offspring / 2;
    constant const real *weights = cma_weights + cma_starts[level];
    const real n = (real)range.n, e = cma_effective[level];
    const real slow = (e + 2) / (e + n + 5);
    const real c1 = 2 / (sq(n + R(1.3)) + e);
    const real cw = fmin(1 - c1, 2 * (e - 2 + 1 / e) / (sq(n + 2) + e));
    const real damp = 1 + slow + 2 * fmax(R(0.0), sqrt((e - 1) / (n + 1)) - 1);
    const real chi = sqrt(n) * (1 - 1 / (4 * n) + 1 / (21 * n * n));
    const bool fresh = chained[2] == 0;
    bool over = chained[2] == 2;
    real rho = paced[0], least = paced[1];
    uint made = fresh ? 0 : chained[3], idle = chained[5], strange = 0;
    sum best[ACCS];
    for (int k = 0; k < ACCS; k++) best[k] = mine[k];
    sum value = graybox_value(best);
    for (uint k = l; k < offspring; k += GROUP) f[k] = paced[2 + k];
    // Apart from z, only the item of a variable writes the values of this variable.
    PART_SINGLE(range, {
        if (fresh) {
            path[i - lo] = 0;
            mean[v] = at_x[i - lo];
            for (uint j = 0; j < range.n; j++) m[stride * j + v] = j == v;
        }
    })
    barrier(CLK_LOCAL_MEM_FENCE);
    PART_ROUNDS(t) {
        PART_EACH(range, {
            PART_NORMALS(draw_words(q, 0, t, DRAW_STEP, key))
            PART_QUAD(range, z[v] = (real)PART_NORMAL;)
        })
        barrier(CLK_LOCAL_MEM_FENCE);
        PART_SINGLE(range, {
            real step = 0;
            for (uint j = 0; j < range.n; j++) step = fma(m[stride * j + v], z[j], step);
            zs[stride * made + v] = z[v];
            ds[stride * made + v] = step;
            y[v] = cma_mirrored(fma(rho, step, mean[v]));
        })
        barrier(PART_FENCE);
        sum s[ACCS];
        const point at = PART_POINT(u, 0);
        graybox_evaluate(u, &at, d, parts, scratch, tree, s);
        const sum next = graybox_value(s);
        if (!graybox_finite(next)) strange++;
        if (l == 0) f[made] = graybox_finite(next) ? graybox_real(next) : (real)INFINITY;
        if (graybox_better(next, value)) {
            PART_SINGLE(range, at_x[i - lo] = y[v];)
            for (int k = 0; k < ACCS; k++) best[k] = s[k];
            value = next;
        }
        const bool all = ++made == offspring;
        sum length = sum_zero();
        barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
        if (all) cma_rank(f, offspring, pick);
        barrier(CLK_LOCAL_MEM_FENCE);
        if (all) {
            made = 0;
            PART_SINGLE(range, {
                real to = 0;
                real way = 0;
                for (uint k = 0; k < better; k++) {
                    to = fma(weights[k], ds[stride * pick[k] + v], to);
                    way = fma(weights[k], zs[stride * pick[k] + v], way);
                }
                mean[v] = fma(rho, to, mean[v]);
                way = fma(1 - slow, path[i - lo], sqrt(e * slow * (2 - slow)) * way);
                path[i - lo] = way;
                z[v] = way;
                sum_add(&length, sq(way));
            })
        }
        group_sums(&length, 1, tree);
        if (all) {
            PART_SINGLE(range, {
                real turned = 0;
                for (uint j = 0; j < range.n; j++) turned = fma(m[stride * j + v], z[j], turned);
                turned *= c1 / 2;
                for (uint j = 0; j < range.n; j++)
                    m[stride * j + v] = fma(turned, z[j], (1 - (c1 + cw) / 2) * m[stride * j + v]);
                // eight offspring at a time, so that M is read and written less often
                for (uint from = 0; from < better; from += 8) {
                    real share[8];
                    global const real *other[8];
                    for (uint k = 0; k < 8; k++) {
                        const uint r = min(from + k, better - 1);
                        share[k] = from + k < better ? cw / 2 * weights[r] * ds[stride * pick[r] + v] : (real)0;
                        other[k] = zs + stride * pick[r];
                    }
                    for (uint j = 0; j < range.n; j++) {
                        real a = m[stride * j + v];
                        for (uint k = 0; k < 8; k++) a = fma(share[k], other[k][j], a);
                        m[stride * j + v] = a;
                    }
                }
            })
            real by = 1 + fmin(slow / damp * (sqrt(graybox_real(tree[0])) / chi - 1), R(1.0)) / 16; // at least 15/16
            for (int k = 0; k < 4; k++) by *= by;
            rho = fmin(rho * by, BOX_HI - BOX_LO);
            const real top = f[pick[0]];
            const real close = CMA_EQUAL * fabs(top);
            idle = top < least - close ? 0 : idle + 1;
            least = fmin(least, top);
            over = over || !(f[pick[better - 1]] - top > close) || idle > 120 + (uint)(30 * n / offspring);
        }
        barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    }
    if (l == 0) {
        for (int k = 0; k < ACCS; k++) mine[k] = best[k];
        paced[0] = rho;
        paced[1] = least;
        chained[2] = over ? 2 : 1;
        chained[3] = made;
        chained[5] = idle;
        now[4 * home + 2] += strange;
    }
    for (uint k = l; k < offspring; k += GROUP) paced[2 + k] = f[k];
}
