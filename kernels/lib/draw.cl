// draw.cl: random numbers, equal bit for bit to those of package problems/rng.
// A draw is a function of a counter (index, who, when, purpose) and a key (seed, run).
// Defines: the purposes DRAW_INIT, DRAW_MATE, …

// Philox4x32-10. It is written in scalars and 64-bit products, which compilers for processors turn into
// vector code over work-items. They do not do so with vectors of four words.
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

// Word i of four.
static uint draw_pick(uint4 w, uint i)
{
    return (i & 2u) ? ((i & 1u) ? w.w : w.z) : ((i & 1u) ? w.y : w.x);
}

// The word of variable i: word i mod 4 of quad i/4.
static uint draw_word(uint i, uint who, uint when, uint purpose, uint2 key)
{
    return draw_pick(draw_words(i >> 2, who, when, purpose, key), i & 3u);
}

// A uniform number is (k + 1/2) / 2^m. The bits of k become the mantissa of a number in [1, 2), from which
// 1 - 2^-(m+1) is subtracted. This is exact and needs no conversion.

// Uniform inside (0, 1), exact in float32 and float64.
static float draw_single(uint w) { return as_float(0x3f800000u | (w >> 9)) - 0.99999994039535522461f; }
static real draw_uniform(uint w) { return (real)draw_single(w); }

// Uniform inside (0, 1) with all bits that a real holds: k of 52 bits from two words in float64, of 23 bits
// from the first word in float32.
static real draw_fine(uint high, uint low)
{
#if REAL_BITS == 64
    return as_double(0x3ff0000000000000UL | ((ulong)high << 20) | (low >> 12)) - 0.99999999999999988898;
#else
    return draw_uniform(high);
#endif
}

// A uniform integer below n.
static uint draw_int(uint w, uint n) { return mul_hi(w, n); }

// Variable i, uniform in the box.
static real draw_in_box(uint i, uint who, uint when, uint purpose, uint2 key)
{
    return fma(draw_uniform(draw_word(i, who, when, purpose, key)), BOX_HI - BOX_LO, BOX_LO);
}

// The normal deviates are those of rng.Normal. First the logarithm of a uniform number.
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

// The sine and cosine of an angle x in ±π/4; z = x².
static float draw_sine(float x, float z)
{
    const float s = fma(fma(-1.9515295891e-4f, z, 8.3321608736e-3f), z, -1.6666654611e-1f);
    return fma(s * z, x, x);
}

static float draw_cosine(float z)
{
    const float c = fma(fma(2.443315711809948e-5f, z, -1.388731625493765e-3f), z, 4.166664568298827e-2f);
    return fma(c * z, z, fma(-0.5f, z, 1.0f));
}

// The deviate of variable i from the words of its quad. Only the lower two bits of i matter.
static float draw_normal(uint4 w, uint i)
{
    const uint u = (i & 2u) ? w.z : w.x, v = (i & 2u) ? w.w : w.y;
    const float r = root(-2.0f * draw_log_uniform(u));
    const float t = ((float)(v >> 9) + 0.5f) * 4.76837158203125e-7f;
    const int q = (int)(t + 0.5f);
    const float x = (t - (float)q) * 1.57079637f, z = x * x;
    const float s = draw_sine(x, z), c = draw_cosine(z);
    // quadrant q: (s, c) -> (c, -s) -> (-s, -c) -> (-c, s)
    const bool swap = ((uint)q ^ i) & 1u;          // an odd quadrant turns sine into cosine
    const float m = swap ? s : c;
    // cosine is negative in quadrants 1 and 2, sine in quadrants 2 and 3
    const uint h = (uint)q + ((i & 1u) ? 0u : 1u);
    return (h & 2u) ? r * -m : r * m;
}

// All four deviates of a quad: v[u] is draw_normal(w, u).
static void draw_normals(uint4 w, float *v)
{
    for (uint k = 0; k < 2; k++) {
        const float r = root(-2.0f * draw_log_uniform(k ? w.z : w.x));
        const float t = ((float)((k ? w.w : w.y) >> 9) + 0.5f) * 4.76837158203125e-7f;
        const int q = (int)(t + 0.5f);
        const float x = (t - (float)q) * 1.57079637f, z = x * x;
        const float s = draw_sine(x, z), c = draw_cosine(z);
        const float a = (q & 1) ? s : c, b = (q & 1) ? c : s;
        v[2 * k] = ((q + 1) & 2) ? r * -a : r * a;
        v[2 * k + 1] = (q & 2) ? r * -b : r * b;
    }
}

#if WIDE
// The same for 32 variables at once, those of quads q to q + 7, with equal bits.

