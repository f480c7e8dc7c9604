// stage.cl: copies consecutive variables of a point to local memory, for the cooperative form of a problem.
// Comes after the view.

// stage sets out[v] = x_(first + v), v < count; first is a multiple of four. All items of a group must call it, and
// a barrier must follow. An item copies a quad, which shares the words of a draw, or 32 variables where the view
// makes them at once (VIEW_EIGHTS).
static void stage(point x, uint first, uint count, local real *out)
{
#ifdef VIEW_EIGHTS
    const uint most = count / 32 * 32;
    for (uint v = 32 * get_local_id(0); v < most; v += 32 * GROUP) {
        real8 a[4];
        at_eights(x, first + v, a);
        for (uint k = 0; k < 4; k++) vstore8(a[k], k, out + v);
    }
#else
    const uint most = 0;
#endif
    for (uint v = most + 4 * get_local_id(0); v < count; v += 4 * GROUP) {
        if (v + 4 <= count) {
            real a[4];
            at_quad(x, (first + v) >> 2, a);
            for (uint u = 0; u < 4; u++) out[v + u] = a[u];
        } else {
            for (uint u = v; u < count; u++) out[u] = at(x, first + u);
        }
    }
}
