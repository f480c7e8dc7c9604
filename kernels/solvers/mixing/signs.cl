// mixing/signs.cl: annealing of partitions of a dense graph whose weights are all MAGNITUDE or -MAGNITUDE. It makes the
// same flips as mixing/dense.cl, and computes with single bits of the matrix instead of numbers.
//
// An edge is gained if flipping one of its ends makes the cut larger: its weight is positive and both ends are on the
// same side, or negative and they are not. A vertex v with d edges, x of them gained, changes the cut by
// g = MAGNITUDE·(2x - d) if it flips. It flips if g >= -m, where m is the integer part of -T·ln(u), or at T = 0 if
// g > 0. A flip changes x by 1 for each neighbour.
//
// The x of 32 vertices are spread over DIGITS words, one word per binary digit; the last one is the sign. A pack is
// LANES consecutive words, 16 on processors (WIDE) and 1 elsewhere. A work-group anneals a chain. Each item keeps the x
// of its packs. Word after word, one item decides the 32 vertices of a word, and then all items add the rows of those
// that flip to their x, up to 7 at once. Each vertex has one more edge, of negative weight to itself, which is never
// gained. So all d edges of a vertex change when it flips: x becomes d - x. The anchor, the vertex with the largest
// weights, never flips: a partition and its complement are the same cut.
//
//   matrix[v·MATRIX_ROW + b]       pack b of vertex v: bit k is 1 if the weight of its edge to vertex k is positive
//   matrix[... + ROW / LANES + b]  unless COMPLETE: bit k is 1 if there is an edge to vertex k
//   edges[l·ROW / LANES + b]       digit l of the number of edges of each vertex of pack b
//   temps[s]                       T of sweep s; 0 at the end
//   parents[i·WORDS + k]           sides of word k of chain i
//   mates[i]                       what chain i has become a copy of
//   next[j·WORDS + k]              what chain first + j was before
//   fields[(j·DIGITS + l)·ROW / LANES + b]   digit l of the x of pack b of chain first + j
//   done                           of chain first + j at j, see mixing/rest.cl
//
// Draws: index a quad of vertices, who the chain, when the sweep.
// Defines: those of mixing/gomea.cl, ROW (words), PACKS (of a work-item), DIGITS, ANCHOR, COMPLETE, MAGNITUDE, SUM
// (int or long).

#define JOIN_(a, b) a##b
#define JOIN(a, b) JOIN_(a, b)
#define PACK_ROW (ROW / LANES)
#define MATRIX_ROW (COMPLETE ? PACK_ROW : 2 * PACK_ROW)
#define TOGETHER 7 /* rows that are added at once */
#define INLINE static inline __attribute__((always_inline))

#if GROUP == 1
#define UNROLL
#else
#define UNROLL _Pragma("unroll")
#endif

#if WIDE
#define LANES 16
typedef uint16 pack;
#else
#define LANES 1
typedef uint pack;
#endif

// Adds numbers of n digits, the last of which is the sign, and a carry to the numbers x.
INLINE void mixing_signs_add(pack *x, uint digits, const pack *more, uint n, pack carry)
{
    #pragma unroll
    for (uint l = 0; l < digits; l++) {
        const pack a = more[min(l, n - 1)], sum = x[l] ^ a, both = x[l] & a;
        x[l] = sum ^ carry;
        carry = both | (sum & carry);
    }
}

// Subtracts numbers of the same digits from the numbers x.
INLINE void mixing_signs_subtract(pack *x, const pack *less)
{
    pack more[DIGITS];
    #pragma unroll
    for (uint l = 0; l < DIGITS; l++) more[l] = ~less[l];
    mixing_signs_add(x, DIGITS, more, DIGITS, ~(pack)(0));
}

// The vertices of a word, as bits, and those that may flip.
INLINE uint mixing_signs_inside(uint word)
{
    return 32 * word + 32 <= VERTICES ? NONE : 32 * word >= VERTICES ? 0u : NONE >> (32 - VERTICES % 32);
}

