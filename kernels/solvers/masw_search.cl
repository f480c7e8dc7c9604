// masw_search.cl: start population, distances between individuals, accepted steps. Behind masw_move.cl.
// Go file: solvers/masw.go.
//
// masw_init: x_j,i uniform in the box.
//   launch: (blocks of four variables that the shard touches, individuals from j0 on) items, the first rounded up to groups.
// masw_gap: part[((t - first)*POP + k)*4 + c] = Σ_i (x_f,i - x_k,i)² over the variables of tile t, f the c-th of f0 to f3.
//   launch: groups (POP, tiles), GROUP items each.
// masw_apply: for the individuals accepted[0..]: x = y; b = 0.2 b + 0.4 (d + b) after a forward step,
//   b = b - 0.4 (d + b) after an opposite one.
//   launch: (stored variables, accepted from e0 on) items, the first rounded up to groups.

kernel void masw_init(global real *x, const ulong stride, const uint lo, const uint vars, const uint j0, const uint seed, const uint run)
{
    const uint j = j0 + get_global_id(1), q = (lo >> 2) + get_global_id(0);
    const uint4 words = draw_words(q, j, 0, DRAW_INIT, (uint2)(seed, run));
    for (uint u = 0; u < 4; u++) {
        const uint i = 4 * q + u;
        if (i >= lo && i < lo + vars) x[stride * j + (i - lo)] = fma(draw_uniform(draw_pick(words, u)), BOX_HI - BOX_LO, BOX_LO);
    }
}

kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void masw_gap(global const real *x, const ulong stride, const uint lo, global sum *part, const uint first, const uint tile0,
              const uint f0, const uint f1, const uint f2, const uint f3)
{
    local sum tree[4 * GROUP];
    const uint t = tile0 + get_group_id(1), k = get_group_id(0);
    const uint from = min(t * TILE_VARS, DIM), to = t + 1 == TILES ? DIM : min(from + TILE_VARS, DIM);
    sum s[4] = { sum_zero(), sum_zero(), sum_zero(), sum_zero() };
    for (uint i = from + get_local_id(0); i < to; i += GROUP) {
        global const real *v = x + (i - lo);
        const real own = v[stride * k];
        sum_add(s, sq(v[stride * f0] - own));
        sum_add(s + 1, sq(v[stride * f1] - own));
        sum_add(s + 2, sq(v[stride * f2] - own));
        sum_add(s + 3, sq(v[stride * f3] - own));
    }
    group_sums(s, 4, tree);
    if (get_local_id(0) < 4) part[((ulong)(t - first) * POP + k) * 4 + get_local_id(0)] = tree[get_local_id(0) * GROUP];
}

// One variable an item: neighbours in memory are neighbours in a launch, which
// is worth more here than sharing the words of a draw (1.9 against 0.9 ms for
// 1e8 variables on an H200).
kernel void masw_apply(global real *x, global real *b, const ulong stride, const uint lo, const uint vars, const uint e0, const uint seed, const uint run,
                       global const uint *when, global const real *move, global const uint *accepted)
{
    const uint v = get_global_id(0), j = accepted[e0 + get_global_id(1)];
    if (v >= vars) return;
    const ulong at_v = stride * j + v;
    const real scale = move[3 * j + 1], sign = move[3 * j + 2];
#if WIDE
    // One of 32 items does it for all of them.
    if (lo % 4 == 0 && v / 32 * 32 + 32 <= vars) {
        if (v % 32 > 0) return;
        real8 e[4];
        masw_deviations(lo + v, j, when[j], (uint2)(seed, run), move[3 * j], e);
        for (uint k = 0; k < 4; k++) {
            const real8 bias = masw_bias_eight(b + at_v + 8 * k, scale);
            vstore8(masw_moved_eight(vload8(k, x + at_v), bias, e[k], sign), k, x + at_v);
            vstore8(sign > 0 ? R(0.2) * bias + R(0.4) * (e[k] + bias) : bias - R(0.4) * (e[k] + bias), k, b + at_v);
        }
        return;
    }
#endif
    const real d = masw_deviation(lo + v, j, when[j], (uint2)(seed, run), move[3 * j]);
    const real bias = masw_bias(b, at_v, scale);
    x[at_v] = masw_moved(x[at_v], bias, d, sign);
    b[at_v] = sign > 0 ? R(0.2) * bias + R(0.4) * (d + bias) : bias - R(0.4) * (d + bias);
}
