// cec2013/item.cl: one component of a CEC'2013 function per work-item, or one group of variables by all items of a
// work-group. Formulas, tables and defines are those of cec2013/cec2013.cl.

#if CEC_GROUPS > 0
// z of position i of group g in tile b, rotated.
static real cec_rotated(uint b, uint g, uint i, point x, data d)
{
    const uint a = d.start[g];
#if CEC_ROTATED > 0
    if (a < CEC_ROTATED) {
        const uint s = d.size[g];
        real v = R(0.0);
        for (uint j = 0; j < s; j++) v = fma(d.rot[d.turn[g] + j * s + i], cec_z(b, a + j, x, d), v);
        return v;
    }
#endif
    return cec_z(b, a + i, x, d);
}
#endif

// Component k is group k mod CEC_COMPS of its tile, or a single position.
#if INNER

// The sums of y² and sin²(πy) of a group.
static void component_inner(uint k, point x, data d, real *inner)
{
    const uint b = k / CEC_COMPS, c = k % CEC_COMPS, a = d.start[c], s = d.size[c];
    for (uint i = 0; i < s; i++) {
        const real y = d.lambda[a + i] * tosz_asy(cec_rotated(b, c, i, x, d), d.u[a + i]);
        inner[0] += y * y;
        inner[1] += sin2_pi(y);
    }
}

static real component_value(uint k, const real *inner, data d)
{
    const uint c = k % CEC_COMPS;
    return d.weight[c] * cec_ackley(inner[0], inner[1], d.size[c]);
}

#endif

#if CEC_GROUPS > 0 && !INNER && CEC_BASE == CEC_SCHWEFEL
// The component of group c in tile b.
static real cec_group(uint b, uint c, point x, data d)
{
    const uint a = d.start[c], s = d.size[c];
    real v = R(0.0), w = R(0.0);
    for (uint i = 0; i < s; i++) {
        w += tosz_asy(cec_rotated(b, c, i, x, d), d.u[a + i]);
        v += w * w;
    }
    return v * d.weight[c];
}
#elif CEC_GROUPS > 0 && !INNER
static real cec_group(uint b, uint c, point x, data d)
{
    const uint a = d.start[c], s = d.size[c];
    real v = R(0.0);
    for (uint i = 0; i < s; i++) v += cec_term(a + i, cec_rotated(b, c, i, x, d), d);
    return v;
}
#endif

#if !INNER
static void component(uint k, point x, data d, real *acc)
{
    const uint b = k / CEC_COMPS, c = k % CEC_COMPS;
#if CEC_GROUPS > 0
    if (c < CEC_GROUPS) {
        acc[0] += cec_group(b, c, x, d);
        return;
    }
#endif
    const uint p = CEC_SINGLE + c - CEC_GROUPS;
#if CEC_BASE == CEC_ROSENBROCK
    acc[0] += cec_rosenbrock(cec_z(b, p, x, d), cec_z(b, p + 1, x, d));
#else
    acc[0] += cec_term(p, cec_z(b, p, x, d), d);
#endif
}
#endif

#if CEC_GROUPS > 0

// All items of a work-group can compute a group together. TOGETHER(k) says whether component k is such a group.
// component_together adds it to the sums of the items, and component_inner_together its inner sums. scratch has two
// reals for every position of the largest group. All items must enter, and a barrier must follow (group_sums of the
// caller).
#define TOGETHER(k) ((k) % CEC_COMPS < CEC_GROUPS)

// In the loops of a work-group over the positions of a group of s, all items make as many rounds, and the item of a
// position is the same in every loop.

// Writes z of the positions of group c in tile b to scratch, and then, rotated, to y. No barrier follows.
static inline __attribute__((always_inline)) void cec_turn_together(uint b, uint c, point x, data d,
                                                                    local real *scratch, local real *y)
{
    const uint a = d.start[c], s = d.size[c];
    local real *z = scratch;
    for (uint j = get_local_id(0), e = 0; e < s; e += GROUP, j += GROUP)
        if (j < s) z[j] = cec_z(b, a + j, x, d);
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint i = get_local_id(0), e = 0; e < s; e += GROUP, i += GROUP) {
        if (i >= s) continue;
        real v = z[i];
#if CEC_ROTATED > 0
        if (a < CEC_ROTATED) {
            v = R(0.0);
            for (uint j = 0; j < s; j++) v = fma(d.rot[d.turn[c] + j * s + i], z[j], v);
        }
#endif
        y[i] = v;
    }
}

#endif

#if CEC_GROUPS > 0 && INNER
static void component_inner_together(uint k, point x, data d, local real *scratch, real *inner)
{
    const uint b = k / CEC_COMPS, c = k % CEC_COMPS, a = d.start[c], s = d.size[c];
    local real *w = scratch, *y = scratch + CEC_LARGEST;
    cec_turn_together(b, c, x, d, scratch, y);
    for (uint i = get_local_id(0), e = 0; e < s; e += GROUP, i += GROUP)
        if (i < s) y[i] = d.lambda[a + i] * tosz_asy(y[i], d.u[a + i]);
    barrier(CLK_LOCAL_MEM_FENCE); // all items have read z, which w replaces
    for (uint i = get_local_id(0), e = 0; e < s; e += GROUP, i += GROUP)
        if (i < s) w[i] = sin2_pi(y[i]);
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint i = 0; i < s; i++) {
        inner[0] += y[i] * y[i];
        inner[1] += w[i];
    }
}
#elif CEC_GROUPS > 0
static void component_together(uint k, point x, data d, local real *scratch, sum *acc)
{
    const uint b = k / CEC_COMPS, c = k % CEC_COMPS, a = d.start[c], s = d.size[c];
    local real *y = scratch + CEC_LARGEST;
    cec_turn_together(b, c, x, d, scratch, y);
#if CEC_BASE == CEC_SCHWEFEL
    for (uint i = get_local_id(0), e = 0; e < s; e += GROUP, i += GROUP)
        if (i < s) y[i] = tosz_asy(y[i], d.u[a + i]);
    barrier(CLK_LOCAL_MEM_FENCE);
    // All items compute the same; the result of the first one counts.
    real sums = R(0.0), prefix = R(0.0);
    for (uint i = 0; i < s; i++) {
        prefix += y[i];
        sums += prefix * prefix;
    }
    sum_add(acc, get_local_id(0) == 0 ? d.weight[c] * sums : R(0.0));
#else
    for (uint i = get_local_id(0), e = 0; e < s; e += GROUP, i += GROUP)
        if (i < s) sum_add(acc, cec_term(a + i, y[i], d));
#endif
}
#endif
