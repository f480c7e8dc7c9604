// lm/products.cl: the inner products of the rows that lm.cl makes of the residuals of a component and their
// derivatives. Comes after lm.cl.
//
// They are the lower triangle of a matrix: row p has the products with the rows up to p, one after the other, from
// product lm_triangle(p) on. Row 0 is the square of the residuals. Row 1 + v begins with half the derivative of that by
// variable v, and after it has JᵀJ.

// Returns where row p of a triangle begins.
static uint lm_triangle(uint p) { return p * (p + 1) / 2; }

// Computes the products of an entry of an item that is not wide, with the entries up to it.
kernel void lm_products(global const uint *list, const uint items, global const real *residual, global real *product,
                        const uint from, const uint count)
{
    const uint e = from + get_global_id(0);
    if (get_global_id(0) >= count) return;
    const lm_item c = lm_entry(list, items, e);
    if (c.number > c.variables || c.variables > LM_NARROW) return;
    global const real *at = residual + c.first, *own = at + c.number * c.size;
    global real *to = product + c.row + lm_triangle(c.number);
    for (uint q = 0; q <= c.number; q++) to[q] = lm_dot(own, at + q * c.size, c.size);
}

// A tile is LM_TILE rows by LM_TILE columns in local memory: row r of column q is at q * LM_APART + r. Work-groups
// compute four rows of four columns at a time. The sums do not depend on the size of the group.
#define LM_ACROSS (LM_TILE / 4u)
#define LM_APART (LM_TILE + 1u)
#define LM_ROOM (LM_TILE * LM_APART)
#define LM_INLINE static inline __attribute__((always_inline))

// Adds the products of the first n columns of left and the first n columns of right to a tile, left * rightᵀ.
LM_INLINE void lm_multiply(local const real *left, local const real *right, uint n, local real *tile)
{
    for (uint b = get_local_id(0); b < LM_ACROSS * LM_ACROSS; b += get_local_size(0)) {
        const uint r = 4 * (b / LM_ACROSS), q = 4 * (b % LM_ACROSS);
        local real *to = tile + q * LM_APART + r;
        real4 s0 = vload4(0, to), s1 = vload4(0, to + LM_APART), s2 = vload4(0, to + 2 * LM_APART),
              s3 = vload4(0, to + 3 * LM_APART);
        for (uint k = 0; k < n; k++) {
            const real4 own = vload4(0, left + k * LM_APART + r);
            local const real *other = right + k * LM_APART + q;
            s0 = fma(own, (real4)(other[0]), s0);
            s1 = fma(own, (real4)(other[1]), s1);
            s2 = fma(own, (real4)(other[2]), s2);
            s3 = fma(own, (real4)(other[3]), s3);
        }
        vstore4(s0, 0, to);
        vstore4(s1, 0, to + LM_APART);
        vstore4(s2, 0, to + 2 * LM_APART);
        vstore4(s3, 0, to + 3 * LM_APART);
    }
}

LM_INLINE void lm_clear(local real *tile)
{
    for (uint e = get_local_id(0); e < LM_ROOM; e += get_local_size(0)) tile[e] = R(0.0);
}

// Some rows in global memory: row r begins at first + r * apart + growth * r(r - 1)/2.
typedef struct {
    global const real *first;
    uint count;
    uint apart;
    uint growth;
} lm_rows;

// Returns number k of row r of some rows, and 0 if there is no such row.
static real lm_number(lm_rows a, uint r, uint k)
{
    return r < a.count ? a.first[r * a.apart + a.growth * (r * (r - 1) / 2) + k] : R(0.0);
}

// Sets a tile to the inner products of the first n numbers of rows. left and right are room for a tile each.
LM_INLINE void lm_inner(lm_rows a, lm_rows b, uint n, local real *left, local real *right, local real *tile)
{
    lm_clear(tile);
    for (uint from = 0; from < n; from += LM_TILE) {
        const uint some = min(LM_TILE, n - from);
        barrier(CLK_LOCAL_MEM_FENCE);
        for (uint e = get_local_id(0); e < LM_TILE * LM_TILE; e += get_local_size(0)) {
            const uint k = e % LM_TILE, r = e / LM_TILE;
            if (k < some) {
                left[k * LM_APART + r] = lm_number(a, r, from + k);
                right[k * LM_APART + r] = lm_number(b, r, from + k);
            }
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        lm_multiply(left, right, some, tile);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
}

// Computes the products of a tile of a wide item.
kernel void lm_tiles(global const uint *list, const uint items, global const real *residual, global real *product,
                     const uint from)
{
    local real left[LM_ROOM], right[LM_ROOM], tile[LM_ROOM];
    const lm_item c = lm_tile(list, items, from + get_group_id(0));
    uint i = 0; // tiles are in the order of the triangle
    while (lm_triangle(i + 1) <= c.number) i++;
    const uint p = i * LM_TILE, q = (c.number - lm_triangle(i)) * LM_TILE, rows = 1 + c.variables;
    global const real *at = residual + c.first;
    lm_inner((lm_rows){ at + p * c.size, rows - p, c.size, 0 }, (lm_rows){ at + q * c.size, rows - q, c.size, 0 },
             c.size, left, right, tile);
    for (uint e = get_local_id(0); e < LM_TILE * LM_TILE; e += get_local_size(0)) {
        const uint row = p + e / LM_TILE, column = q + e % LM_TILE;
        if (row < rows && column <= row)
            product[c.row + lm_triangle(row) + column] = tile[(column - q) * LM_APART + row - p];
    }
}
