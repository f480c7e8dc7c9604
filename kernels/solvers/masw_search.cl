// masw_search.cl: start population, distances between individuals, accepted steps. Behind masw_move.cl.
// Go file: solvers/masw.go.
//
// masw_init: x_j,i uniform in the box.
//   launch: (stored variables, POP) items.
// masw_gap: part[(t - first)*POP + k] = Σ_i (x_f,i - x_k,i)² over the variables of tile t.
//   launch: groups (tiles, POP), GROUP items each.
// masw_apply: for the individuals accepted[0..]: x = y; b = 0.2 b + 0.4 (d + b) after a forward step,
//   b = b - 0.4 (d + b) after an opposite one.
//   launch: (stored variables, accepted) items.

kernel void masw_init(global real *x, const ulong stride, const uint lo, const uint seed, const uint run)
{
    const uint v = get_global_id(0), j = get_global_id(1);
    x[stride * j + v] = draw_in_box(lo + v, j, 0, DRAW_INIT, (uint2)(seed, run));
}

kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void masw_gap(global const real *x, const ulong stride, const uint lo, global sum *part, const uint first, const uint tile0, const uint f)
{
    local sum tree[GROUP];
    const uint t = tile0 + get_group_id(0), k = get_group_id(1);
    const uint from = min(t * TILE_VARS, DIM), to = t + 1 == TILES ? DIM : min(from + TILE_VARS, DIM);
    sum s = sum_zero();
    for (uint i = from + get_local_id(0); i < to; i += GROUP)
        sum_add(&s, sq(x[stride * f + (i - lo)] - x[stride * k + (i - lo)]));
    s = group_sum(s, tree);
    if (get_local_id(0) == 0) part[(ulong)(t - first) * POP + k] = s;
}

kernel void masw_apply(global real *x, global real *b, const ulong stride, const uint lo, const uint seed, const uint run,
                       global const uint *when, global const real *move, global const uint *accepted)
{
    const uint v = get_global_id(0), j = accepted[get_global_id(1)];
    const ulong at_v = stride * j + v;
    const real scale = move[3 * j + 1], sign = move[3 * j + 2];
    const real d = masw_deviation(lo + v, j, when[j], (uint2)(seed, run), move[3 * j]);
    const real bias = masw_bias(b, at_v, scale);
    x[at_v] = masw_moved(x[at_v], bias, d, sign);
    b[at_v] = sign > 0 ? R(0.2) * bias + R(0.4) * (d + bias) : bias - R(0.4) * (d + bias);
}
