// mixing/mix.cl: the kernels of mixing/gomea.cl. RESIDENT decides which of them exist.
//
// Local memory, room, is an argument of 4·(WORDS + STATE + 12) bytes where RESIDENT, with 4·VERTICES more where
// GAINS; elsewhere it has 48 bytes. It is not declared in the kernel, because LLVM then took stored values for
// undefined in groups of one item, whose barriers vanish.

#if RESIDENT

// Mixes an offspring through the groups [from, to) of a generation. One work-group does it, with the words and
// the state of the offspring in local memory. from = 0 begins with the parent.
kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void mixing_mix(SCENE_PARAMS, global const uint *restrict sets, global const uint *restrict groups, uint from, uint to,
                global uint *restrict next, global uint *restrict states, uint first, uint offset,
                long best, ulong hash, ulong whole, local uint *room)
{
    local uint *o = room, *state = o + WORDS, *sums = state + STATE;
    SCENE;
    const uint item = get_local_id(0), j = offset + get_group_id(0), i = first + j;
    global uint *mine = next + (ulong)j * WORDS;
    global const uint *begin = from == 0 ? parents + (ulong)i * WORDS : mine;
    for (uint k = item; k < WORDS; k += GROUP) o[k] = begin[k];
    for (uint s = item; s < STATE; s += GROUP) state[s] = states[STATE * j + s];
#if GAINS
    local int *gain = (local int *)(sums + 8);
    meet(CLK_LOCAL_MEM_FENCE);
    for (uint v = item; v < VERTICES; v += GROUP) {
        const uint own = o[v >> 5] >> (v & 31u);
        int g = 0;
        for (uint e = off[v]; e < off[v + 1]; e++) g += (own ^ o[nbr[e] >> 5] >> (nbr[e] & 31u)) & 1u ? -w[e] : w[e];
        gain[v] = g;
    }
#else
    local int *gain = 0;
#endif
    tally count = {0, 0};
    for (uint g = from; g < to; g++) {
        meet(CLK_LOCAL_MEM_FENCE);
        if (item == 0) state[LEADS] = mixing_leads(state, best, hash, whole);
        meet(CLK_LOCAL_MEM_FENCE);
        const uint large = groups[3 * g + 2], end = groups[3 * g + 1];
        for (uint t = groups[3 * g]; t < large; t++) mixing_large(&c, o, state, gain, sums, sets, i, t, &count);
        for (uint t = large + item; t < end; t += GROUP) mixing_small(&c, o, state, gain, sets, i, t, &count);
    }
    mixing_add64(state + VALUES_LO, count.values);
    mixing_add64(state + EDGES_LO, count.edges);
    meet(CLK_LOCAL_MEM_FENCE);
    for (uint k = item; k < WORDS; k += GROUP) mine[k] = o[k];
    for (uint s = item; s < STATE; s += GROUP) states[STATE * j + s] = state[s];
}

#else

// Notes which offspring lead when a group begins.
kernel void mixing_mark(global uint *restrict states, uint offset, long best, ulong hash, ulong whole)
{
    global uint *state = states + STATE * (offset + (uint)get_global_id(0));
    state[LEADS] = mixing_leads(state, best, hash, whole);
}

// Tries the sets [begin, end) of one group, with one item per set.
kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void mixing_sets(SCENE_PARAMS, global const uint *restrict sets, uint begin, uint end,
                 global uint *restrict next, global uint *restrict states, uint first, uint offset)
{
    SCENE;
    const uint j = offset + get_global_id(1), t = begin + get_global_id(0);
    if (t >= end) return;
    tally count = {0, 0};
    mixing_small(&c, next + (ulong)j * WORDS, states + STATE * j, 0, sets, first + j, t, &count);
    mixing_add64(states + STATE * j + VALUES_LO, count.values);
    mixing_add64(states + STATE * j + EDGES_LO, count.edges);
}

// Tries the large sets of one group from begin on, with one work-group per set. sums has 8 uints per work-group.
kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void mixing_sets_large(SCENE_PARAMS, global const uint *restrict sets, uint begin,
                       global uint *restrict next, global uint *restrict states, uint first, uint offset,
                       global uint *restrict sums)
{
    SCENE;
    const uint j = offset + get_group_id(1);
    tally count = {0, 0};
    mixing_large(&c, next + (ulong)j * WORDS, states + STATE * j, 0,
                 sums + 8u * (uint)(get_group_id(0) + get_num_groups(0) * get_group_id(1)), sets, first + j,
                 begin + get_group_id(0), &count);
    mixing_add64(states + STATE * j + VALUES_LO, count.values);
    mixing_add64(states + STATE * j + EDGES_LO, count.edges);
}

#endif