// w[k] becomes word k of each of those quads, k < 4.
static void draw_words_eight(uint q, uint who, uint when, uint purpose, uint2 key, uint8 *w)
{
    uint8 c0 = EIGHT_FROM(q), c1 = (uint8)(who), c2 = (uint8)(when), c3 = (uint8)(purpose);
    for (int i = 0; i < 10; i++) {
        const ulong8 a = convert_ulong8(c0) * 0xD2511F53ul, b = convert_ulong8(c2) * 0xCD9E8D57ul;
        c0 = convert_uint8(b >> 32) ^ c1 ^ key.x;
        c2 = convert_uint8(a >> 32) ^ c3 ^ key.y;
        c1 = convert_uint8(b);
        c3 = convert_uint8(a);
        key.x += 0x9E3779B9u;
        key.y += 0xBB67AE85u;
    }
    w[0] = c0;
    w[1] = c1;
    w[2] = c2;
    w[3] = c3;
}

// Reorders words of quads to words of variables: w[k] has then those of variables 4q + 8k to 4q + 8k + 7.
static void draw_in_order(uint8 *w)
{
#define QUAD_WORDS(e) w[0].e, w[1].e, w[2].e, w[3].e
    const uint8 a = (uint8)(QUAD_WORDS(s0), QUAD_WORDS(s1)), b = (uint8)(QUAD_WORDS(s2), QUAD_WORDS(s3));
    const uint8 c = (uint8)(QUAD_WORDS(s4), QUAD_WORDS(s5)), d = (uint8)(QUAD_WORDS(s6), QUAD_WORDS(s7));
    w[0] = a;
    w[1] = b;
    w[2] = c;
    w[3] = d;
}

static real8 draw_uniform_eight(uint8 w) { return (REAL8(as_int8(w >> 9)) + R(0.5)) * R(1.1920928955078125e-7); }

static float8 draw_log_uniform_eight(uint8 word)
{
    const float8 u = (convert_float8(as_int8(word >> 9)) + 0.5f) * 1.1920928955078125e-7f;
    const uint8 b = as_uint8(u);
    const float8 n = as_float8((b & 0x7fffffu) | 0x3f800000u);
    const int8 high = n > 1.41421354f, e = as_int8(b >> 23) - 127;
    const float8 m = high ? n * 0.5f : n, f = m - 1.0f, x = convert_float8(high ? e + 1 : e), z = f * f;
    float8 y = (float8)(7.0376836292e-2f);
    y = fma(y, f, (float8)(-1.1514610310e-1f));
    y = fma(y, f, (float8)(1.1676998740e-1f));
    y = fma(y, f, (float8)(-1.2420140846e-1f));
    y = fma(y, f, (float8)(1.4249322787e-1f));
    y = fma(y, f, (float8)(-1.6668057665e-1f));
    y = fma(y, f, (float8)(2.0000714765e-1f));
    y = fma(y, f, (float8)(-2.4999993993e-1f));
    y = fma(y, f, (float8)(3.3333331174e-1f));
    y = f * z * y;
    y = fma(x, (float8)(-2.12194440e-4f), y);
    y = fma((float8)(-0.5f), z, y);
    return fma(x, (float8)(0.693359375f), f + y);
}

// v[k] becomes the deviates of variables 4q + 8k to 4q + 8k + 7, from the w of draw_words_eight.
static void draw_normals_eight(const uint8 *w, float8 *v)
{
    uint8 o[4];
    for (uint k = 0; k < 4; k += 2) {
        const float8 a = -2.0f * draw_log_uniform_eight(w[k]);
#if ROOT_BY_FP64
        const float8 r = convert_float8(sqrt(convert_double8(a)));
#else
        const float8 r = sqrt(a);
#endif
        const float8 t = (convert_float8(as_int8(w[k + 1] >> 9)) + 0.5f) * 4.76837158203125e-7f;
        const int8 q = convert_int8(t + 0.5f);
        const float8 x = (t - convert_float8(q)) * 1.57079637f, z = x * x;
        float8 s = fma(fma((float8)(-1.9515295891e-4f), z, (float8)(8.3321608736e-3f)), z, (float8)(-1.6666654611e-1f));
        s = fma(s * z, x, x);
        float8 c = fma(fma((float8)(2.443315711809948e-5f), z, (float8)(-1.388731625493765e-3f)), z,
                       (float8)(4.166664568298827e-2f));
        c = fma(c * z, z, fma((float8)(-0.5f), z, (float8)(1.0f)));
        const int8 odd = (q & 1) != 0;
        const float8 m = odd ? s : c, n = odd ? c : s;
        o[k] = as_uint8(((q + 1) & 2) != 0 ? r * -m : r * m);
        o[k + 1] = as_uint8((q & 2) != 0 ? r * -n : r * n);
    }
    draw_in_order(o);
    for (uint k = 0; k < 4; k++) v[k] = as_float8(o[k]);
}
#endif
