// tosz.cl: T_osz, T_asy and sin² of the CEC'2013 functions, without transcendental functions of the library and
// without branches, so that compilers can turn them into vector code.
//
//   tosz(z)        z exp(0.049 (sin(c1 L) + sin(c2 L))),  L = ln|z|;
//                  c1, c2 = 10, 7.9 for z > 0; 5.5, 3.1 for z < 0
//   tosz_asy(z,u)  T_asy(T_osz(z)): T^(1 + 0.2 u √T) for T > 0, else T
//   sin2_pi(y)     sin²(πy)
//
// Everything is in base 2. log2|z| = E + log2(1 + f), where E is a multiple of 1/2 (plus 1/4) and |f| < 0.19.
// sin(c L) = ±sin(πr), where K = c ln(2)/π and r is K log2|z| minus the nearest integer. 2^a = 2^n 2^r with
// |r| <= 1/2. The polynomials interpolate at Chebyshev nodes.
//
// TestCECTosz bounds the relative errors: tosz (1 + |log2 z|/4) 5e-16 in float64 and 2.4e-7 in float32, the second
// part from rounding the logarithm. For a subnormal z the logarithm is wrong: |tosz(z) - z| < z/4. tosz(0) is 0;
// infinite and NaN z stay so. T_asy saturates at infinity.

// tosz_v is a real, or eight of them once lib/eight.cl has changed the words. The functions are overloaded.
#if !defined(TOSZ_TWICE) && !defined(TOSZ_STEP)
#define TOSZ_STEP(v, s, c) fma(v, s, (tosz_v)(c))
#define tosz_v real
#if WIDE
#define MANY __attribute__((overloadable))
#else
#define MANY
#endif
#define tosz_flag bool
#if REAL_BITS == 64
#define tosz_bits ulong
#define TOSZ_BITS(v) as_ulong(v)
#define TOSZ_REAL(b) as_double(b)
#else
#define tosz_bits uint
#define TOSZ_BITS(v) as_uint(v)
#define TOSZ_REAL(b) as_float(b)
#endif
#endif

#ifndef TOSZ_TWICE

#if REAL_BITS == 64

#define TOSZ_MANT 52
#define TOSZ_ONE 0x3FF0000000000000UL
#define TOSZ_ROOT2 0x6A09E667F3BCCUL     // mantissa of √2
#define TOSZ_HIGH 0x42F0000000000000UL   // 2^48
#define TOSZ_E0 281474976711678.75       // 2^48 + 1023 - 1/4
#define TOSZ_E1 281474976711678.25       // 2^48 + 1023 - 3/4
#define TOSZ_ROUND 6755399441055744.0    // 3·2^51: v + TOSZ_ROUND has the integer nearest to v in its low bits
#define TOSZ_WHOLE 4503599627370496.0     // 2^52: from here on all numbers are integers
#define TOSZ_TOP 1023.0

// log2(1 + f)/f, error in log2 6e-17
static MANY tosz_v tosz_log_poly(tosz_v f)
{
    const tosz_v s = f * f;
    tosz_v a = TOSZ_STEP((tosz_v)(0.11958681139430775), s, 0.13086013632326876);
    tosz_v b = TOSZ_STEP((tosz_v)(-0.09286255654277895), s, -0.12150297221082249);
    a = TOSZ_STEP(a, s, 0.1603044174406128);
    b = TOSZ_STEP(b, s, -0.14422318367939807);
    a = TOSZ_STEP(a, s, 0.20609924800964102);
    b = TOSZ_STEP(b, s, -0.18033764321616938);
    a = TOSZ_STEP(a, s, 0.2885390083635925);
    b = TOSZ_STEP(b, s, -0.24044916749111953);
    a = TOSZ_STEP(a, s, 0.4808983469626796);
    b = TOSZ_STEP(b, s, -0.36067376024217623);
    a = TOSZ_STEP(a, s, 1.4426950408889634);
    b = TOSZ_STEP(b, s, -0.7213475204444629);
    return fma(b, f, a);
}

