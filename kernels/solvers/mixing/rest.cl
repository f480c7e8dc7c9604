// mixing/rest.cl: notes when annealing of a graph has come to rest, for mixing/dense.cl (a unit is a chain) and
// mixing/slice.cl (a unit is 32 chains, which share words).
//
//   done[2i]      number of sweeps that unit i has made
//   done[2i+1]    1 after a sweep at T = 0 that flipped nothing; 2 if the sweep in progress has flipped something (any
//                 item writes it)

#define AT_REST 1
#define FLIPPED 2

// Counts a sweep of the units from offset on, and notes which of them have come to rest.
kernel void mixing_anneal_count(float T, global uint *restrict done, uint offset)
{
    const uint i = offset + get_global_id(0);
    if (done[2 * i + 1] == AT_REST) return;
    done[2 * i] += 1;
    done[2 * i + 1] = T == 0.0f && done[2 * i + 1] == 0;
}
