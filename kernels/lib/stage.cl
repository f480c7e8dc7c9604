// stage.cl: consecutive variables of a point into local memory, for the
// cooperative form of a problem. Behind the view.
//
// stage: out[v] = x_(first + v), v < count; first is a multiple of four. All
// items of a group call it; a barrier must follow. An item takes a block of
// four, which shares the words of a draw, or eight that are stored (VIEW_EIGHT).
static void stage(point x, uint first, uint count, local real *out)
{
#ifdef VIEW_EIGHT
    for (uint v = 8 * get_local_id(0); v < count; v += 8 * GROUP) {
        if (v + 8 <= count) vstore8(VIEW_EIGHT(x, first + v), 0, out + v);
        else for (uint u = v; u < count; u++) out[u] = at(x, first + u);
    }
#else
    for (uint v = 4 * get_local_id(0); v < count; v += 4 * GROUP) {
        if (v + 4 <= count) {
            real a[4];
            at_block(x, (first + v) >> 2, a);
            for (uint u = 0; u < 4; u++) out[v + u] = a[u];
        } else {
            for (uint u = v; u < count; u++) out[u] = at(x, first + u);
        }
    }
#endif
}
