// quad.cl: stands between a view and a problem in item form. component() gets a point that carries the quad of
// its component: four variables that share the words of a draw. The draw is then made once, without the
// compiler's help. quad_end.cl ends it.
//
// Where component k reads variable k alone (QUAD_ONLY), it reads nothing outside its quad. Elsewhere a read
// outside the quad goes to the view.

typedef struct {
    point of;
    real a, b, c, d;    // variables 4q to 4q + 3
    uint q;
} quad;

static real quad_at(quad x, uint i)
{
#if !QUAD_ONLY
    if (i >> 2 != x.q) return at(x.of, i);
#endif
    return (i & 2u) ? ((i & 1u) ? x.d : x.c) : ((i & 1u) ? x.b : x.a);
}

// Fills *b with the quad of variable i of a view's point. Variables from end on are not read. The result is
// returned through a pointer because Oclgrind does not know the value of a large struct that inlining returns.
static void quad_of(quad *b, point x, uint i, uint end)
{
    real v[4];
    b->of = x;
    b->q = i >> 2;
    if ((i | 3u) < end) {
        at_quad(x, b->q, v);
    } else {
        for (uint u = 0; u < 4; u++) v[u] = 4 * b->q + u < end ? at(x, 4 * b->q + u) : (real)0;
    }
    b->a = v[0];
    b->b = v[1];
    b->c = v[2];
    b->d = v[3];
}

#define point quad
#define at quad_at
