// cut/maxcut.cl: the cut of a weighted graph.
//
//   component k   edge k, k < COMPS: w_k [s_u ≠ s_v], u = d.tail[k], v = d.head[k]
//   s             the side of a vertex: 1 if its variable is above 1/2. The root,
//                 vertex DIM, has side MAXCUT_ROOT
//   acc           with MAXCUT_SPLIT the low 16 bits of the weights and the rest, each
//                 summed exactly; else one sum of exact terms
//
// Item form. Edges are sorted by tail, so that neighbouring items share their tail.
// Defines: MAXCUT_EVEN (all edges weigh MAXCUT_WEIGHT; there is no table of weights),
// MAXCUT_ROOT (0, 1; 2: there is no root), MAXCUT_SPLIT.

static bool maxcut_side(point x, uint v, data d)
{
#if MAXCUT_ROOT < 2
    if (v == DIM) return MAXCUT_ROOT;
#endif
    return at(x, v) > R(0.5);
}

static void component(uint k, point x, data d, real *acc)
{
    if (maxcut_side(x, d.tail[k], d) == maxcut_side(x, d.head[k], d)) return;
#if MAXCUT_EVEN
    acc[0] += MAXCUT_WEIGHT;
#else
    acc[0] += d.weight[k];
#endif
#if MAXCUT_SPLIT
    acc[1] += d.high[k];
#endif
}