// Forces an improvement of each offspring of list, with one work-group per offspring. Of all sets in which the bits of
// the elitist are better, it takes the first one in random order. If there is none, the offspring becomes the elitist.
kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void mixing_force(SCENE_PARAMS, global const uint *restrict sets, uint count_sets, global const uint *restrict larges,
                  uint count_large, global uint *restrict next, global uint *restrict states, uint first,
                  global const uint *restrict list,
                  global const uint *restrict elite, long best, ulong hash, local uint *room)
{
    SCENE;
    const uint item = get_local_id(0), j = list[get_group_id(0)], i = first + j;
    global uint *mine = next + (ulong)j * WORDS;
#if RESIDENT
    local uint *o = room, *state = o + WORDS, *sums = state + STATE, *least = sums + 8;
    for (uint k = item; k < WORDS; k += GROUP) o[k] = mine[k];
    for (uint s = item; s < STATE; s += GROUP) state[s] = states[STATE * j + s];
#else
    global uint *o = mine, *state = states + STATE * j, *sums = state + 10;
    local uint *least = room;
#endif
    if (item == 0) least[0] = least[1] = least[2] = NONE, sums[6] = 0;
    meet(FENCE);
    tally count = {0, 0};
    uint prior = NONE, at = NONE;
    for (uint t = item; t < count_sets; t += GROUP) {
        const uint lo = sets[3 * t], hi = sets[3 * t + 1];
        if (hi - lo > LARGE || !mixing_differ(o, elite, lo, hi)) continue;
        long change = 0;
        ulong edges = 0, inner = 0;
        for (uint k = lo >> 5; k <= (hi - 1) >> 5; k++)
            change += mixing_change(&c, o, elite, k, lo, hi, &edges, &inner);
        count.values++;
        count.edges += edges - inner / 2;
        const uint p = draw_word(sets[3 * t + 2], c.who + i, c.generation, DRAW_FORCE, c.key);
        if (change > 0 && (at == NONE || p < prior || (p == prior && sets[3 * t + 2] < sets[3 * at + 2]))) {
            prior = p;
            at = t;
        }
    }
    for (uint l = 0; l < count_large; l++) {
        const uint t = larges[l], lo = sets[3 * t], hi = sets[3 * t + 1];
        if (!mixing_differ(o, elite, lo, hi)) continue;
        const long change = mixing_together(&c, o, elite, sums, lo, hi, &count);
        if (item != 0) continue;
        const uint p = draw_word(sets[3 * t + 2], c.who + i, c.generation, DRAW_FORCE, c.key);
        if (change > 0 && (at == NONE || p < prior || (p == prior && sets[3 * t + 2] < sets[3 * at + 2]))) {
            prior = p;
            at = t;
        }
    }
    // Find the smallest priority, then the smallest set with this priority.
    if (at != NONE) atomic_min(least, prior);
    meet(CLK_LOCAL_MEM_FENCE);
    const bool mayBe = at != NONE && prior == least[0];
    if (mayBe) atomic_min(least + 1, sets[3 * at + 2]);
    meet(CLK_LOCAL_MEM_FENCE);
    if (mayBe && sets[3 * at + 2] == least[1]) least[2] = at;
    meet(CLK_LOCAL_MEM_FENCE);
    const uint t = least[2];
    if (t == NONE) {
        for (uint k = item; k < WORDS; k += GROUP) mine[k] = elite[k];
        meet(FENCE);
        if (item == 0) {
            state[CUT_LO] = (uint)best;
            state[CUT_LO + 1] = (uint)((ulong)best >> 32);
            state[HASH_LO] = (uint)hash;
            state[HASH_LO + 1] = (uint)(hash >> 32);
        }
    } else {
        const uint lo = sets[3 * t], hi = sets[3 * t + 1];
        tally again = {0, 0};
        const long change = mixing_together(&c, o, elite, sums, lo, hi, &again);
        mixing_flip_together(&c, o, elite, state, sums, lo, hi, change);
        meet(FENCE);
#if RESIDENT
        for (uint k = item; k < WORDS; k += GROUP) mine[k] = o[k];
#endif
    }
    meet(FENCE);
    mixing_add64(state + VALUES_LO, count.values);
    mixing_add64(state + EDGES_LO, count.edges);
#if RESIDENT
    meet(FENCE);
    for (uint s = item; s < STATE; s += GROUP) states[STATE * j + s] = state[s];
#endif
}

// Draws random parents from individual offset on. Dimension 0 is 128 vertices, dimension 1 the individual.
kernel void mixing_start(global uint *restrict parents, uint offset, uint who, uint generation, uint seed, uint run)
{
    const uint b = get_global_id(0), i = offset + get_global_id(1);
    const uint4 words = draw_words(b, who + i, generation, DRAW_INIT, (uint2)(seed, run));
    for (uint k = 4 * b; k < min(4 * b + 4, WORDS + 0u); k++) {
        uint v = draw_pick(words, k & 3u);
        if (32 * k >= VERTICES) v = 0;
        else if (VERTICES - 32 * k < 32) v &= 0xffffffffu >> (32u - (VERTICES - 32 * k));
        parents[(ulong)i * WORDS + k] = v;
    }
}