INLINE uint mixing_signs_free(uint word)
{
    const uint all = mixing_signs_inside(word);
    return word == ANCHOR / 32 ? all & ~(1u << ANCHOR % 32) : all;
}

// The sides of the vertices of pack b of a chain.
INLINE pack mixing_signs_sides(global const uint *mine, uint b)
{
    pack sides = 0;
    for (uint lane = 0; lane < LANES && b * LANES + lane < WORDS; lane++)
        ((uint *)&sides)[lane] = mine[b * LANES + lane];
    return sides;
}

// Sets word number `lane` of the numbers min(m / MAGNITUDE, VERTICES), or -1 at T = 0, for the vertices of a word.
INLINE void mixing_signs_margin(uint word, uint lane, float T, uint who, uint when, uint2 key, pack *m)
{
    uint digits[DIGITS];
#if WIDE
    uint8 words[4];
    int8 v[4];
    draw_words_eight(8 * word, who, when, DRAW_FLIP, key, words);
    for (uint k = 0; k < 4; k++) {
        const JOIN(SUM, 8) most = JOIN(JOIN(convert_, SUM), 8_sat)(-T * draw_log_uniform_eight(words[k]));
        const JOIN(SUM, 8) least = most / (SUM)MAGNITUDE;
        v[k] = T > 0.0f ? convert_int8(min(least, (JOIN(SUM, 8))(VERTICES))) : (int8)(-1);
    }
    for (uint l = 0; l < DIGITS; l++) {
        const int8 at = (int8)(0, 4, 8, 12, 16, 20, 24, 28);
        const uint8 b = as_uint8((v[0] >> l & 1 | (v[1] >> l & 1) << 1 | (v[2] >> l & 1) << 2 | (v[3] >> l & 1) << 3)
                                 << at);
        const uint4 c = b.lo | b.hi;
        digits[l] = c.x | c.y | c.z | c.w;
    }
#else
    for (uint l = 0; l < DIGITS; l++) digits[l] = 0;
    for (uint q = 8; q-- > 0;) {
        const uint4 drawn = draw_words(8 * word + q, who, when, DRAW_FLIP, key);
        const uint words[4] = {drawn.w, drawn.z, drawn.y, drawn.x};
        #pragma unroll
        for (uint k = 0; k < 4; k++) { // the digits of each vertex move up for those of the one before
            const SUM least = JOIN(JOIN(convert_, SUM), _sat)(-T * draw_log_uniform(words[k])) / (SUM)MAGNITUDE;
            const int v = T > 0.0f ? (int)min(least, (SUM)VERTICES) : -1;
            #pragma unroll
            for (uint l = 0; l < DIGITS; l++) digits[l] = digits[l] << 1 | (uint)(v >> l & 1);
        }
    }
#endif
    for (uint l = 0; l < DIGITS; l++) ((uint *)&m[l])[lane] = digits[l];
}

// The smallest x with which the vertices of pack b flip: half of the edges less m, rounded up without the own edge.
INLINE void mixing_signs_least(global const pack *edges, uint b, float T, uint who, uint when, uint2 key,
                               pack *least)
{
    pack m[DIGITS], d[DIGITS];
    for (uint lane = 0; lane < LANES; lane++) mixing_signs_margin(b * LANES + lane, lane, T, who, when, key, m);
    #pragma unroll
    for (uint l = 0; l < DIGITS; l++) d[l] = edges[l * PACK_ROW + b];
    mixing_signs_subtract(d, m);
    #pragma unroll
    for (uint l = 0; l < DIGITS; l++) least[l] = d[min(l + 1, (uint)DIGITS - 1)];
}

