// lbfgs/lbfgs.cl: the vectors of L-BFGS on one large point. Comes after lib/touch.cl.
//
// Layout of a shard: x[i - lo] and y[i - lo] are variable i of the point and of the next point; they have the
// variables of the shard and those before and after them that its components read. The other vectors have the
// variables from `own` on, `stride` of them in a row: gradient[i - own], direction[i - own], best[i - own],
// current[i - own], and pairs[r*stride + i - own], where row r < PAIR_ROWS is a change s of the point and row
// PAIR_ROWS + r the change of the gradient that belongs to it. x and y have `skip` variables before the first of the
// other vectors.
//
// Defines: PAIR_ROWS.

#define DOTS 5
#define DOT_SUMS (DOTS * PAIR_ROWS + 1)

// Sets variables first to first + count - 1 of a uniform point of the box.
kernel void lbfgs_uniform(global real *x, const uint lo, const uint first, const uint count, const uint descent,
                          const uint seed, const uint run DATA_PARAMS)
{
    const uint i = first + get_global_id(0);
    if (get_global_id(0) >= count) return;
    DATA_INIT;
    const real a = box_lower(i, d), b = box_upper(i, d);
    const real u = draw_uniform(draw_word(i, 0, descent, DRAW_INIT, (uint2)(seed, run)));
    x[i - lo] = fmin(fmax(fma(u, b - a, a), a), b);
}

// Sets the point to the current minimum, of which variable `one` and a share of the others are drawn again. A variable
// stays within `reach` times the width of its interval.
kernel void lbfgs_kick(global real *x, const uint skip, global const real *current, const uint own, const uint count,
                       const real share, const real reach, const uint one, const uint descent, const uint seed,
                       const uint run DATA_PARAMS)
{
    const uint v = get_global_id(0), i = own + v;
    if (v >= count) return;
    DATA_INIT;
    const uint4 w = draw_words(i, 0, descent, DRAW_KICK, (uint2)(seed, run));
    real b = current[v];
    if (i == one || draw_uniform(w.x) < share) {
        const real lo = box_lower(i, d), hi = box_upper(i, d), width = reach * (hi - lo);
        const real from = fmax(lo, b - width), to = fmin(hi, b + width);
        b = fmin(fmax(fma(draw_fine(w.y, w.z), to - from, from), lo), hi);
    }
    x[skip + v] = b;
}

// Sets a vector to 0.
kernel void lbfgs_clear(global real *vector, const ulong elements)
{
    const ulong e = get_global_id(0);
    if (e < elements) vector[e] = R(0.0);
}

// Sets the gradient to what was left in `direction`, and row PAIR_ROWS + pair to the change.
kernel void lbfgs_gradient(global real *gradient, global const real *direction, global real *pairs, const ulong stride,
                           const uint pair, const uint count)
{
    const uint v = get_global_id(0);
    if (v >= count) return;
    const real g = direction[v];
    pairs[stride * (PAIR_ROWS + pair) + v] = g - gradient[v];
    gradient[v] = g;
}

// Whether variable i, which is v, is at a bound and its derivative g leads out of the box.
static bool lbfgs_stuck(real v, real g, uint i, data d)
{
    return (v <= box_lower(i, d) && g > 0) || (v >= box_upper(i, d) && g < 0);
}

// The range of the variables of a tile.
static uint lbfgs_from(uint tile, data d) { return min(tile * TILE_VARS, DIM); }
static uint lbfgs_to(uint tile, data d) { return tile + 1 == TILES ? DIM : min((tile + 1) * TILE_VARS, DIM); }

// Adds the products of pairs of vectors over the variables of a tile.
// In row t - first of sums, number DOTS*r + c, r < PAIR_ROWS, c < DOTS, is s·y_p, y·s_p, y·y_p, s·g or y·g for pair r,
// where p is the newest pair, and g is the gradient without the variables that are stuck. The last number is g·g.
//   launch: groups (PAIR_ROWS + 1, tiles) of GROUP items.
kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void lbfgs_dots(global const real *x, const uint lo, global const real *gradient, global const real *pairs,
                const ulong stride, const uint own, global sum *sums, const uint first, const uint tile0,
                const uint pair DATA_PARAMS)
{
    local sum tree[DOTS * GROUP];
    DATA_INIT;
    const uint r = get_group_id(0), tile = tile0 + get_group_id(1), to = lbfgs_to(tile, d);
    sum dot[DOTS];
    for (int c = 0; c < DOTS; c++) dot[c] = sum_zero();
    for (uint i = lbfgs_from(tile, d) + get_local_id(0); i < to; i += GROUP) {
        const uint v = i - own;
        const real g = lbfgs_stuck(x[i - lo], gradient[v], i, d) ? R(0.0) : gradient[v];
        if (r == PAIR_ROWS) {
            sum_add(dot, g * g);
        } else {
            const real s = pairs[stride * r + v], y = pairs[stride * (PAIR_ROWS + r) + v];
            const real sp = pairs[stride * pair + v], yp = pairs[stride * (PAIR_ROWS + pair) + v];
            sum_add(dot, s * yp);
            sum_add(dot + 1, y * sp);
            sum_add(dot + 2, y * yp);
            sum_add(dot + 3, s * g);
            sum_add(dot + 4, y * g);
        }
    }
    group_sums(dot, DOTS, tree);
    const uint c = get_local_id(0), here = r == PAIR_ROWS ? 1 : DOTS;
    for (uint k = c; k < here; k += GROUP) sums[(ulong)(tile - first) * DOT_SUMS + DOTS * r + k] = tree[k * GROUP];
}

