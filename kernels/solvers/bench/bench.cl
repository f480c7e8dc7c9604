// bench/bench.cl: measures the best rates of a device, with which clopt bench compares those of a run.
// Define: CHAINS.
//
// bench_copy: copies n vectors of four words. Items walk through the vectors with a stride of their number.
//   launch: any number of items, in groups of GROUP.
// bench_fma: every item makes rounds × CHAINS fused multiply-adds, in CHAINS chains that do not wait for each
//   other. It stores the sum in out[item], so that no compiler can leave anything out.
//   launch: one item per element of out, in groups of GROUP.

// Copies n vectors of four words, to measure the bandwidth of memory.
kernel void bench_copy(global const uint *from, global uint *to, const uint n)
{
    for (uint i = get_global_id(0); i < n; i += get_global_size(0)) vstore4(vload4(i, from), i, to);
}

// Makes fused multiply-adds in chains, to measure the rate of arithmetic.
kernel void bench_fma(global real *out, const real a, const real b, const uint rounds)
{
    const uint item = get_global_id(0);
    const real4 u = (real4)(a), w = (real4)(b);
    real4 v[CHAINS / 4];
#pragma unroll
    for (uint k = 0; k < CHAINS / 4; k++) v[k] = (real4)((real)(item + k));
    for (uint r = 0; r < rounds; r++) {
#pragma unroll
        for (uint k = 0; k < CHAINS / 4; k++) v[k] = fma(v[k], u, w);
    }
    real4 s = (real4)(R(0.0));
#pragma unroll
    for (uint k = 0; k < CHAINS / 4; k++) s += v[k];
    out[item] = (s.x + s.y) + (s.z + s.w);
}
