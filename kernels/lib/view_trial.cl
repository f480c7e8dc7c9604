// view_trial.cl: uniform points under watch, for the trial of a user's objective:
// a tile may read only what the problem declares. A read outside is noted and
// gives the middle of the box instead.
//
// view_noted[0] = number of reads outside, [1] and [2] = the variable and the
// first variable of the tile of one of them.
// Defines: TRIAL_REACH (variables a tile reads after its own), TRIAL_WHOLE.

typedef struct { uint2 key; uint who, first, end; global uint *noted; } point;

#define VIEW_PARAMS const uint view_seed, const uint view_run, global uint *view_noted
#define VIEW_POINT(p, i) trial_point(view_seed, view_run, p, i, view_noted)

static point trial_point(uint seed, uint run, uint p, uint i, global uint *noted)
{
    point x = { (uint2)(seed, run), p, 0, DIM, noted };
#if !TRIAL_WHOLE
    const uint last = TILE_VARS * (TILES - 1);
    x.first = min(i, DIM);
    x.end = i >= last ? DIM : min(i + TILE_VARS + TRIAL_REACH, DIM);
#endif
    return x;
}

static real at(point x, uint i)
{
    if (i < x.first || i >= x.end) {
        if (atomic_inc(x.noted) == 0) {
            x.noted[1] = i;
            x.noted[2] = x.first;
        }
        return R(0.5) * (BOX_LO + BOX_HI);
    }
    return draw_in_box(i, x.who, 0, DRAW_CHECK, x.key);
}