// Computes the cut and the hash of parents from scratch, into cleared states, with one work-group per parent. Parent
// first + j has state j.
kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void mixing_evaluate(global const uint *restrict off, global const uint *restrict nbr, global const WEIGHT *restrict w,
                     global const uint *restrict zobrist, global const uint *restrict parents, uint first,
                     uint offset, global uint *restrict states, local uint *room)
{
    const uint item = get_local_id(0), j = offset + get_group_id(0);
    global const uint *o = parents + (ulong)(first + j) * WORDS;
#if RESIDENT
    local uint *state = room;
#else
    global uint *state = states + STATE * j;
#endif
    for (uint s = item; s < STATE; s += GROUP) state[s] = 0;
    meet(FENCE);
    long cut = 0;
    ulong hash = 0;
    for (uint v = item; v < VERTICES; v += GROUP) {
        const uint own = o[v >> 5] >> (v & 31u) & 1u;
        if (own) hash ^= (ulong)zobrist[2 * v] | (ulong)zobrist[2 * v + 1] << 32;
        for (uint e = off[v]; e < off[v + 1]; e++)
            if (nbr[e] > v && (o[nbr[e] >> 5] >> (nbr[e] & 31u) & 1u) != own) cut += w[e];
    }
    mixing_add64(state + CUT_LO, (ulong)cut);
    mixing_hash(state, hash);
    meet(FENCE);
#if RESIDENT
    for (uint s = item; s < STATE; s += GROUP) states[STATE * j + s] = state[s];
#endif
}

// Finds the vertices in which the n parents are not all equal: divided[k] has those of word k.
kernel void mixing_divide(global const uint *restrict parents, uint n, global uint *restrict divided)
{
    const uint k = get_global_id(0);
    uint d = 0;
    for (uint i = 1; i < n; i++) d |= parents[(ulong)i * WORDS + k] ^ parents[k];
    divided[k] = d;
}

// Copies parent mates[i] to parent i. A parent that is copied elsewhere stays. Dimension 1 is the individual.
kernel void mixing_take(global uint *parents, global const uint *restrict mates, uint offset)
{
    const uint k = get_global_id(0), i = offset + get_global_id(1), mate = mates[i];
    if (mate != i) parents[(ulong)i * WORDS + k] = parents[(ulong)mate * WORDS + k];
}

// Copies parents to their offspring. Dimension 1 is the individual.
kernel void mixing_copy(global const uint *restrict parents, global uint *restrict next, uint first, uint offset)
{
    const uint k = get_global_id(0), j = offset + get_global_id(1);
    next[(ulong)j * WORDS + k] = parents[(ulong)(first + j) * WORDS + k];
}

// Makes the children of parents first + offset and on, with one item for each: next[j] is parent first + j with random
// sides where it and its mate differ, or it and the complement of the mate if that is less. Vertex `anchor` keeps its
// side. A parent without a mate has a child that equals it. states[j] is the number of vertices in which they differ.
kernel void mixing_cross(global const uint *restrict parents, global const uint *restrict mates,
                         global uint *restrict next, global uint *restrict states, uint anchor, uint first,
                         uint offset, uint who, uint generation, uint seed, uint run)
{
    const uint j = offset + get_global_id(0), i = first + j, mate = mates[i];
    global const uint *own = parents + (ulong)i * WORDS,
                      *other = parents + (ulong)(mate == NONE ? i : mate) * WORDS;
    uint size = 0;
    for (uint k = 0; k < WORDS; k++) size += popcount(own[k] ^ other[k]);
    const uint flip = 2 * size > VERTICES ? NONE : 0u;
    states[j] = flip ? VERTICES - size : size;
    for (uint b = 0; 4 * b < WORDS; b++) {
        const uint4 words = draw_words(b, who + i, generation, DRAW_CROSS, (uint2)(seed, run));
        for (uint k = 4 * b; k < min(4 * b + 4, WORDS + 0u); k++) {
            uint d = own[k] ^ other[k] ^ flip;
            if (32 * k >= VERTICES) d = 0;
            else if (VERTICES - 32 * k < 32) d &= NONE >> (32u - (VERTICES - 32 * k));
            if (k == anchor / 32) d &= ~(1u << anchor % 32);
            next[(ulong)j * WORDS + k] = own[k] ^ (d & draw_pick(words, k & 3u));
        }
    }
}

// Exchanges parent first + j and next[j] where mates[first + j] is not first + j. Dimension 1 is the individual.
kernel void mixing_trade(global uint *restrict parents, global const uint *restrict mates, global uint *restrict next,
                         uint first, uint offset)
{
    const uint k = get_global_id(0), j = offset + get_global_id(1), i = first + j;
    if (mates[i] == i) return;
    const uint word = next[(ulong)j * WORDS + k];
    next[(ulong)j * WORDS + k] = parents[(ulong)i * WORDS + k];
    parents[(ulong)i * WORDS + k] = word;
}
