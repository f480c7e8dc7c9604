// view.cl: the view of a point of which some variables were moved, for tests of what a problem declares.
//
// Variable i is uniform in the box. Label i of the point is 1 or 2 for a variable of the first or the second set, or 0.
// Variables of the sets that are in moved have another uniform value. The number of the point selects both values.
// Where lists is not 0, the variables that the component reads are noted there, as far as width is enough; *count is
// larger than width where it is not.

typedef struct {
    uint2 key;
    uint number, moved;
    global const uchar *labels; // 0: no variable moves
    global uint *lists, *count;
    uint width;
} point;

static real at(point x, uint i)
{
    if (x.lists) {
        uint q = 0;
        while (q < min(*x.count, x.width) && x.lists[q] != i) q++;
        if (q == *x.count || q == x.width) {
            if (q < x.width) x.lists[q] = i;
            *x.count = q + 1;
        }
    }
    const uint moved = x.labels ? (x.labels[i] & x.moved) != 0 : 0;
    return draw_in_box(i, 2 * x.number + moved, 0, DRAW_PROBE, x.key);
}
