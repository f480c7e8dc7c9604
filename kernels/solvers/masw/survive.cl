// masw/survive.cl: survival where the device decides, for points of one tile. Comes after masw/evolve.cl.
//
// masw_survive: selects the P best of the parents and children of each run, as selection.survive does in
//   solvers/masw/decide.go: by value, then parents before children, then by index. The surviving children, in
//   increasing order, take the slots of the removed parents, in increasing order. It writes these pairs to chosen, as
//   masw_write reads them, the new values of individuals to values[p], and those of all children to
//   history[row*individuals + p]. An individual that is replaced has no chain any more.
//   launch: groups (runs), GROUP items each.
//
// born[p] is the value of child p. masw/climb.cl describes pace and chain.

#if SUM_FP64
// Selects the survivors of a generation.
kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void masw_survive(global sum *values, global const sum *born, global sum *history, const uint row, global sum *pace,
                  global uint *chain, global uint *chosen, const uint individuals)
{
    local sum f[2 * POP];     // parents, then children
    local uchar kept[2 * POP];
    local ushort slot[POP], child[POP];
    const uint l = get_local_id(0), r = get_group_id(0), first = r * POP;
    for (uint b = 0; b < 2 * POP; b += GROUP) {
        const uint e = b + l;
        if (e < 2 * POP) {
            const sum v = e < POP ? values[first + e] : born[first + e - POP];
            if (e >= POP) history[(ulong)row * individuals + first + e - POP] = v;
            f[e] = isfinite(v) ? v : (sum)INFINITY;
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE); // items write values that others have read
    for (uint b = 0; b < 2 * POP; b += GROUP) {
        const uint e = b + l;
        if (e < 2 * POP) {
            const sum v = f[e];
            uint before = 0;
#pragma unroll 8
            for (uint i = 0; i < 2 * POP; i++) before += f[i] < v || (f[i] == v && i < e);
            kept[e] = before < POP;
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint b = 0; b < 2 * POP; b += GROUP) {
        const uint e = b + l;
        if (e < 2 * POP && kept[e] == (e >= POP)) {
            uint k = 0; // the number of those before it
            for (uint i = e < POP ? 0 : POP; i < e; i++) k += kept[i] == (e >= POP);
            if (e < POP) slot[k] = (ushort)e;
            else child[k] = (ushort)(e - POP);
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    uint count = 0;
    for (uint j = 0; j < POP; j++) count += !kept[j];
    if (l == 0) chosen[r] = count;
    global uint *swaps = chosen + individuals / POP + 2 * first;
    for (uint k = l; k < count; k += GROUP) {
        const uint p = first + slot[k];
        swaps[2 * k] = slot[k];
        swaps[2 * k + 1] = child[k];
        values[p] = born[first + child[k]];
        pace[2 * p] = pace[2 * p + 1] = 0;
        for (uint u = 0; u < MASW_CHAIN; u++) chain[MASW_CHAIN * p + u] = 0;
    }
}
#endif
