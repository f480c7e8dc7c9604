// stage.cl: consecutive variables of a point into local memory, for the
// cooperative form of a problem. Behind the view.
//
// stage: out[v] = x_(first + v), v < count. All items of a group call it; a
// barrier must follow. Four neighbours an item: under a view that draws, they
// share the words of one block, and the compiler makes these once. That needs
// first to be a multiple of four that the compiler can see (a tile's index
// times a constant).
static void stage(point x, uint first, uint count, local real *out)
{
    for (uint v = 4 * get_local_id(0); v < count; v += 4 * GROUP) {
        if (v + 4 <= count) {
            out[v] = at(x, first + v);
            out[v + 1] = at(x, first + v + 1);
            out[v + 2] = at(x, first + v + 2);
            out[v + 3] = at(x, first + v + 3);
        } else {
            for (uint u = v; u < count; u++) out[u] = at(x, first + u);
        }
    }
}
