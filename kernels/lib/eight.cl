// eight.cl: stands before a second copy of lib/tosz.cl and changes its words, so that its functions exist for
// eight reals as well. It does so only on processors (WIDE), where the items of a group run as a loop.

#if WIDE
#undef tosz_v
#undef tosz_flag
#undef tosz_bits
#undef TOSZ_BITS
#undef TOSZ_REAL
#define tosz_v real8
#if REAL_BITS == 64
#define tosz_flag long8
#define tosz_bits ulong8
#define TOSZ_BITS(v) as_ulong8(v)
#define TOSZ_REAL(b) as_double8(b)
#else
#define tosz_flag int8
#define tosz_bits uint8
#define TOSZ_BITS(v) as_uint8(v)
#define TOSZ_REAL(b) as_float8(b)
#endif
#else
#define TOSZ_TWICE
#endif
