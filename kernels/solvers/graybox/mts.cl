// graybox/mts.cl: local search inside parts along one variable after the other (MTS-LS1).
// Comes after graybox/chains.cl, in place of graybox/search.cl.
//
//   y = x except for y_i = clamp(x_i - s); if that is no better, y_i = clamp(x_i + s/2);   then the next i
//
// MTS-LS1 of Tseng and Chen (2008, doi:10.1109/CEC.2008.4631210). A better point is stored in row POP. A sweep tries
// each variable once or twice; after a sweep without improvement s is halved. A chain begins with s = MTS_WIDEST of the
// box, and is over when s is less than MTS_LEAST of the box. Until the phase ends, s is then wide again, as in the
// paper.
//
// pace has s. In chain, word 2 is 2 if the chain is over and 1 if it has begun; word 3 is the number within the part of
// the variable that is tried; word 4 is the number of chains that the part had before; word 5 has the flags MTS_GAINED,
// if the sweep has improved the point, and MTS_SECOND, if the second try of the variable is due.
//
// graybox_mts: makes count evaluations of row POP.
//   launch: groups (1, parts), GROUP items each.
// Defines: MTS_WIDEST, MTS_LEAST.

#define MTS_GAINED 1u
#define MTS_SECOND 2u

// Searches inside a part along one variable after the other (MTS-LS1).
kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void graybox_mts(PART_PARAMS, const uint when, const uint count DATA_PARAMS)
{
    local real scratch[SCRATCH] __attribute__((aligned(128)));
    local sum tree[GROUP];
    PART_Y;
    DATA_INIT;
    const uint l = get_local_id(0);
    PART_HEAD
    const uint slot_of = now[4 * home + 1];
    global sum *mine = acc + (home * PART_POINTS + POP) * ACCS;
    global uint *chained = chain + (home * PART_ROWS + slot_of) * 6;
    global real *paced = pace + (home * PART_ROWS + slot_of) * PART_PACE;
    global real *at_x = x + stride * POP;
    real step = paced[0];
    uint place = chained[3] < range.n ? chained[3] : 0, strange = 0;
    bool over = chained[2] == 2, gained = chained[5] & MTS_GAINED, second = chained[5] & MTS_SECOND;
    sum best[ACCS];
    for (int k = 0; k < ACCS; k++) best[k] = mine[k];
    sum value = graybox_value(best);
    PART_SINGLE(range, y[v] = at_x[i - lo];)
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE); // the first item will write what others have read
    PART_ROUNDS(t) {
        // From here on only the first item writes variables. Between two rounds y equals the row.
        global real *tried = at_x + (PART_VAR(range, place) - lo);
        if (l == 0) y[place] = fmin(fmax(second ? *tried + step / 2 : *tried - step, BOX_LO), BOX_HI);
        barrier(PART_FENCE);
        sum s[ACCS];
        const point at = PART_POINT(u, 0);
        graybox_evaluate(u, &at, d, parts, scratch, tree, s);
        const sum next = graybox_value(s);
        if (!graybox_finite(next)) strange++;
        const bool better = graybox_better(next, value);
        barrier(PART_FENCE);
        if (l == 0) {
            if (better) *tried = y[place];
            else y[place] = *tried;
        }
        if (better) {
            for (int k = 0; k < ACCS; k++) best[k] = s[k];
            value = next;
            gained = true;
        }
        second = !better && !second;
        if (!second && ++place >= range.n) {
            place = 0;
            if (!gained) step /= 2;
            gained = false;
            if (step < MTS_LEAST * (BOX_HI - BOX_LO)) {
                over = true;
                step = MTS_WIDEST * (BOX_HI - BOX_LO);
            }
        }
    }
    if (l > 0) return;
    for (int k = 0; k < ACCS; k++) mine[k] = best[k];
    paced[0] = step;
    chained[2] = over ? 2 : 1;
    chained[3] = place;
    chained[5] = (gained ? MTS_GAINED : 0) | (second ? MTS_SECOND : 0);
    now[4 * home + 2] += strange;
}
