// lbfgs/copies.cl: the gradient of components that may read any variable, from their adjoints. Item c adds those of
// some components to a copy of the gradient of its own, one after the other; then the copies are added in order. Comes
// after lbfgs/view.cl; the text of the adjoint follows.
//
// Layout: element i of copy c is parts[COPY_AT(i, c)]. Where INTERLEAVED, as on graphics cards, neighbouring items
// write to neighbouring elements; on processors a copy is a row. TAPE(i) is a place of what an adjoint keeps.
//
// Defines: COPIES, INTERLEAVED, TAPED (places of a tape).

#if INTERLEAVED
#define COPY_STRIDE COPIES
#define COPY_AT(i, c) ((ulong)(i) * COPIES + (c))
#define TAPE(i) out.tape[(ulong)(i) * COPIES]
#else
#define COPY_STRIDE 1
#define COPY_AT(i, c) ((ulong)(c) * DIM + (i))
#define TAPE(i) out.tape[i]
#endif

typedef struct { global real *g, *tape; } gradient;

// Adds v to an element of the gradient.
static void put(gradient out, uint i, real v)
{
    if (isfinite(v)) out.g[(ulong)i * COPY_STRIDE] += v;
}

// Puts the derivatives of the sum of w[j] times sum j of component k.
static void component_adjoint(uint k, point x, data d, const real *w, gradient out);

// Adds components number from to to - 1 of those of each copy to the copies.
kernel void lbfgs_copies(global const real *x, const uint lo, global const real *kinks, const uint first_kink,
                         global const real *slope, global real *parts, global real *tape, const uint from,
                         const uint to DATA_PARAMS)
{
    const uint c = get_global_id(0);
    if (c >= COPIES) return;
    DATA_INIT;
    real w[ACCS];
    for (int j = 0; j < ACCS; j++) w[j] = slope[j];
    const uint first = (ulong)c * COMPS / COPIES, end = (ulong)(c + 1) * COMPS / COPIES;
    const gradient out = { parts + COPY_AT(0, c), tape + (INTERLEAVED ? (ulong)c : (ulong)c * TAPED) };
    const point at_x = { x, lo, kinks, first_kink };
    for (uint k = first + from; k < min(first + to, end); k++) component_adjoint(k, at_x, d, w, out);
}

// Sets `direction` to the sum of the copies.
//   launch: an item for each variable; where INTERLEAVED a group of GROUP items.
kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void lbfgs_join(global const real *parts, global real *direction DATA_PARAMS)
{
    DATA_INIT;
#if INTERLEAVED
    local sum tree[GROUP];
    const uint i = get_group_id(0), l = get_local_id(0);
    sum all = sum_zero();
    for (uint c = l; c < COPIES; c += GROUP) sum_add(&all, parts[COPY_AT(i, c)]);
    group_sums(&all, 1, tree);
    if (l > 0) return;
    const real g = sum_real(tree[0]);
#else
    const uint i = get_global_id(0);
    if (i >= DIM) return;
    sum all = sum_zero();
    for (uint c = 0; c < COPIES; c++) sum_add(&all, parts[COPY_AT(i, c)]);
    const real g = sum_real(all);
#endif
    direction[i] = isfinite(g) ? g : R(0.0);
}
