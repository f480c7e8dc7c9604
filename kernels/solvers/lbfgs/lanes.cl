// lbfgs/lanes.cl: the gradient of components that may read any variable, as in lbfgs/copies.cl, where the items of a
// group share the loops of a component. Group c adds some components to a copy of the gradient of its own, one after
// the other; then the copies are added in order. Comes after lbfgs/view.cl; the text of the adjoint follows.
//
// Layout: element i of copy c is parts[c·DIM + i], so that neighbouring items write to neighbouring elements.
//
// Defines: COPIES, LANES (items of a group, a power of two), SHARED (numbers that a group has in common).

typedef struct { global real *g; local real *shared, *sums; uint lane; } gradient;

// Adds v to an element of the gradient.
static void put(gradient out, uint i, real v)
{
    if (isfinite(v)) out.g[i] += v;
}

// Returns the sum of v over the items of a group to all of them.
static real lanes_add(gradient out, real v)
{
    out.sums[out.lane] = v;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint h = LANES / 2; h > 0; h /= 2) {
        if (out.lane < h) out.sums[out.lane] += out.sums[out.lane + h];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    v = out.sums[0];
    barrier(CLK_LOCAL_MEM_FENCE);
    return v;
}
#define lanes_sum(v) lanes_add(out, v)

// Puts the derivatives of the sum of w[j] times sum j of component k.
static void component_adjoint(uint k, point x, data d, const real *w, gradient out);

// Adds components number from to to - 1 of those of each copy to the copies.
//   launch: a group of LANES items for each copy.
kernel __attribute__((reqd_work_group_size(LANES, 1, 1)))
void lbfgs_lanes(global const real *x, const uint lo, global const real *kinks, const uint first_kink,
                  global const real *slope, global real *parts, global real *tape, const uint from,
                  const uint to DATA_PARAMS)
{
    local real shared[SHARED], sums[LANES];
    const uint c = get_group_id(0);
    DATA_INIT;
    real w[ACCS];
    for (int j = 0; j < ACCS; j++) w[j] = slope[j];
    const uint first = (ulong)c * COMPS / COPIES, end = (ulong)(c + 1) * COMPS / COPIES;
    const gradient out = { parts + (ulong)c * DIM, shared, sums, get_local_id(0) };
    const point at_x = { x, lo, kinks, first_kink };
    for (uint k = first + from; k < min(first + to, end); k++) {
        component_adjoint(k, at_x, d, w, out);
        barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    }
}

#define ROWS (GROUP / LANES)

// Sets `direction` to the sum of the copies: each row of items adds some copies of LANES variables.
//   launch: a group of GROUP items, a multiple of LANES, for every LANES variables.
kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void lbfgs_join_rows(global const real *parts, global real *direction DATA_PARAMS)
{
    local sum rows[GROUP];
    DATA_INIT;
    const uint l = get_local_id(0), row = l / LANES, i = get_group_id(0) * LANES + l % LANES;
    const uint first = (ulong)row * COPIES / ROWS, end = (ulong)(row + 1) * COPIES / ROWS;
    sum all = sum_zero();
    for (uint c = first; i < DIM && c < end; c++) sum_add(&all, parts[(ulong)c * DIM + i]);
    rows[l] = all;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (row > 0 || i >= DIM) return;
    for (uint r = 1; r < ROWS; r++) all = sum_join(all, rows[r * LANES + l]);
    const real g = sum_real(all);
    direction[i] = isfinite(g) ? g : R(0.0);
}
