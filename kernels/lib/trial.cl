// trial.cl: evaluates components of a user's objective one by one, each with guards around the array that it writes.
// Comes after a problem in item form under lib/view_trial.cl.
//
// The array is inner, r or acc. It has GUARD numbers before and after its TRIAL_LENGTH elements. They are numbered from
// 0 to 2*GUARD - 1; those from other_lo to other_hi - 1 have another value than the rest. The hash of a component is of
// the variables that it reads and the numbers that it writes. If it depends on the guards, the component reads outside
// of the array. The host finds reads outside of tables in the same way.
//
// Defines: GUARD; RESIDUALS (the problem defines residuals(k, x, d, r), which writes so many numbers).

#if INNER
#define TRIAL_LENGTH INNER
#elif defined(RESIDUALS)
#define TRIAL_LENGTH RESIDUALS
#else
#define TRIAL_LENGTH ACCS
#endif

// The value of element q of the guards. No text writes the usual one, and sums with it change.
static real trial_guard(uint q, uint lo, uint hi) { return q >= lo && q < hi ? R(-3.5) : R(1.7e-23); }

// Notes that component k wrote to an element outside of the array.
static void trial_wrote(point x, uint k, int index)
{
    if (atomic_inc(x.noted + 6) == 0) {
        x.noted[7] = index;
        x.noted[8] = k;
    }
}

// All NaN have the same hash.
static uint trial_hash(uint h, real v)
{
#if REAL_BITS == 64
    const ulong bits = isnan(v) ? 0x7ff8000000000000UL : as_ulong(v);
    h = (h ^ (uint)(bits >> 32)) * 0x85ebca77u;
    h ^= h >> 15;
    h = (h ^ (uint)bits) * 0x9e3779b1u;
#else
    h = (h ^ (isnan(v) ? 0x7fc00000u : as_uint(v))) * 0x9e3779b1u;
#endif
    return h ^ h >> 16;
}

// Writes a hash of what each component from number first on reads and writes, and what it adds to the accumulators:
// terms[(k - first)*ACCS + a]. It takes long to look at guards, so that only those of some components are looked at
// unless look is 1.
kernel void trial_components(const uint number, const uint first, const uint count, const uint look,
                             const uint other_lo, const uint other_hi, TRIAL_PARAMS, global uint *hashes,
                             global real *terms, global uint *noted, global uint *marks DATA_PARAMS)
{
    const uint i = get_global_id(0), k = first + i;
    if (i >= count) return;
    DATA_INIT;
    uint h = 0;
    const point x = trial_point(number, k, d, view_x, view_lo, noted, marks, &h);
    const bool guarded = look || k < 1024 || k % 4096 == 0 || k + 1 == COMPS;
    real room[GUARD + TRIAL_LENGTH + GUARD], *a = room + GUARD;
    for (int q = 0; guarded && q < GUARD; q++) {
        room[q] = trial_guard(q, other_lo, other_hi);
        a[TRIAL_LENGTH + q] = trial_guard(GUARD + q, other_lo, other_hi);
    }
    for (int j = 0; j < TRIAL_LENGTH; j++) a[j] = R(0.0);
#if INNER
    component_inner(k, x, d, a);
#elif defined(RESIDUALS)
    residuals(k, x, d, a);
#else
    component(k, x, d, a);
#endif
    for (int j = 0; j < TRIAL_LENGTH; j++) h = trial_hash(h, a[j]);
#if INNER
    terms[i] = component_value(k, a, d);
    h = trial_hash(h, terms[i]);
#elif defined(RESIDUALS)
    real squares = R(0.0);
    for (int j = 0; j < RESIDUALS; j++) squares += a[j] * a[j];
    terms[i] = squares;
#else
    for (int j = 0; j < ACCS; j++) terms[i * ACCS + j] = a[j];
#endif
    for (int q = 0; guarded && q < GUARD; q++) {
        if (room[q] != trial_guard(q, other_lo, other_hi)) trial_wrote(x, k, q - GUARD);
        if (a[TRIAL_LENGTH + q] != trial_guard(GUARD + q, other_lo, other_hi)) trial_wrote(x, k, TRIAL_LENGTH + q);
    }
    hashes[i] = h;
}

#if !INNER && !defined(RESIDUALS) && REAL_BITS == 64

// Finds components that do more with a sum than add to it: what they add depends on what the sum was before. wrong[0]
// counts them; [1] is one of them, and [2] its sum. Terms that cancel may change by a thousandth.
kernel void trial_adds(const uint number, const uint first, const uint count, TRIAL_PARAMS, global uint *noted,
                       global uint *marks, global uint *wrong DATA_PARAMS)
{
    const uint i = get_global_id(0), k = first + i;
    if (i >= count) return;
    DATA_INIT;
    uint h = 0;
    const point x = trial_point(number, k, d, view_x, view_lo, noted, marks, &h);
    real zero[ACCS], more[ACCS], before[ACCS];
    for (int j = 0; j < ACCS; j++) zero[j] = R(0.0);
    component(k, x, d, zero);
    for (int j = 0; j < ACCS; j++) more[j] = before[j] = fmin(fmax(R(1.0), fabs(zero[j])), R(1e300)); // no overflow
    component(k, x, d, more);
    for (int j = 0; j < ACCS; j++) {
        if (!(fabs(more[j] - before[j] - zero[j]) > R(1e-3) * before[j]) || !isfinite(zero[j])) continue;
        if (atomic_inc(wrong) == 0) {
            wrong[1] = k;
            wrong[2] = j;
        }
    }
}

#endif
