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
static void component(uint k, point x, data d, real *acc)
{
    const uint b = k / CEC_COMPS, c = k % CEC_COMPS;
#if CEC_GROUPS > 0
    if (c < CEC_GROUPS) {
        const uint a = d.start[c], s = d.size[c];
        real v = R(0.0), w = R(0.0);
        for (uint i = 0; i < s; i++) {
            const real z = cec_rotated(b, c, i, x, d);
#if CEC_BASE == CEC_ACKLEY
            const real y = d.lambda[a + i] * tosz_asy(z, d.u[a + i]);
            v += y * y;
            w += sin2_pi(y);
#elif CEC_BASE == CEC_SCHWEFEL
            w += tosz_asy(z, d.u[a + i]);
            v += w * w;
#else
            v += cec_term(a + i, z, d);
#endif
        }
#if CEC_BASE == CEC_ACKLEY
        v = d.weight[c] * cec_ackley(v, w, s);
#elif CEC_BASE == CEC_SCHWEFEL
        v *= d.weight[c];
#endif
        acc[0] += v;
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

#if CEC_GROUPS > 0

// All items of a work-group can compute a group together. TOGETHER(k) says whether component k is such a group, and
// component_together adds it to the sums of the items. scratch has two reals for every position of the largest
// group. All items must enter, and a barrier must follow (group_sums of the caller).
#define TOGETHER(k) ((k) % CEC_COMPS < CEC_GROUPS)

static void component_together(uint k, point x, data d, local real *scratch, sum *acc)
{
    const uint b = k / CEC_COMPS, c = k % CEC_COMPS, a = d.start[c], s = d.size[c], l = get_local_id(0);
    local real *z = scratch, *y = scratch + CEC_LARGEST;
    for (uint e = 0; e < s; e += GROUP) {
        const uint j = e + l;
        if (j < s) z[j] = cec_z(b, a + j, x, d);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint e = 0; e < s; e += GROUP) {
        const uint i = e + l;
        if (i >= s) continue;
        real v = z[i];
#if CEC_ROTATED > 0
        if (a < CEC_ROTATED) {
            v = R(0.0);
            for (uint j = 0; j < s; j++) v = fma(d.rot[d.turn[c] + j * s + i], z[j], v);
        }
#endif
#if CEC_BASE == CEC_ACKLEY
        y[i] = d.lambda[a + i] * tosz_asy(v, d.u[a + i]);
#elif CEC_BASE == CEC_SCHWEFEL
        y[i] = tosz_asy(v, d.u[a + i]);
#else
        sum_add(acc, cec_term(a + i, v, d));
#endif
    }
#if CEC_TOTALS
    barrier(CLK_LOCAL_MEM_FENCE);
#if CEC_BASE == CEC_ACKLEY
    for (uint e = 0; e < s; e += GROUP) {
        const uint i = e + l;
        if (i < s) z[i] = sin2_pi(y[i]);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
#endif
    // All items compute the same; the result of the first one counts.
    real sums = R(0.0), waves = R(0.0);
    for (uint i = 0; i < s; i++) {
#if CEC_BASE == CEC_ACKLEY
        sums += y[i] * y[i];
        waves += z[i];
#else
        waves += y[i]; // the prefix sum
        sums += waves * waves;
#endif
    }
#if CEC_BASE == CEC_ACKLEY
    sums = cec_ackley(sums, waves, s);
#endif
    sum_add(acc, l == 0 ? d.weight[c] * sums : R(0.0));
#endif
}

#endif
