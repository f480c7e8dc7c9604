// check.cl: runs parts of the library that the host compares with its own results.
//
// check_draws: for quad b, words[4b..] of counter (b, who, when, purpose), and the
//   uniforms and normals of its four variables.
//   launch: one item per quad.
// check_sum: the sum of GROUP reals by the tree of group_sums, for each group.
//   launch: groups of GROUP items.

// Computes words, uniforms and normals of draws, which the host compares with its own.
kernel void check_draws(global uint *words, global float *uniforms, global float *normals,
                        const uint seed, const uint run, const uint who, const uint when, const uint purpose)
{
    const uint b = get_global_id(0);
    const uint4 w = draw_words(b, who, when, purpose, (uint2)(seed, run));
    for (uint i = 0; i < 4; i++) {
        words[4 * b + i] = draw_pick(w, i);
        uniforms[4 * b + i] = (float)draw_uniform(draw_pick(w, i));
        normals[4 * b + i] = draw_normal(w, i);
    }
}

// Adds the reals of a group as a tree, which the host compares with its own sum.
kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void check_sum(global const real *values, global sum *out)
{
    local sum tree[GROUP];
    sum v = sum_zero();
    sum_add(&v, values[get_global_id(0)]);
    group_sums(&v, 1, tree);
    if (get_local_id(0) == 0) out[get_group_id(0)] = tree[0];
}
