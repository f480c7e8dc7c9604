// mixing/rest.cl: when annealing of a graph has come to rest, for mixing/anneal.cl (a unit is a chain) and
// mixing/slice.cl (32 chains in the bits of words).
//
//   done[2i]      sweeps that unit i made
//   done[2i+1]    1 once a sweep at T = 0 flipped nothing; 2 (any item writes it) where the sweep in progress flipped

#define AT_REST 1
#define FLIPPED 2

// Counts a sweep of the units offset + dimension 0 that has ended, and notes units that have come to rest.
kernel void mixing_anneal_count(float T, global uint *restrict done, uint offset)
{
    const uint i = offset + get_global_id(0);
    if (done[2 * i + 1] == AT_REST) return;
    done[2 * i] += 1;
    done[2 * i + 1] = T == 0.0f && done[2 * i + 1] == 0;
}
