// draw.cl: the twin of package problems/draw, bit for bit.
// Defines: DRAW_INIT, DRAW_MATE, … the purposes; a draw is a function of
// (index, who, when, purpose) and (seed, run).

// In scalars and wide products, which compilers for processors turn into vector
// code over work-items; vectors of four words they leave alone.
static uint4 philox(uint4 c, uint2 k)
{
    uint c0 = c.x, c1 = c.y, c2 = c.z, c3 = c.w, k0 = k.x, k1 = k.y;
    for (int i = 0; i < 10; i++) {
        const ulong a = (ulong)c0 * 0xD2511F53u, b = (ulong)c2 * 0xCD9E8D57u;
        c0 = (uint)(b >> 32) ^ c1 ^ k0;
        c2 = (uint)(a >> 32) ^ c3 ^ k1;
        c1 = (uint)b;
        c3 = (uint)a;
        k0 += 0x9E3779B9u;
        k1 += 0xBB67AE85u;
    }
    return (uint4)(c0, c1, c2, c3);
}

static uint4 draw_words(uint index, uint who, uint when, uint purpose, uint2 key)
{
    return philox((uint4)(index, who, when, purpose), key);
}

// word i of four
static uint draw_pick(uint4 w, uint i)
{
    return (i & 2u) ? ((i & 1u) ? w.w : w.z) : ((i & 1u) ? w.y : w.x);
}

// the word of variable i: word i mod 4 of block i/4
static uint draw_word(uint i, uint who, uint when, uint purpose, uint2 key)
{
    return draw_pick(draw_words(i >> 2, who, when, purpose, key), i & 3u);
}

// The uniform numbers (k + 1/2) / 2^m take the bits of k as those of a number in [1, 2)
// and subtract 1 - 2^-(m+1): exact, and no conversion.
//
// inside (0, 1), exact in float32 and float64
static float draw_single(uint w) { return as_float(0x3f800000u | (w >> 9)) - 0.99999994039535522461f; }
static real draw_uniform(uint w) { return (real)draw_single(w); }

// inside (0, 1) by all bits that a real takes: 52 and a half of two words in
// float64, 23 and a half of the first in float32
static real draw_fine(uint high, uint low)
{
#if REAL_BITS == 64
    return as_double(0x3ff0000000000000UL | ((ulong)high << 20) | (low >> 12)) - 0.99999999999999988898;
#else
    return draw_uniform(high);
#endif
}

// an integer below n
static uint draw_int(uint w, uint n) { return mul_hi(w, n); }

// The point of a uniform draw in the box.
static real draw_in_box(uint i, uint who, uint when, uint purpose, uint2 key)
{
    return fma(draw_uniform(draw_word(i, who, when, purpose, key)), BOX_HI - BOX_LO, BOX_LO);
}

// Normals: the twin of draw.Normal.
static float draw_log_uniform(uint word)
{
    const uint b = as_uint(draw_single(word));
    int e = (int)(b >> 23) - 127;
    float m = as_float((b & 0x7fffffu) | 0x3f800000u);
    if (m > 1.41421354f) { m *= 0.5f; e++; }
    const float f = m - 1.0f, x = (float)e, z = f * f;
    float y = 7.0376836292e-2f;
    y = fma(y, f, -1.1514610310e-1f);
    y = fma(y, f, 1.1676998740e-1f);
    y = fma(y, f, -1.2420140846e-1f);
    y = fma(y, f, 1.4249322787e-1f);
    y = fma(y, f, -1.6668057665e-1f);
    y = fma(y, f, 2.0000714765e-1f);
    y = fma(y, f, -2.4999993993e-1f);
    y = fma(y, f, 3.3333331174e-1f);
    y = f * z * y;
    y = fma(x, -2.12194440e-4f, y);
    y = fma(-0.5f, z, y);
    return fma(x, 0.693359375f, f + y);
}

// The deviate of variable i (its lower two bits matter) from the words of its block.
static float draw_normal(uint4 w, uint i)
{
    const uint u = (i & 2u) ? w.z : w.x, v = (i & 2u) ? w.w : w.y;
    const float r = root(-2.0f * draw_log_uniform(u));
    const float t = ((float)(v >> 9) + 0.5f) * 4.76837158203125e-7f;
    const int q = (int)(t + 0.5f);
    const float x = (t - (float)q) * 1.57079637f, z = x * x;
    float s = fma(fma(-1.9515295891e-4f, z, 8.3321608736e-3f), z, -1.6666654611e-1f);
    s = fma(s * z, x, x);
    float c = fma(fma(2.443315711809948e-5f, z, -1.388731625493765e-3f), z, 4.166664568298827e-2f);
    c = fma(c * z, z, fma(-0.5f, z, 1.0f));
    // quadrant q: (s, c) -> (c, -s) -> (-s, -c) -> (-c, s)
    const bool swap = ((uint)q ^ i) & 1u;          // odd quadrant turns sine into cosine
    const float m = swap ? s : c;
    // the sign of cosine in quadrants 1, 2 and of sine in quadrants 2, 3 is negative
    const uint h = (uint)q + ((i & 1u) ? 0u : 1u);
    return (h & 2u) ? r * -m : r * m;
}

// The four of a block at once: v[u] is draw_normal(w, u).
static void draw_normals(uint4 w, float *v)
{
    for (uint k = 0; k < 2; k++) {
        const float r = root(-2.0f * draw_log_uniform(k ? w.z : w.x));
        const float t = ((float)((k ? w.w : w.y) >> 9) + 0.5f) * 4.76837158203125e-7f;
        const int q = (int)(t + 0.5f);
        const float x = (t - (float)q) * 1.57079637f, z = x * x;
        float s = fma(fma(-1.9515295891e-4f, z, 8.3321608736e-3f), z, -1.6666654611e-1f);
        s = fma(s * z, x, x);
        float c = fma(fma(2.443315711809948e-5f, z, -1.388731625493765e-3f), z, 4.166664568298827e-2f);
        c = fma(c * z, z, fma(-0.5f, z, 1.0f));
        const float a = (q & 1) ? s : c, b = (q & 1) ? c : s;
        v[2 * k] = ((q + 1) & 2) ? r * -a : r * a;
        v[2 * k + 1] = (q & 2) ? r * -b : r * b;
    }
}