// Combines the direction from the pairs and the gradient: row r has the weight weights[r], the gradient the last one.
// Variables that are stuck stay where they are.
kernel void lbfgs_direction(global const real *x, const uint skip, global const real *gradient,
                            global const real *pairs, global real *direction, const ulong stride, const uint own,
                            global const real *weights, const uint count DATA_PARAMS)
{
    const uint v = get_global_id(0);
    if (v >= count) return;
    DATA_INIT;
    const real g = gradient[v];
    real e = R(0.0);
    if (!lbfgs_stuck(x[skip + v], g, own + v, d)) {
        e = weights[2 * PAIR_ROWS] * g;
        for (uint r = 0; r < 2 * PAIR_ROWS; r++)
            if (weights[r] != 0) e = fma(weights[r], pairs[stride * r + v], e);
    }
    direction[v] = e;
}

// Sets y to the point at x + t·direction, projected on the box, and adds gradient·(y - x) over the variables of a tile.
//   launch: groups (1, tiles) of GROUP items.
kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void lbfgs_try(global const real *x, global real *y, const uint lo, global const real *gradient,
               global const real *direction, const uint own, const real t, global sum *sums, const uint first,
               const uint tile0 DATA_PARAMS)
{
    local sum tree[GROUP];
    DATA_INIT;
    const uint tile = tile0 + get_group_id(1), to = lbfgs_to(tile, d);
    sum fall = sum_zero();
    for (uint i = lbfgs_from(tile, d) + get_local_id(0); i < to; i += GROUP) {
        const real v = x[i - lo];
        const real w = fmin(fmax(fma(t, direction[i - own], v), box_lower(i, d)), box_upper(i, d));
        y[i - lo] = w;
        sum_add(&fall, gradient[i - own] * (w - v));
    }
    group_sums(&fall, 1, tree);
    if (get_local_id(0) == 0) sums[tile - first] = tree[0];
}

// Adds direction·(y - x) over the variables of a tile.
//   launch: groups (1, tiles) of GROUP items.
kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void lbfgs_along(global const real *x, global const real *y, const uint lo, global const real *direction,
                 const uint own, global sum *sums, const uint first, const uint tile0 DATA_PARAMS)
{
    local sum tree[GROUP];
    DATA_INIT;
    const uint tile = tile0 + get_group_id(1), to = lbfgs_to(tile, d);
    sum rise = sum_zero();
    for (uint i = lbfgs_from(tile, d) + get_local_id(0); i < to; i += GROUP)
        sum_add(&rise, direction[i - own] * (y[i - lo] - x[i - lo]));
    group_sums(&rise, 1, tree);
    if (get_local_id(0) == 0) sums[tile - first] = tree[0];
}

// Moves the point to y and stores the change of the variables from number `skip` on in a row of pairs.
kernel void lbfgs_take(global real *x, global const real *y, const uint skip, global real *pairs, const ulong stride,
                       const uint pair, const uint count)
{
    const uint e = get_global_id(0);
    if (e >= count) return;
    const real v = y[e];
    if (e >= skip) pairs[stride * pair + (e - skip)] = v - x[e];
    x[e] = v;
}

// Multiplies each element by the width of the interval of its variable, as a share of the widest one, or divides by it.
kernel void lbfgs_stretch(global real *vector, const uint own, const uint count, const real widest,
                          const uint divide DATA_PARAMS)
{
    const uint v = get_global_id(0);
    if (v >= count) return;
    DATA_INIT;
    const real share = (box_upper(own + v, d) - box_lower(own + v, d)) / widest;
    if (!divide) vector[v] *= share;
    else vector[v] = share > 0 ? vector[v] / share : R(0.0);
}

// Copies the variables of a vector from number `skip` on.
kernel void lbfgs_copy(global const real *from, const uint skip, global real *to, const uint count)
{
    const uint v = get_global_id(0);
    if (v < count) to[v] = from[skip + v];
}
