// mixing/components.cl: mixing by connected components (see solvers/mixing/internal/engine/mix.go).
// Comes after mixing/gomea.cl.
//
// D is the set of vertices in which a parent and its mate differ, or its complement if that is smaller. The connected
// components of D in the graph do not touch, so that each one is taken over or not by its own gain. One work-group
// makes one offspring. The smallest vertex of a component represents it, whatever the order of work-items.
//
//   parents, next, states  as in mixing/gomea.cl; next holds D while the group works
//   mates[j]               the mate of offspring j: a parent, MATE_ELITE (only gains are taken, and without any
//                          gain the elitist itself), or NONE (the parent stays)
//   label[s·VERTICES + v]  scratch of work-group s: a vertex of the component of v, in the end the smallest one
//   gain[s·VERTICES + v]   the gain of the component that v represents
//
// Defines: those of mixing/gomea.cl. The sum of all absolute weights must fit an int.

#define MATE_ELITE 0xfffffffeu

// The vertex that represents v so far (Jaiganesh and Burtscher 2018, doi:10.1145/3208040.3208041). The function halves
// the paths that it follows; labels only decrease.
static uint mixing_components_root(volatile global uint *label, uint v)
{
    uint at = label[v];
    if (at == v) return v;
    uint before = v;
    for (uint next = label[at]; at > next; next = label[at]) {
        label[before] = next;
        before = at;
        at = next;
    }
    return at;
}

// Joins the components of u and v.
static void mixing_components_join(volatile global uint *label, uint u, uint v)
{
    uint a = mixing_components_root(label, u), b = mixing_components_root(label, v);
    while (a != b) {
        if (a < b) {
            const uint t = a;
            a = b;
            b = t;
        }
        const uint seen = atomic_cmpxchg(label + a, a, b);
        if (seen == a) return;
        a = mixing_components_root(label, seen);
    }
}

#define IN(row, v) (row[(v) >> 5] >> ((v) & 31u) & 1u)

// Mixes an offspring with its mate: it takes over each connected component of their difference that gains.
// room has 8 uints: 0 the size of D, 1 the gain of all components taken, 2 and 3 their hash, 4 the number of
// components, 5 whether any was taken, 6 the edges with an end in D.
kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void mixing_components(global const uint *restrict off, global const uint *restrict nbr,
                       global const WEIGHT *restrict w, global const uint *restrict zobrist,
                       global const uint *restrict parents, global const uint *restrict elite,
                       global const uint *restrict mates, global uint *next,
                       global uint *restrict states, uint first, uint offset, volatile global uint *labels,
                       volatile global int *gains, long best, ulong hash, ulong whole, local uint *room)
{
    const uint item = get_local_id(0), j = offset + get_group_id(0), i = first + j, mate = mates[j];
    volatile global uint *label = labels + (ulong)get_group_id(0) * VERTICES;
    volatile global int *gain = gains + (ulong)get_group_id(0) * VERTICES;
    global const uint *own = parents + (ulong)i * WORDS;
    global const uint *other = mate == MATE_ELITE ? elite : parents + (ulong)(mate == NONE ? i : mate) * WORDS;
    global uint *d = next + (ulong)j * WORDS, *state = states + STATE * j;
    const bool forced = mate == MATE_ELITE;
    const ulong ownHash = (ulong)state[HASH_LO] | (ulong)state[HASH_LO + 1] << 32,
                ownCut = (ulong)state[CUT_LO] | (ulong)state[CUT_LO + 1] << 32;
    const bool leads = (long)ownCut > best
                       || ((long)ownCut == best && (ownHash == hash || ownHash == (hash ^ whole)));
    if (item < 8) room[item] = 0;
#if GROUP < 8
    if (item == 0)
        for (uint s = GROUP; s < 8; s++) room[s] = 0;
#endif
    meet(CLK_LOCAL_MEM_FENCE);
    uint size = 0;
    for (uint k = item; k < WORDS; k += GROUP) size += popcount(own[k] ^ other[k]);
    if (size) atomic_add(room, size);
    meet(CLK_LOCAL_MEM_FENCE);
    const uint turned = 2 * room[0] > VERTICES ? ~0u : 0u;
    for (uint k = item; k < WORDS; k += GROUP) {
        uint bits = own[k] ^ other[k] ^ turned;
        if (32 * k >= VERTICES) bits = 0;
        else if (VERTICES - 32 * k < 32) bits &= 0xffffffffu >> (32u - (VERTICES - 32 * k));
        d[k] = bits;
    }
    for (uint v = item; v < VERTICES; v += GROUP) {
        label[v] = v;
        gain[v] = 0;
    }
    meet(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    for (uint v = item; v < VERTICES; v += GROUP) {
        if (!IN(d, v)) continue;
        for (uint e = off[v]; e < off[v + 1] && nbr[e] < v; e++) // neighbours are in increasing order
            if (IN(d, nbr[e])) mixing_components_join(label, nbr[e], v);
    }
    meet(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    uint edges = 0, components = 0;
    for (uint v = item; v < VERTICES; v += GROUP) {
        if (!IN(d, v)) continue;
        const uint root = mixing_components_root(label, v), side = IN(own, v);
        components += root == v;
        int change = 0;
        for (uint e = off[v]; e < off[v + 1]; e++) {
            const uint u = nbr[e];
            if (IN(d, u)) edges += u < v;
            else {
                change += (side ^ IN(own, u)) ? -(int)w[e] : (int)w[e];
                edges++;
            }
        }
        if (change) atomic_add(gain + root, change);
    }
    if (components) atomic_add(room + 4, components);
    if (edges) atomic_add(room + 6, edges);
    meet(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    // Take components over. The gain of one counts once, at the vertex that represents it.
    for (uint k = item; k < WORDS; k += GROUP) {
        uint taken = 0;
        ulong h = 0;
        int change = 0;
        for (uint left = d[k]; left; left &= left - 1) {
            const uint v = 32u * k + 31u - clz(left & -left), root = mixing_components_root(label, v);
            const int g = gain[root];
            if (g < 0 || (g == 0 && (forced || leads))) continue;
            taken |= left & -left;
            h ^= (ulong)zobrist[2 * v] | (ulong)zobrist[2 * v + 1] << 32;
            if (root == v) change += g;
        }
        d[k] = own[k] ^ taken;
        if (change) atomic_add(room + 1, (uint)change);
        if ((uint)h) atomic_xor(room + 2, (uint)h);
        if ((uint)(h >> 32)) atomic_xor(room + 3, (uint)(h >> 32));
        if (taken) room[5] = 1;
    }
    meet(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    const bool copied = forced && !room[5];
    if (copied)
        for (uint k = item; k < WORDS; k += GROUP) d[k] = elite[k];
    if (item != 0) return;
    const ulong cut = copied ? (ulong)best : ownCut + room[1],
                newHash = copied ? hash : ownHash ^ ((ulong)room[2] | (ulong)room[3] << 32);
    state[CUT_LO] = (uint)cut;
    state[CUT_LO + 1] = (uint)(cut >> 32);
    state[HASH_LO] = (uint)newHash;
    state[HASH_LO + 1] = (uint)(newHash >> 32);
    state[ACCEPTED] = room[5];
    state[VALUES_LO] = room[4];
    state[EDGES_LO] = room[6];
    state[EDGES_LO + 1] = 0;
    state[VALUES_LO + 1] = 0;
}