// The changes of x, of two digits, when a vertex has flipped to a side: 1 for an edge that is gained now, -1 for one
// that was. signs and has are the words of its row, and sides those of their vertices.
INLINE void mixing_signs_change(pack signs, pack has, pack sides, uint side, pack *change)
{
    change[0] = has;
    change[1] = has & (signs ^ sides ^ (side - 1));
}

// The vertices of word number `lane` of pack b that flip, decided one after the other; least and x are those of the
// pack, and sides those of the word.
INLINE uint mixing_signs_decide(global const pack *matrix, uint b, uint lane, const pack *x, const pack *least,
                                uint sides)
{
    global const uint *words = (global const uint *)(matrix + b) + lane;
    const uint word = b * LANES + lane;
    pack spare[DIGITS], less[DIGITS];
    #pragma unroll
    for (uint l = 0; l < DIGITS; l++) {
        spare[l] = ((const uint *)&x[l])[lane];
        less[l] = ((const uint *)&least[l])[lane];
    }
    mixing_signs_subtract(spare, less);
    uint left = mixing_signs_free(word), flips = 0;
    for (;;) {
        const uint bits = ~*(const uint *)&spare[DIGITS - 1] & left;
        if (!bits) return flips;
        const uint k = 31u - clz(bits & -bits);
        global const uint *row = words + (ulong)(32 * word + k) * MATRIX_ROW * LANES;
        pack change[2];
        mixing_signs_change(row[0], COMPLETE ? NONE : row[ROW], sides, ~sides >> k & 1u, change);
        mixing_signs_add(spare, DIGITS, change, 2, 0);
        flips |= 1u << k;
        left &= 0xfffffffeu << k;
    }
}

// Adds the rows of the vertices of a word that have flipped, now on their new sides, to the x of pack b.
INLINE void mixing_signs_flip(global const pack *matrix, uint b, uint word, uint flips, uint now, pack sides,
                              pack *x)
{
    global const pack *rows = matrix + b;
    while (flips) {
        pack signs[TOGETHER], has[TOGETHER], sum[4] = {0, 0, 0, 0};
        uint rest = flips;
        #pragma unroll
        for (uint r = 0; r < TOGETHER; r++) {
            signs[r] = has[r] = 0;
            if (!rest) continue;
            global const pack *row = rows + (ulong)(32 * word + 31u - clz(rest & -rest)) * MATRIX_ROW;
            signs[r] = row[0];
            has[r] = COMPLETE ? (pack)(NONE) : row[PACK_ROW];
            rest &= rest - 1;
        }
        #pragma unroll
        for (uint r = 0; r < TOGETHER; r++) {
            if (!flips) continue;
            pack change[2];
            mixing_signs_change(signs[r], has[r], sides, now >> (31u - clz(flips & -flips)) & 1u, change);
            mixing_signs_add(sum, 4, change, 2, 0);
            flips &= flips - 1;
        }
        mixing_signs_add(x, DIGITS, sum, 4, 0);
    }
}

// Turns the vertices of word number `lane` of pack b that have flipped: their gained edges are the others now.
INLINE void mixing_signs_turn(global const pack *edges, uint b, uint lane, uint flips, pack *x, pack *sides)
{
    pack flipped = 0, d[DIGITS];
    ((uint *)&flipped)[lane] = flips;
    #pragma unroll
    for (uint l = 0; l < DIGITS; l++) {
        d[l] = edges[l * PACK_ROW + b] & flipped;
        x[l] ^= flipped;
    }
    mixing_signs_add(x, DIGITS, d, DIGITS, flipped);
    *sides ^= flipped;
}