// sin(πr), |r| <= 1/2, error 2.4e-16
static MANY tosz_v tosz_sin_poly(tosz_v r)
{
    const tosz_v s = r * r;
    tosz_v v = TOSZ_STEP((tosz_v)(-2.113362735205297e-05), s, 0.0004659870158043378);
    v = TOSZ_STEP(v, s, -0.0073703643265304155);
    v = TOSZ_STEP(v, s, 0.08214587881631043);
    v = TOSZ_STEP(v, s, -0.599264528825224);
    v = TOSZ_STEP(v, s, 2.5501640398618677);
    v = TOSZ_STEP(v, s, -5.1677127800497855);
    v = TOSZ_STEP(v, s, 3.1415926535897927);
    return v * r;
}

// exp(w), |w| <= 0.098, error 2e-17
static MANY tosz_v tosz_exp(tosz_v w)
{
    tosz_v v = TOSZ_STEP((tosz_v)(2.4806891851183917e-05), w, 0.00019846574497220994);
    v = TOSZ_STEP(v, w, 0.0013888888569823276);
    v = TOSZ_STEP(v, w, 0.008333333014259346);
    v = TOSZ_STEP(v, w, 0.04166666666672808);
    v = TOSZ_STEP(v, w, 0.1666666666672808);
    v = TOSZ_STEP(v, w, 0.5);
    v = TOSZ_STEP(v, w, 1.0);
    return TOSZ_STEP(v, w, 1.0);
}

// 2^r, |r| <= 1/2, error 2e-17
static MANY tosz_v tosz_exp2_poly(tosz_v r)
{
    tosz_v v = TOSZ_STEP((tosz_v)(4.4549605981865186e-10), r, 7.072585949269223e-09);
    v = TOSZ_STEP(v, r, 1.0178062445845774e-07);
    v = TOSZ_STEP(v, r, 1.321544258792169e-06);
    v = TOSZ_STEP(v, r, 1.525273382983612e-05);
    v = TOSZ_STEP(v, r, 0.0001540353044173605);
    v = TOSZ_STEP(v, r, 0.0013333558146416936);
    v = TOSZ_STEP(v, r, 0.009618129107606888);
    v = TOSZ_STEP(v, r, 0.0555041086648216);
    v = TOSZ_STEP(v, r, 0.24022650695910097);
    v = TOSZ_STEP(v, r, 0.6931471805599453);
    return TOSZ_STEP(v, r, 1.0);
}

#else

#define TOSZ_MANT 23
#define TOSZ_ONE 0x3F800000u
#define TOSZ_ROOT2 0x3504F3u
#define TOSZ_HIGH 0x49000000u            // 2^19
#define TOSZ_E0 524414.75f               // 2^19 + 127 - 1/4
#define TOSZ_E1 524414.25f
#define TOSZ_ROUND 12582912.0f           // 3·2^22
#define TOSZ_WHOLE 8388608.0f            // 2^23
#define TOSZ_TOP 127.0f

// The same four polynomials in float32, with errors 8e-9, 3e-8, 1e-8, 7e-9.
static MANY tosz_v tosz_log_poly(tosz_v f)
{
    tosz_v v = TOSZ_STEP((tosz_v)(1.958474070e-01f), f, -2.492191195e-01f);
    v = TOSZ_STEP(v, f, 2.890939713e-01f);
    v = TOSZ_STEP(v, f, -3.605512381e-01f);
    v = TOSZ_STEP(v, f, 4.808928072e-01f);
    v = TOSZ_STEP(v, f, -7.213479877e-01f);
    return TOSZ_STEP(v, f, 1.442695022f);
}

static MANY tosz_v tosz_sin_poly(tosz_v r)
{
    const tosz_v s = r * r;
    tosz_v v = TOSZ_STEP((tosz_v)(7.765591145e-02f), s, -5.982903838e-01f);
    v = TOSZ_STEP(v, s, 2.550077438f);
    v = TOSZ_STEP(v, s, -5.167710304f);
    return TOSZ_STEP(v, s, 3.141592741f) * r;
}

static MANY tosz_v tosz_exp(tosz_v w)
{
    tosz_v v = TOSZ_STEP((tosz_v)(4.168003425e-02f), w, 1.667468846e-01f);
    v = TOSZ_STEP(v, w, 0.5f);
    v = TOSZ_STEP(v, w, 1.0f);
    return TOSZ_STEP(v, w, 1.0f);
}

