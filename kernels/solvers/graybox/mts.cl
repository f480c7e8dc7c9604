// graybox/mts.cl: local search inside blocks along one variable after the other.
// Comes after graybox/chains.cl, in place of graybox/search.cl.
//
//   y = x but for y_i = clamp(x_i - s), and where that is not better y_i = clamp(x_i + s/2);   the next i
//
// MTS-LS1 of Tseng and Chen (2008, doi:10.1109/CEC.2008.4631210). What is better is kept in row POP. A sweep is two tries of each
// variable at most; after one that brought nothing s is halved. A chain begins with s = MTS_WIDEST of the box, and is over when s is less
// than MTS_LEAST of it; until the phase ends s is wide again, as in the paper.
//
// pace: s. chain: word 2 is 2 where the chain is over, 1 where it has begun, word 3 the variable that is tried, as its number in the block, 4 how many chains
// the block had before, 5 MTS_GAINED where the sweep has brought something, and MTS_SECOND where the second try is due.
//
// graybox_mts: count evaluations of row POP.
//   launch: groups (1, blocks), GROUP items each.
// Defines: MTS_WIDEST, MTS_LEAST.

#define MTS_GAINED 1u
#define MTS_SECOND 2u

// Searches along one variable of a block after the other.
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
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE); // the first item writes what others have read
    PART_ROUNDS(t) {
        // From here on the first item alone writes variables, and y is the row between two rounds.
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
