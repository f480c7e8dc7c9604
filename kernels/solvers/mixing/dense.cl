// mixing/dense.cl: annealing of partitions of a graph that has most of all possible edges (see
// solvers/mixing/internal/engine/dense.go).
//
// Vertices are decided one after the other. The field of a vertex v is h_v = Σ_j w_vj s_j, where s_j is 1 on side 0 and
// -1 on side 1. A flip of v changes the cut by g = s_v h_v and is made if g >= -m, where m is the integer part of
// -T·ln(u): always if g >= 0. At T = 0 it is made if g > 0. A flip adds a row of the matrix to all fields.
//
// A work-group anneals a chain. Each item keeps the fields of its packs of 16 consecutive vertices, and all items look
// for the next vertex that flips. The anchor, the vertex with the largest weights, never flips: a partition and its
// complement are the same cut.
//
//   matrix[v·ROW + b]          weights of the edges from vertex v to pack b; 0 for the anchor
//   anchored[b]                weights of the edges from the anchor to pack b
//   temps[s]                   T of sweep s; 0 at the end
//   parents[4·(i·WORDS/2) + b] sides of pack b of chain i
//   mates[i]                   what chain i has become a copy of
//   next[j·WORDS + k]          what chain first + j was before
//   fields[j·ROW + b]          of chain first + j
//   done                       of chain first + j at j, see mixing/rest.cl
//
// Draws: index a quad of vertices, who the chain, when the sweep.
// Defines: those of mixing/gomea.cl, ROW (packs), PACKS (of a work-item), ANCHOR, SUM (int or long: of fields), ENTRY
// (char or SUM: of the matrix).

#define JOIN_(a, b) a##b
#define JOIN(a, b) JOIN_(a, b)
typedef JOIN(SUM, 16) sums;
typedef JOIN(ENTRY, 16) entries;
typedef ushort pack; // a bit for each vertex
#define SUMS JOIN(convert_, JOIN(SUM, 16))
#define SUM_SAT JOIN(JOIN(convert_, SUM), _sat)
#define MOST ((SUM)1 << (8 * sizeof(SUM) - 2)) /* more than any gain */

#if GROUP == 1
#define UNROLL
#else
#define UNROLL _Pragma("unroll")
#endif

// The vertices of pack b that may flip, as bits.
static uint mixing_dense_free(uint b)
{
    const uint all = b + 1 < ROW ? 0xffffu : b + 1 == ROW ? 0xffffu >> (16 * ROW - VERTICES) : 0u;
    return b == ANCHOR / 16 ? all & ~(1u << ANCHOR % 16) : all;
}