// Sets the x of the chains from offset on. Chain i is a copy of chain mates[i], or new if that is none. The device has
// `count` chains. The x of a chain that stays are right, and those of a copy from another device are computed.
kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void mixing_signs_start(global const pack *restrict matrix, global const uint *restrict parents,
                        global const uint *restrict mates, global pack *fields, uint first, uint count, uint offset)
{
    const uint item = get_local_id(0), j = offset + get_group_id(0), mate = mates[first + j] - first;
    if (mate == j) return;
    global const uint *mine = parents + (ulong)(first + j) * WORDS;
    for (uint b = item; b < PACK_ROW; b += GROUP) {
        global pack *to = fields + (ulong)j * DIGITS * PACK_ROW + b;
        if (mate < count) {
            global const pack *from = fields + (ulong)mate * DIGITS * PACK_ROW + b;
            for (uint l = 0; l < DIGITS; l++) to[l * PACK_ROW] = from[l * PACK_ROW];
            continue;
        }
        pack x[DIGITS], sides = mixing_signs_sides(mine, b);
        for (uint l = 0; l < DIGITS; l++) x[l] = 0;
        for (uint v = 0; v < VERTICES; v++) {
            global const pack *row = matrix + (ulong)v * MATRIX_ROW + b;
            const pack has = COMPLETE ? (pack)(NONE) : row[PACK_ROW];
            const pack gained[2] = {has & (row[0] ^ sides ^ -(mine[v / 32] >> v % 32 & 1u)), 0};
            mixing_signs_add(x, DIGITS, gained, 2, 0);
        }
        for (uint l = 0; l < DIGITS; l++) to[l * PACK_ROW] = x[l];
    }
}

