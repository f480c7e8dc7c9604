// cec2013/cec2013.cl: the CEC'2013 functions F1 to F15. A tile has CEC_POSITIONS positions, on which its variables
// are placed, and reads no other tile. This text has what three forms share: one component per item
// (cec2013/item.cl), one tile per group (cec2013/tile.cl), and one tile of several points per group
// (cec2013/panel.cl). T_osz, T_asy and sin² are in lib/tosz.cl.
//
//   z_p = x[from_p] - shift_p                       position p of a tile
//   f   = Σ_g weight_g · base( R_g z_g ) + base2( rest )
//   T_osz(z) = sign(z) exp( L + 0.049 ( sin(c1 L) + sin(c2 L) ) ),  L = ln|z|,
//              c1, c2 = 10, 7.9 for z > 0;  5.5, 3.1 for z < 0
//   T_asy(z) = z^(1 + 0.2 u √z) for z > 0, else z;   u from 0 to 1 over a group
//   elliptic   Σ 10^(6u) T_osz(z)²
//   rastrigin  Σ y² + 20 sin²(πy)                      y = 10^(u/2) T_asy(T_osz(z))
//   ackley     -20 expm1( -0.2 √(Σy²/n) ) - e expm1( -2 Σsin²(πy)/n )      the same y
//   schwefel   Σ_i ( Σ_{j≤i} y_j )²                    y = T_asy(T_osz(z))
//   rosenbrock Σ 100 (z_i² - z_{i+1})² + (z_i - 1)²
//
// Tables by position: from, shift (a pair in float32), group, u, lambda = 10^(u/2), coef = weight of the group
// (elliptic: times 10^(6u)). Tables by group: start, size, weight, turn. rot[turn + j·size + i] is row i, column j
// of the group's rotation, so that neighbouring rows are neighbours in memory. The table task is described in
// cec2013/tile.cl; it has CEC_TASKS tasks of CEC_BATCH groups each.
//
// Defines:
//   CEC_POSITIONS   positions of a tile
//   CEC_READ        variables of a tile that are read
//   CEC_BASE        the base function, one of CEC_ELLIPTIC …
//   CEC_GROUPS      groups that are one component each, on positions 0 to CEC_SINGLE - 1; each position after
//                   them is a component of its own (rosenbrock: one fewer)
//   CEC_ROTATED     positions below this are rotated
//   CEC_COMPS       components of a tile
//   CEC_CHUNK       divides the sizes of all groups
//   CEC_LARGEST     size of the largest group that is one component
//   CEC_SHIFT       0: no shift; 1: the table; 2: the table in tile 0, and in the others a shift drawn uniformly
//                   from ±CEC_REACH for each variable or (CEC_BY_POSITION) for each position

// Whether the form of cec2013/panel.cl is used.
#define CEC_PANEL (COOPERATIVE && PANEL)
#define CEC_TOTALS (CEC_BASE == CEC_ACKLEY || CEC_BASE == CEC_SCHWEFEL)

// v minus the drawn shift of global variable or position i.
#if CEC_SHIFT == 2
static real cec_less_drawn(real v, uint i)
{
    const uint w = draw_word(i, 0, 0, DRAW_SHIFT, (uint2)(CEC_SEED, CEC_FUNCTION));
    const real t = R(2.0) * draw_uniform(w) - R(1.0); // exact
#if REAL_BITS == 64
    return v - CEC_REACH * t;
#else
    const real high = CEC_REACH * t, low = fma(CEC_REACH, t, -high) + CEC_REACH_LO * t;
    return (v - high) - low;
#endif
}
#endif

// z of position p in tile b, where v is the variable on that position.
static real cec_shifted(uint b, uint p, real v, data d)
{
#if CEC_SHIFT == 0
    return v;
#else
#if CEC_SHIFT == 2
    if (b > 0) return cec_less_drawn(v, b * CEC_POSITIONS + (CEC_BY_POSITION ? p : d.from[p]));
#endif
    return PAIR_SUB(v, d, shift, p);
#endif
}

static real cec_ackley(real squares, real waves, uint n)
{
    const real m = R(1.0) / (real)n;
    return R(-20.0) * expm1(R(-0.2) * sqrt(squares * m)) - R(2.71828182845904523536) * expm1(R(-2.0) * m * waves);
}

static real cec_rosenbrock(real a, real b) { return R(100.0) * sq(a * a - b) + sq(a - R(1.0)); }

// The weighted term of position p, for a base function that is a sum. z is rotated already.
static real cec_term(uint p, real z, data d)
{
#if CEC_BASE == CEC_ELLIPTIC
    return d.coef[p] * sq(tosz(z));
#elif CEC_BASE == CEC_RASTRIGIN
    const real y = d.lambda[p] * tosz_asy(z, d.u[p]);
    return d.coef[p] * (y * y + R(20.0) * sin2_pi(y));
#else
    return z * z; // the rest of F7
#endif
}

// z of position p in tile b.
static real cec_z(uint b, uint p, point x, data d)
{
    return cec_shifted(b, p, at(x, b * CEC_POSITIONS + d.from[p]), d);
}