static MANY tosz_v tosz_exp2_poly(tosz_v r)
{
    tosz_v v = TOSZ_STEP((tosz_v)(1.545316336e-04f), r, 1.339086331e-03f);
    v = TOSZ_STEP(v, r, 9.618083015e-03f);
    v = TOSZ_STEP(v, r, 5.550356954e-02f);
    v = TOSZ_STEP(v, r, 2.402265072e-01f);
    v = TOSZ_STEP(v, r, 6.931471825e-01f);
    return TOSZ_STEP(v, r, 1.0f);
}

#endif

// log2|z|; the result is finite for every z
static MANY tosz_v tosz_log2(tosz_v z)
{
    const tosz_bits mask = ((tosz_bits)1 << TOSZ_MANT) - 1;
    const tosz_bits b = TOSZ_BITS(fabs(z)), m = b & mask;
    const tosz_flag high = m >= TOSZ_ROOT2;
    // the exponent with four binary places after the point, as 2^48 + exponent
    const tosz_v e = TOSZ_REAL(((b >> (TOSZ_MANT - 4)) & ~(tosz_bits)15) | TOSZ_HIGH)
                   - (high ? (tosz_v)(TOSZ_E1) : (tosz_v)(TOSZ_E0));
    // the mantissa times 2^(-1/4) or 2^(-3/4)
    const tosz_v f = fma(TOSZ_REAL(m | TOSZ_ONE),
                         high ? (tosz_v)(R(0.5946035575013605)) : (tosz_v)(R(0.8408964152537145)), (tosz_v)(R(-1.0)));
    return fma(f, tosz_log_poly(f), e);
}

// sin(πkl), |kl| < 2^20
static MANY tosz_v tosz_sin(tosz_v k, tosz_v l)
{
    const tosz_v t = fma(k, l, (tosz_v)(TOSZ_ROUND)), s = tosz_sin_poly(fma(k, l, TOSZ_ROUND - t));
    return TOSZ_REAL(TOSZ_BITS(s) ^ (TOSZ_BITS(t) << (REAL_BITS - 1)));
}

// 0.049 (sin(c1 L) + sin(c2 L)), l = log2|z|
static MANY tosz_v tosz_wave(tosz_v z, tosz_v l)
{
    const tosz_flag up = z > R(0.0);
    return R(0.049) * (tosz_sin(up ? (tosz_v)(R(2.206356001526516)) : (tosz_v)(R(1.2134958008395837)), l)
                     + tosz_sin(up ? (tosz_v)(R(1.7430212412059476)) : (tosz_v)(R(0.6839703604732199)), l));
}

static MANY tosz_v tosz(tosz_v z)
{
    return z * tosz_exp(tosz_wave(z, tosz_log2(z)));
}

static MANY tosz_v tosz_asy(tosz_v z, tosz_v u)
{
    const tosz_v l = tosz_log2(z), w = tosz_wave(z, l), t = z * tosz_exp(w);
    // log2 of T^(0.2 u √T)
    const tosz_v a = R(0.2) * u * sqrt(fabs(t)) * fma(w, (tosz_v)(R(1.4426950408889634)), l),
                 b = a < TOSZ_TOP ? a : (tosz_v)(TOSZ_TOP);
    const tosz_v n = b + TOSZ_ROUND, p = tosz_exp2_poly(b - (n - TOSZ_ROUND));
    const tosz_v grown = t * p * TOSZ_REAL((TOSZ_BITS(n) << TOSZ_MANT) + TOSZ_ONE);
    return t > R(0.0) ? grown : t;
}

static MANY tosz_v sin2_pi(tosz_v y)
{
#if WIDE
    // the integer nearest to |y| without rint, which POCL 3 lacks in vector code
    const tosz_v a = fabs(y), n = a < TOSZ_WHOLE ? (a + TOSZ_WHOLE) - TOSZ_WHOLE : a;
#else
    const tosz_v a = y, n = rint(y); // with the other form an H200 is 3 % slower in F2
#endif
    const tosz_v s = tosz_sin_poly(a - n);
    return s * s;
}

#endif
