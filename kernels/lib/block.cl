// block.cl: between a view and a problem in item form: component() gets a point
// that carries the block of four variables of its component, so that they share
// the words of a draw without the compiler's help. unblock.cl ends it.
//
// Where component k reads variable k alone (BLOCKED), the block is all there is.
// Elsewhere a read outside goes to the view.

typedef struct {
    point of;
    real a, b, c, d;    // variables 4q to 4q + 3
    uint q;
} block;

static real block_at(block x, uint i)
{
#if !BLOCKED
    if (i >> 2 != x.q) return at(x.of, i);
#endif
    return (i & 2u) ? ((i & 1u) ? x.d : x.c) : ((i & 1u) ? x.b : x.a);
}

// The block of variable i of a view's point; variables from end on are not
// read. Through a pointer: Oclgrind does not know what inlining makes of a large result.
static void block_of(block *b, point x, uint i, uint end)
{
    real v[4];
    b->of = x;
    b->q = i >> 2;
    if ((i | 3u) < end) {
        at_block(x, b->q, v);
    } else {
        for (uint u = 0; u < 4; u++) v[u] = 4 * b->q + u < end ? at(x, 4 * b->q + u) : (real)0;
    }
    b->a = v[0];
    b->b = v[1];
    b->c = v[2];
    b->d = v[3];
}

#define point block
#define at block_at
