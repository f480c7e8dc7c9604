// mixing/anneal.cl: annealing of partitions of a graph by classes of vertices (see solvers/mixing/annealgraph.go).
//
// Vertices of one class are not neighbours, so that all of them are decided at once from the sides of their
// neighbours. A flip that changes the cut by g is made if g >= -m, where m is the integer part of -T·ln(u): always if
// g >= 0. At T = 0 it is made if g > 0.
//
//   off[v], nbr[e], w[e]       the graph in compressed rows
//   vertices[q], classes[k]    class k is vertices[classes[k] … classes[k+1])
//   temps[s]                   T of sweep s; 0 at the end
//   parents[i·WORDS + k]       word k of the partition of chain i, 32 vertices a word
//   done                       of chain first + j at j, see mixing/rest.cl
//
// Draws: index q, who the chain, when the sweep. A quad is four consecutive places q of vertices, which share a draw.
// Defines: those of mixing/gomea.cl, and CLASSES.

// Decides the vertices on the places of quad b that belong to [begin, end). Returns whether any flipped.
static uint mixing_anneal_quad(global const uint *off, global const uint *nbr, global const WEIGHT *w,
                               global const uint *vertices, bits o, uint b, uint begin, uint end, float T,
                               uint who, uint when, uint2 key)
{
    uint4 words = (uint4)(0);
    bool drawn = false;
    uint any = 0;
    for (uint q = max(4 * b, begin); q < min(4 * b + 4, end); q++) {
        const uint v = vertices[q], own = o[v >> 5] >> (v & 31u), last = off[v + 1];
        WEIGHT g = 0;
        for (uint e = off[v]; e < last; e++) g += (own ^ o[nbr[e] >> 5] >> (nbr[e] & 31u)) & 1u ? -w[e] : w[e];
        long least = 1;
        if (g <= 0 && T > 0.0f && (float)g > -17.0f * T) { // ln(u) > -17
            if (!drawn) words = draw_words(b, who, when, DRAW_FLIP, key);
            drawn = true;
            least = -(long)(-T * draw_log_uniform(draw_pick(words, q & 3u)));
        }
        if (g < least) continue;
        any = 1;
#if GROUP == 1 && RESIDENT
        o[v >> 5] ^= 1u << (v & 31u);
#else
        atomic_xor(o + (v >> 5), 1u << (v & 31u));
#endif
    }
    return any;
}

#if RESIDENT

// Makes the sweeps [from, to) with one work-group per chain, whose words stay in local memory.
kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void mixing_anneal_sweep(global const uint *restrict off, global const uint *restrict nbr,
                         global const WEIGHT *restrict w, global const uint *restrict vertices,
                         global const uint *restrict classes, global const float *restrict temps,
                         uint from, uint to, global uint *restrict parents,
                         global uint *restrict done, uint first, uint offset, uint who, uint when, uint seed, uint run,
                         local uint *room)
{
    const uint item = get_local_id(0), j = offset + get_group_id(0), i = first + j;
    local uint *o = room, *flipped = room + WORDS;
    global uint *mine = parents + (ulong)i * WORDS;
    for (uint k = item; k < WORDS; k += GROUP) o[k] = mine[k];
    if (item == 0) {
        flipped[0] = !done[2 * j + 1];
        flipped[1] = 0; // sweeps made
    }
    meet(CLK_LOCAL_MEM_FENCE);
    for (uint s = from; s < to; s++) {
        const float T = temps[s];
        if (!flipped[0]) break; // the last sweep, at T = 0, changed nothing
        meet(CLK_LOCAL_MEM_FENCE);
        if (item == 0) {
            flipped[0] = T > 0.0f;
            flipped[1]++;
        }
        meet(CLK_LOCAL_MEM_FENCE);
        for (uint k = 0; k < CLASSES; k++) {
            const uint begin = classes[k], end = classes[k + 1];
            uint any = 0;
            for (uint b = (begin >> 2) + item; 4 * b < end; b += GROUP)
                any |= mixing_anneal_quad(off, nbr, w, vertices, o, b, begin, end, T, who + i, when + s,
                                          (uint2)(seed, run));
            if (any && T == 0.0f) flipped[0] = 1;
            meet(CLK_LOCAL_MEM_FENCE);
        }
    }
    for (uint k = item; k < WORDS; k += GROUP) mine[k] = o[k];
    if (item == 0) {
        done[2 * j] += flipped[1];
        done[2 * j + 1] = !flipped[0];
    }
}

#else

// Makes one sweep over one class for the chains from offset on. Dimension 0 is the quad, dimension 1 the chain.
kernel void mixing_anneal_class(global const uint *restrict off, global const uint *restrict nbr,
                                global const WEIGHT *restrict w, global const uint *restrict vertices,
                                uint begin, uint end, float T, global uint *restrict parents,
                                global uint *restrict done, uint first, uint offset,
                                uint who, uint when, uint seed, uint run)
{
    const uint b = (begin >> 2) + (uint)get_global_id(0), j = offset + get_global_id(1), i = first + j;
    if (done[2 * j + 1] == AT_REST) return;
    if (mixing_anneal_quad(off, nbr, w, vertices, parents + (ulong)i * WORDS, b, begin, end, T, who + i, when,
                           (uint2)(seed, run)) && T == 0.0f)
        done[2 * j + 1] = FLIPPED;
}

#endif