// s_j of each vertex.
static sums mixing_dense_signs(uint sides)
{
    const uint16 k = (uint16)(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
    return 1 - 2 * SUMS((uint16)(sides) >> k & 1u);
}

// The smallest gains with which the vertices of pack b flip.
static sums mixing_dense_least(uint b, float T, uint who, uint when, uint2 key)
{
    if (T == 0.0f) return (sums)(1);
    SUM least[16];
    #pragma unroll
    for (uint k = 0; k < 4; k++) {
        const uint4 words = draw_words(4 * b + k, who, when, DRAW_FLIP, key);
        least[4 * k] = -SUM_SAT(-T * draw_log_uniform(words.x));
        least[4 * k + 1] = -SUM_SAT(-T * draw_log_uniform(words.y));
        least[4 * k + 2] = -SUM_SAT(-T * draw_log_uniform(words.z));
        least[4 * k + 3] = -SUM_SAT(-T * draw_log_uniform(words.w));
    }
    return vload16(0, least);
}

// The elements that are not negative, as bits. Most often there are none.
static uint mixing_dense_bits(sums v)
{
    const SUM all = v.s0 & v.s1 & v.s2 & v.s3 & v.s4 & v.s5 & v.s6 & v.s7 & v.s8 & v.s9 & v.sa & v.sb & v.sc & v.sd
                    & v.se & v.sf;
    if (all < 0) return 0;
    const sums b = (v >= 0) & (sums)(1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048, 4096, 8192, 16384, 32768);
    return (uint)(b.s0 | b.s1 | b.s2 | b.s3 | b.s4 | b.s5 | b.s6 | b.s7
                  | b.s8 | b.s9 | b.sa | b.sb | b.sc | b.sd | b.se | b.sf);
}

// Sets the fields of the chains from offset on. Chain i is a copy of chain mates[i], or new if that is none. The device
// has `count` chains. Fields of a chain that stays are right, and those of a copy from another device are computed.
kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void mixing_dense_start(global const entries *restrict matrix, global const sums *restrict anchored,
                        global const pack *restrict parents, global const uint *restrict mates, global sums *fields,
                        uint first, uint count, uint offset)
{
    const uint item = get_local_id(0), j = offset + get_group_id(0), mate = mates[first + j] - first;
    if (mate == j) return;
    if (mate < count) {
        for (uint b = item; b < ROW; b += GROUP) fields[(ulong)j * ROW + b] = fields[(ulong)mate * ROW + b];
        return;
    }
    global const pack *mine = parents + (ulong)(first + j) * 2 * WORDS;
    const SUM side = 1 - 2 * (SUM)(mine[ANCHOR / 16] >> ANCHOR % 16 & 1u);
    sums h[PACKS];
    UNROLL
    for (uint p = 0; p < PACKS; p++) {
        const uint b = p * GROUP + item;
        h[p] = b < ROW ? anchored[b] * side : (sums)(0);
    }
    for (uint v = 0; v < VERTICES; v++) {
        const SUM s = 1 - 2 * (SUM)(mine[v / 16] >> v % 16 & 1u);
        UNROLL
        for (uint p = 0; p < PACKS; p++) {
            const uint b = p * GROUP + item;
            if (b < ROW) h[p] += SUMS(matrix[(ulong)v * ROW + b]) * s;
        }
    }
    UNROLL
    for (uint p = 0; p < PACKS; p++) {
        const uint b = p * GROUP + item;
        if (b < ROW) fields[(ulong)j * ROW + b] = h[p];
    }
}

// Makes the sweeps [from, to) of the chains from offset on. room has 3 uints.
kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void mixing_dense_sweep(global const entries *restrict matrix, global const float *restrict temps, uint from, uint to,
                        global pack *restrict parents, global sums *restrict fields, global uint *restrict done,
                        uint first, uint offset, uint who, uint when, uint seed, uint run, local uint *room)
{
    const uint item = get_local_id(0), j = offset + get_group_id(0), i = first + j;
    global pack *mine = parents + (ulong)i * 2 * WORDS;
    sums h[PACKS];
    uint sides[PACKS];
    UNROLL
    for (uint p = 0; p < PACKS; p++) {
        const uint b = p * GROUP + item;
        h[p] = b < ROW ? fields[(ulong)j * ROW + b] : (sums)(0);
        sides[p] = b < ROW ? mine[b] : 0u;
    }
    if (item == 0) room[0] = room[1] = room[2] = NONE;
    bool moved = !done[2 * j + 1];
    uint s = from, turn = 0;
    meet(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    for (; s < to && moved; s++) { // until a sweep at T = 0 has flipped nothing
        const float T = temps[s];
        moved = T > 0.0f;
        UNROLL
        for (uint c = 0; c < PACKS; c++) {
            const uint own = c * GROUP + item;
            uint left = mixing_dense_free(own);
            const sums signs = mixing_dense_signs(sides[c]);
            sums least = signs;
            if (left) // no gain is large enough for vertices that may not flip
                least = max(mixing_dense_least(own, T, who + i, when + s, (uint2)(seed, run)),
                            mixing_dense_signs(left) * MOST);
            for (;;) {
                // The first vertex that flips, of all items. Its slot of room was cleared two turns before.
                if (left) {
                    const uint bits = mixing_dense_bits(h[c] * signs - least) & left;
                    if (bits) {
                        const uint k = 31u - clz(bits & -bits);
                        atomic_min(room + turn, 32 * own + 2 * k + (sides[c] >> k & 1u));
                    }
                }
                meet(CLK_LOCAL_MEM_FENCE);
                const uint next = room[turn];
                turn = turn == 2 ? 0 : turn + 1;
                if (item == 0) room[turn == 2 ? 0 : turn + 1] = NONE;
                if (next == NONE) break;
                const uint v = next >> 1;
                const SUM change = next & 1u ? 2 : -2;
                UNROLL
                for (uint p = 0; p < PACKS; p++) {
                    const uint b = p * GROUP + item;
                    if (b < ROW) h[p] += SUMS(matrix[(ulong)v * ROW + b]) * change;
                }
                moved = true;
                if (own < v / 16) left = 0;
                else if (own == v / 16) {
                    left &= 0xfffeu << v % 16;
                    sides[c] ^= 1u << v % 16;
                }
            }
        }
    }
    UNROLL
    for (uint p = 0; p < PACKS; p++) {
        const uint b = p * GROUP + item;
        if (b >= ROW) continue;
        fields[(ulong)j * ROW + b] = h[p];
        mine[b] = (pack)sides[p];
    }
    if (item == 0) {
        done[2 * j] += s - from;
        done[2 * j + 1] = !moved;
    }
}

// Changes the fields of the chains from offset on from those of next[j] to those of its parent first + j. Those of a
// chain with mates[first + j] = first + j are right.
kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void mixing_dense_follow(global const entries *restrict matrix, global const uint *restrict parents,
                         global const uint *restrict next, global const uint *restrict mates,
                         global sums *restrict fields, uint first, uint offset)
{
    const uint item = get_local_id(0), j = offset + get_group_id(0), i = first + j;
    if (mates[i] == i) return;
    sums h[PACKS];
    UNROLL
    for (uint p = 0; p < PACKS; p++) {
        const uint b = p * GROUP + item;
        h[p] = b < ROW ? fields[(ulong)j * ROW + b] : (sums)(0);
    }
    for (uint k = 0; k < WORDS; k++) {
        const uint now = parents[(ulong)i * WORDS + k];
        for (uint rest = now ^ next[(ulong)j * WORDS + k]; rest; rest &= rest - 1) {
            const uint at = 31u - clz(rest & -rest), v = 32 * k + at;
            const SUM change = now >> at & 1u ? -2 : 2;
            UNROLL
            for (uint p = 0; p < PACKS; p++) {
                const uint b = p * GROUP + item;
                if (b < ROW) h[p] += SUMS(matrix[(ulong)v * ROW + b]) * change;
            }
        }
    }
    UNROLL
    for (uint p = 0; p < PACKS; p++) {
        const uint b = p * GROUP + item;
        if (b < ROW) fields[(ulong)j * ROW + b] = h[p];
    }
}

// Computes the cuts and hashes of the chains from offset on, from their fields. total is the sum of all weights. room
// has two ulongs for each item.
kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void mixing_dense_evaluate(global const sums *restrict anchored, global const uint *restrict zobrist,
                           global const pack *restrict parents, global const sums *restrict fields,
                           global uint *restrict states, long total, uint first, uint offset, local ulong *room)
{
    const uint item = get_local_id(0), j = offset + get_group_id(0);
    global const pack *mine = parents + (ulong)(first + j) * 2 * WORDS;
    const SUM side = 1 - 2 * (SUM)(mine[ANCHOR / 16] >> ANCHOR % 16 & 1u);
    long sum = 0; // of w_uv s_u s_v, twice over all edges
    ulong hash = 0;
    for (uint b = item; b < ROW; b += GROUP) {
        const uint sides = mine[b], free = mixing_dense_free(b);
        SUM h[16];
        vstore16(fields[(ulong)j * ROW + b] + anchored[b] * side, 0, h);
        for (uint k = 0; k < 16; k++) {
            if (free >> k & 1u) sum += sides >> k & 1u ? -(long)h[k] : (long)h[k];
            if (sides >> k & 1u) hash ^= (ulong)zobrist[2 * (16 * b + k)]
                                         | (ulong)zobrist[2 * (16 * b + k) + 1] << 32;
        }
    }
    room[item] = (ulong)sum;
    room[GROUP + item] = hash;
    meet(CLK_LOCAL_MEM_FENCE);
    if (item != 0) return;
    for (uint k = 1; k < GROUP; k++) {
        sum += (long)room[k];
        hash ^= room[GROUP + k];
    }
    global uint *state = states + (ulong)j * STATE;
    const ulong cut = (ulong)((2 * total - sum) / 4);
    state[CUT_LO] = (uint)cut;
    state[CUT_LO + 1] = (uint)(cut >> 32);
    state[HASH_LO] = (uint)hash;
    state[HASH_LO + 1] = (uint)(hash >> 32);
}
