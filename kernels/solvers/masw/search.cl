// masw/search.cl: start population, distances between individuals, and accepted steps. Comes after masw/move.cl.
//
// p = r*POP + j is the point of individual j of run r.
//
// masw_init: draws x_p,i uniformly in the box.
//   launch: (quads that the shard touches, points from p0 on) items, the first rounded up to groups.
// masw_gap: sums[((t - first)*individuals + p)*4 + c] = Σ_i (x_f,i - x_p,i)² over the variables of tile t; f is the
//   point chosen[4r + c] of the same run r.
//   launch: groups (individuals, tiles), GROUP items each.
// masw_apply: for the points chosen[e0..], x = y, and b = 0.2 b + 0.4 (d + b) after a forward step or
//   b = b - 0.4 (d + b) after an opposite one.
//   launch: groups (4*GROUP variables each, from a multiple of four on; chosen points from e0 on), GROUP items each.

// Draws the individuals of the start population uniformly in the box.
kernel void masw_init(global real *x, const ulong stride, const uint lo, const uint vars, const uint p0,
                      const uint seed, const uint run)
{
    const uint p = p0 + get_global_id(1), q = (lo >> 2) + get_global_id(0);
    const uint4 words = draw_words(q, p % POP, 0, DRAW_INIT, (uint2)(seed, run + p / POP));
    for (uint u = 0; u < 4; u++) {
        const uint i = 4 * q + u;
        if (i >= lo && i < lo + vars)
            x[stride * p + (i - lo)] = fma(draw_uniform(draw_pick(words, u)), BOX_HI - BOX_LO, BOX_LO);
    }
}

// Sums squared distances of each individual to four others over the variables of a tile.
kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void masw_gap(global const real *x, const ulong stride, const uint lo, global sum *sums, const uint first,
              const uint tile0, const uint individuals, global const uint *chosen)
{
    local sum tree[4 * GROUP];
    const uint t = tile0 + get_group_id(1), p = get_group_id(0);
    const ulong f0 = chosen[p / POP * 4], f1 = chosen[p / POP * 4 + 1], f2 = chosen[p / POP * 4 + 2],
                f3 = chosen[p / POP * 4 + 3];
    const uint from = min(t * TILE_VARS, DIM), to = t + 1 == TILES ? DIM : min(from + TILE_VARS, DIM);
    sum s[4] = { sum_zero(), sum_zero(), sum_zero(), sum_zero() };
    for (uint i = from + get_local_id(0); i < to; i += GROUP) {
        global const real *v = x + (i - lo);
        const real own = v[stride * p];
        sum_add(s, sq(v[stride * f0] - own));
        sum_add(s + 1, sq(v[stride * f1] - own));
        sum_add(s + 2, sq(v[stride * f2] - own));
        sum_add(s + 3, sq(v[stride * f3] - own));
    }
    group_sums(s, 4, tree);
    if (get_local_id(0) < 4)
        sums[((ulong)(t - first) * individuals + p) * 4 + get_local_id(0)] = tree[get_local_id(0) * GROUP];
}

// Updates a variable *x and its bias *b after the step with deviation d was accepted.
static void masw_accept(global real *x, global real *b, real value, real bias, real d, real sign)
{
    *x = masw_moved(value, bias, d, sign);
    *b = sign > 0 ? R(0.2) * bias + R(0.4) * (d + bias) : bias - R(0.4) * (d + bias);
}

#if WIDE
// The same for 32 variables.
static void masw_accept_eights(global real *x, global real *b, real scale, const real8 *d, real sign)
{
    for (uint k = 0; k < 4; k++) {
        const real8 bias = masw_bias_eight(b + 8 * k, scale);
        vstore8(masw_moved_eight(vload8(k, x), bias, d[k], sign), k, x);
        vstore8(sign > 0 ? R(0.2) * bias + R(0.4) * (d[k] + bias) : bias - R(0.4) * (d[k] + bias), k, b);
    }
}
#endif

// Makes the accepted steps of local search and adapts their biases. An item draws the deviates of a quad and shares
// them through local memory, so that neighbouring items write neighbouring variables.
kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void masw_apply(global real *x, global real *b, const ulong stride, const uint lo, const uint vars, const uint e0,
                const uint seed, const uint run, global const uint *when, global const real *move,
                global const uint *chosen)
{
    const uint l = get_local_id(0), p = chosen[e0 + get_group_id(1)], j = p % POP;
    const uint first = (lo & ~3u) + 4 * GROUP * get_group_id(0), end = lo + vars;
    const uint2 key = (uint2)(seed, run + p / POP);
    const real rho = move[3 * p], scale = move[3 * p + 1], sign = move[3 * p + 2];
    x += stride * p;
    b += stride * p;
#if WIDE
    // An item makes 32 neighbours.
    const uint from = first + 32 * l;
    if (l >= GROUP / 8 || from >= end) return;
    if (from >= lo && from + 32 <= end) {
        const uint v = from - lo;
        real8 e[4];
        masw_deviations(from, j, when[p], key, rho, e);
        masw_accept_eights(x + v, b + v, scale, e, sign);
        return;
    }
    for (uint i = max(from, lo); i < min(from + 32, end); i++)
        masw_accept(x + (i - lo), b + (i - lo), x[i - lo], masw_bias(b, i - lo, scale),
                    masw_deviation(i, j, when[p], key, rho), sign);
#else
    local float4 deviates[GROUP];
    real value[4], bias[4];
#pragma unroll
    for (uint u = 0; u < 4; u++) {
        const uint i = first + u * GROUP + l;
        const bool in = i >= lo && i < end;
        value[u] = in ? x[i - lo] : R(0.0);
        bias[u] = in ? masw_bias(b, i - lo, scale) : R(0.0);
    }
    float d[4];
    draw_normals(draw_words((first >> 2) + l, j, when[p], DRAW_STEP, key), d);
    deviates[l] = (float4)(d[0], d[1], d[2], d[3]);
    barrier(CLK_LOCAL_MEM_FENCE);
    local const float *deviate = (local const float *)deviates;
#pragma unroll
    for (uint u = 0; u < 4; u++) {
        const uint i = first + u * GROUP + l;
        if (i >= lo && i < end)
            masw_accept(x + (i - lo), b + (i - lo), value[u], bias[u], rho * (real)deviate[u * GROUP + l], sign);
    }
#endif
}
