// draw.cl: the twin of package problems/draw, bit for bit.
// Defines: DRAW_INIT, DRAW_MATE, … the purposes; a draw is a function of
// (index, who, when, purpose) and (seed, run).

static uint4 philox(uint4 c, uint2 k)
{
    for (int i = 0; i < 10; i++) {
        uint h0 = mul_hi(0xD2511F53u, c.x), l0 = 0xD2511F53u * c.x;
        uint h1 = mul_hi(0xCD9E8D57u, c.z), l1 = 0xCD9E8D57u * c.z;
        c = (uint4)(h1 ^ c.y ^ k.x, l1, h0 ^ c.w ^ k.y, l0);
        k += (uint2)(0x9E3779B9u, 0xBB67AE85u);
    }
    return c;
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

// inside (0, 1), exact in float32 and float64
static real draw_uniform(uint w) { return ((real)(w >> 9) + R(0.5)) * R(1.1920928955078125e-7); }

// an integer below n
static uint draw_int(uint w, uint n) { return mul_hi(w, n); }

// The point of a uniform draw in the box.
static real draw_in_box(uint i, uint who, uint when, uint purpose, uint2 key)
{
    return fma(draw_uniform(draw_word(i, who, when, purpose, key)), BOX_HI - BOX_LO, BOX_LO);
}
