// bench/bench.cl: what a device can do at best, for the shares that bench tells.
// Define: CHAINS.
//
// bench_copy: n vectors of four words each, from from to to; items walk the vectors with a
//   stride of their number. Launch: any number of items in groups of GROUP.
// bench_fma: every item makes rounds × CHAINS fused multiply-adds, in CHAINS chains that do
//   not wait for each other; the sum is stored so that none of it can be left out.
//   out[item]. Launch: one item an element of out, in groups of GROUP.

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