// Makes the sweeps [from, to) of the chains from offset on. room has 4 uints.
kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void mixing_signs_sweep(global const pack *restrict matrix, global const pack *restrict edges,
                        global const float *restrict temps, uint from, uint to, global uint *restrict parents,
                        global pack *restrict fields, global uint *restrict done, uint first, uint offset, uint who,
                        uint when, uint seed, uint run, local uint *room)
{
    const uint item = get_local_id(0), j = offset + get_group_id(0), i = first + j;
    global uint *mine = parents + (ulong)i * WORDS;
    global pack *kept = fields + (ulong)j * DIGITS * PACK_ROW;
    pack x[PACKS][DIGITS], sides[PACKS];
    UNROLL
    for (uint p = 0; p < PACKS; p++) {
        const uint b = p * GROUP + item;
        sides[p] = mixing_signs_sides(mine, b);
        #pragma unroll
        for (uint l = 0; l < DIGITS; l++) x[p][l] = b < PACK_ROW ? kept[l * PACK_ROW + b] : (pack)(0);
    }
    bool moved = !done[2 * j + 1];
    uint s = from;
    meet(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    for (; s < to && moved; s++) { // until a sweep at T = 0 has flipped nothing
        const float T = temps[s];
        moved = T > 0.0f;
        UNROLL
        for (uint c = 0; c < PACKS; c++) {
            const uint own = c * GROUP + item;
            pack least[DIGITS];
            if (own < PACK_ROW) mixing_signs_least(edges, own, T, who + i, when + s, (uint2)(seed, run), least);
            for (uint t = 0; t < GROUP * LANES && c * GROUP * LANES + t < WORDS; t++) {
                const uint word = c * GROUP * LANES + t, lane = t % LANES;
                const bool decides = item == t / LANES;
                // The items read a slot of room before the next barrier but one, after which it is written again.
                if (decides) {
                    uint *mySides = (uint *)&sides[c] + lane;
                    const uint flips = mixing_signs_decide(matrix, own, lane, x[c], least, *mySides);
                    room[2 * (t & 1u)] = flips;
                    room[2 * (t & 1u) + 1] = *mySides ^ flips;
                }
                meet(CLK_LOCAL_MEM_FENCE);
                const uint flips = room[2 * (t & 1u)], now = room[2 * (t & 1u) + 1];
                if (!flips) continue;
                moved = true;
                UNROLL
                for (uint p = 0; p < PACKS; p++) {
                    const uint b = p * GROUP + item;
                    if (b < PACK_ROW) mixing_signs_flip(matrix, b, word, flips, now, sides[p], x[p]);
                }
                if (!decides) continue;
                mixing_signs_turn(edges, own, lane, flips, x[c], &sides[c]);
            }
        }
    }
    UNROLL
    for (uint p = 0; p < PACKS; p++) {
        const uint b = p * GROUP + item;
        if (b >= PACK_ROW) continue;
        for (uint l = 0; l < DIGITS; l++) kept[l * PACK_ROW + b] = x[p][l];
        for (uint lane = 0; lane < LANES && b * LANES + lane < WORDS; lane++)
            mine[b * LANES + lane] = ((uint *)&sides[p])[lane];
    }
    if (item == 0) {
        done[2 * j] += s - from;
        done[2 * j + 1] = !moved;
    }
}

// Changes the x of the chains from offset on from those of next[j] to those of its parent first + j. Those of a chain
// with mates[first + j] = first + j are right.
kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void mixing_signs_follow(global const pack *restrict matrix, global const pack *restrict edges,
                         global const uint *restrict parents, global const uint *restrict next,
                         global const uint *restrict mates, global pack *restrict fields, uint first, uint offset)
{
    const uint item = get_local_id(0), j = offset + get_group_id(0), i = first + j;
    if (mates[i] == i) return;
    global const uint *mine = parents + (ulong)i * WORDS, *was = next + (ulong)j * WORDS;
    for (uint b = item; b < PACK_ROW; b += GROUP) {
        global pack *kept = fields + (ulong)j * DIGITS * PACK_ROW + b;
        pack x[DIGITS], sides = mixing_signs_sides(was, b);
        for (uint l = 0; l < DIGITS; l++) x[l] = kept[l * PACK_ROW];
        for (uint word = 0; word < WORDS; word++) {
            const uint flips = mine[word] ^ was[word];
            if (!flips) continue;
            mixing_signs_flip(matrix, b, word, flips, mine[word], sides, x);
            if (word / LANES == b) mixing_signs_turn(edges, b, word % LANES, flips, x, &sides);
        }
        for (uint l = 0; l < DIGITS; l++) kept[l * PACK_ROW] = x[l];
    }
}

// Computes the cuts and hashes of the chains from offset on, from their x. total is the sum of all weights, as if that
// of each edge were larger by MAGNITUDE. room has two ulongs for each item.
kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void mixing_signs_evaluate(global const uint *restrict zobrist, global const uint *restrict parents,
                           global const uint *restrict fields, global uint *restrict states, long total, uint first,
                           uint offset, local ulong *room)
{
    const uint item = get_local_id(0), j = offset + get_group_id(0);
    global const uint *mine = parents + (ulong)(first + j) * WORDS, *x = fields + (ulong)j * DIGITS * ROW;
    ulong gained = 0, hash = 0; // gained edges, at both ends
    for (uint k = item; k < WORDS; k += GROUP) {
        const uint inside = mixing_signs_inside(k);
        for (uint l = 0; l < DIGITS; l++) gained += (ulong)popcount(x[l * ROW + k] & inside) << l;
        for (uint rest = mine[k]; rest; rest &= rest - 1) {
            const uint v = 32 * k + 31u - clz(rest & -rest);
            hash ^= (ulong)zobrist[2 * v] | (ulong)zobrist[2 * v + 1] << 32;
        }
    }
    room[item] = gained;
    room[GROUP + item] = hash;
    meet(CLK_LOCAL_MEM_FENCE);
    if (item != 0) return;
    for (uint k = 1; k < GROUP; k++) {
        gained += room[k];
        hash ^= room[GROUP + k];
    }
    global uint *state = states + (ulong)j * STATE;
    const ulong cut = (ulong)((total - (long)MAGNITUDE * (long)gained) / 2);
    state[CUT_LO] = (uint)cut;
    state[CUT_LO + 1] = (uint)(cut >> 32);
    state[HASH_LO] = (uint)hash;
    state[HASH_LO + 1] = (uint)(hash >> 32);
}
