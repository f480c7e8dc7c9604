// lm/steps.cl: solves the equations (A + λ diag A) s = -g of items whose products products.cl has made, A and g, with
// λ = parameter[i]. Comes after products.cl.
//
// The solution goes to the answers from entry 1 on, and for entry 0 whether the equations are positive. If
// variable[entry 0] is not 0, variables at a bound beyond which f falls are left out of the equations. The variables in
// the LM_POINTS points after the first one become x + s, x + s/4, …, in the box, at which lm_values then computes the
// values of the items. Where the equations are not positive they stay at x.
//
// A + λ diag A = L Lᵀ. The room of an item in `residual` has the rows of L, with the solution of L y = -g as one more
// row, and after them for each variable whether it is left out.

// What the equations of an item are made of.
typedef struct {
    global const real *product; // of the item
    global const real *out;     // by variable: 1 if it is left out, or 0
    real lambda;
    uint n;
} lm_equations;

// Returns number w of row v of A + λ diag A, or of the row -g after them.
static real lm_equation(lm_equations a, uint v, uint w)
{
    if (v == a.n) return a.out[w] > R(0.0) ? R(0.0) : -a.product[lm_triangle(1 + w)];
    const real e = a.out[v] > R(0.0) || a.out[w] > R(0.0) ? R(0.0) : a.product[lm_triangle(1 + v) + 1 + w];
    if (v != w) return e;
    return e == R(0.0) ? R(1.0) : e * (R(1.0) + a.lambda); // 1: nothing depends on the variable
}

// Returns 1 if variable v of an item is left out, and 0 if it is not. entry are its entries in `variable`.
static real lm_out(global const real *x, global const real *lower, global const real *upper,
                   global const uint *entry, global const real *product, uint v)
{
    const uint k = entry[1 + v];
    const real g = product[lm_triangle(1 + v)];
    const bool out = (x[k] <= lower[k] && g > R(0.0)) || (x[k] >= upper[k] && g < R(0.0));
    return entry[0] && out ? R(1.0) : R(0.0);
}

// Returns the answers for the entries of an item, which come after its values.
static global real *lm_answers(global real *answers, lm_item c)
{
    return answers + c.entry + LM_POINTS * (c.index + 1);
}

// Sets variable k of the points to those that its step leads to.
static void lm_move(global real *x, global const real *lower, global const real *upper, uint k, real step)
{
    real part = R(1.0);
    for (uint p = 1; p <= LM_POINTS; p++, part *= R(0.25)) {
        x[(size_t)p * DIM + k] = fmin(fmax(fma(part, step, x[k]), lower[k]), upper[k]);
    }
}

// Solves the equations of item i, if it is not wide.
kernel void lm_steps(global real *x, global const real *lower, global const real *upper, global const uint *list,
                     global const uint *variable, global const real *parameter, global real *residual,
                     global real *product, const uint answers, const uint from, const uint count)
{
    const uint i = from + get_global_id(0);
    if (get_global_id(0) >= count) return;
    const lm_item c = lm_at(list, i, 0);
    const uint n = c.variables;
    if (n > LM_NARROW) return;
    global const uint *entry = variable + c.entry;
    global real *rows = residual + c.first, *out = rows + lm_triangle(n + 1), *s = lm_answers(product + answers, c) + 1;
    const lm_equations a = { product + c.row, out, parameter[i], n };
    for (uint v = 0; v < n; v++) out[v] = lm_out(x, lower, upper, entry, a.product, v);
    bool positive = true;
    for (uint v = 0; v <= n; v++) {
        global real *row = rows + lm_triangle(v);
        for (uint w = 0; w < v; w++) {
            global const real *other = rows + lm_triangle(w);
            row[w] = (lm_equation(a, v, w) - lm_dot(row, other, w)) / other[w];
        }
        if (v < n) {
            const real pivot = lm_equation(a, v, v) - lm_dot(row, row, v);
            positive = positive && pivot > R(0.0) && isfinite(pivot);
            row[v] = sqrt(pivot);
        }
    }
    for (uint v = 0; v < n; v++) s[v] = rows[lm_triangle(n) + v];
    for (uint v = n; v-- > 0;) {
        global const real *row = rows + lm_triangle(v);
        s[v] /= row[v];
        for (uint w = 0; w < v; w++) s[w] -= row[w] * s[v];
    }
    for (uint v = 0; v < n; v++) lm_move(x, lower, upper, entry[1 + v], positive ? s[v] : R(0.0));
    s[-1] = positive ? R(1.0) : R(0.0);
}

// Sets a tile to what is left of the equations in rows i, i + 1, … and columns j, j + 1, … without the columns of L
// before j. left and right are room for a tile each.
LM_INLINE void lm_rest(lm_equations a, global const real *rows, uint i, uint j, local real *left, local real *right,
                       local real *tile)
{
    lm_inner((lm_rows){ rows + lm_triangle(i), a.n + 1 - i, i + 1, 1 },
             (lm_rows){ rows + lm_triangle(j), a.n - j, j + 1, 1 }, j, left, right, tile);
    for (uint e = get_local_id(0); e < LM_TILE * LM_TILE; e += get_local_size(0)) {
        const uint r = e / LM_TILE, q = e % LM_TILE;
        local real *to = tile + q * LM_APART + r;
        *to = i + r <= a.n && j + q < a.n && j + q <= i + r ? lm_equation(a, i + r, j + q) - *to : R(0.0);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
}

// Writes the first m columns of a tile to the rows i, i + 1, … of L, from column j on.
LM_INLINE void lm_keep(local const real *tile, uint m, uint n, global real *rows, uint i, uint j)
{
    for (uint e = get_local_id(0); e < LM_TILE * LM_TILE; e += get_local_size(0)) {
        const uint r = e / LM_TILE, q = e % LM_TILE;
        if (i + r <= n && q < m && j + q <= i + r)
            rows[lm_triangle(i + r) + j + q] = tile[q * LM_APART + r];
    }
}

// Turns the first m columns of a tile on the diagonal into those of L, and returns whether they are positive.
LM_INLINE bool lm_root(local real *tile, uint m)
{
    bool positive = true;
    for (uint q = 0; q < m; q++) {
        local real *column = tile + q * LM_APART;
        const real pivot = column[q], root = sqrt(pivot);
        positive = positive && pivot > R(0.0) && isfinite(pivot);
        barrier(CLK_LOCAL_MEM_FENCE);
        for (uint r = q + get_local_id(0); r < LM_TILE; r += get_local_size(0)) column[r] /= root;
        barrier(CLK_LOCAL_MEM_FENCE);
        for (uint e = get_local_id(0); e < (m - 1 - q) * LM_TILE; e += get_local_size(0)) {
            const uint w = q + 1 + e / LM_TILE, r = e % LM_TILE;
            if (r >= w) tile[w * LM_APART + r] -= column[r] * column[w];
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    return positive;
}

// Turns the first m columns of a tile into those of L. root has the tile of L on the diagonal in the same columns.
LM_INLINE void lm_forward(local const real *root, uint m, local real *tile)
{
    for (uint r = get_local_id(0); r < LM_TILE; r += get_local_size(0)) {
        for (uint q = 0; q < m; q++) {
            real v = tile[q * LM_APART + r];
            for (uint p = 0; p < q; p++) v -= tile[p * LM_APART + r] * root[p * LM_APART + q];
            tile[q * LM_APART + r] = v / root[q * LM_APART + q];
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
}

// Reads m rows of L from column j on, and from row j on, into a tile.
LM_INLINE void lm_read(global const real *rows, uint m, uint j, local real *tile)
{
    for (uint e = get_local_id(0); e < LM_TILE * LM_TILE; e += get_local_size(0)) {
        const uint r = e / LM_TILE, q = e % LM_TILE;
        if (r < m && q <= r) tile[q * LM_APART + r] = rows[lm_triangle(j + r) + j + q];
    }
    barrier(CLK_LOCAL_MEM_FENCE);
}

// Solves the equations of a wide item with a work-group, LM_TILE columns of L at a time.
kernel void lm_solve(global real *x, global const real *lower, global const real *upper, global const uint *list,
                     const uint items, global const uint *variable, global const real *parameter,
                     global real *residual, global real *product, const uint answers, const uint from)
{
    local real left[LM_ROOM], right[LM_ROOM], tile[LM_ROOM];
    const uint t = get_local_id(0), all = get_local_size(0);
    const lm_item c = lm_tile(list, items, from + get_group_id(0));
    const uint n = c.variables;
    global const uint *entry = variable + c.entry;
    global real *rows = residual + c.first, *out = rows + lm_triangle(n + 1), *s = lm_answers(product + answers, c) + 1;
    const lm_equations a = { product + c.row, out, parameter[c.index], n };
    for (uint v = t; v < n; v += all) out[v] = lm_out(x, lower, upper, entry, a.product, v);
    barrier(CLK_GLOBAL_MEM_FENCE);
    bool positive = true;
    for (uint j = 0; j < n; j += LM_TILE) {
        const uint m = min(LM_TILE, n - j);
        for (uint i = j; i <= n; i += LM_TILE) {
            const uint first = i == j ? m : 0; // columns of the tile on the diagonal, which is the first one
            lm_rest(a, rows, i, j, left, right, tile);
            positive = lm_root(tile, first) && positive;
            lm_read(rows, m - first, j, right);
            lm_forward(right, m - first, tile);
            lm_keep(tile, m, n, rows, i, j);
            barrier(CLK_GLOBAL_MEM_FENCE | CLK_LOCAL_MEM_FENCE);
        }
    }
    for (uint v = t; v < n; v += all) s[v] = rows[lm_triangle(n) + v];
    for (uint b = (n + LM_TILE - 1) / LM_TILE; b-- > 0;) {
        const uint j = b * LM_TILE, m = min(LM_TILE, n - j);
        barrier(CLK_GLOBAL_MEM_FENCE | CLK_LOCAL_MEM_FENCE);
        lm_read(rows, m, j, tile);
        for (uint r = t; r < m; r += all) right[r] = s[j + r];
        for (uint r = m; r-- > 0;) { // right becomes the solution, from its end
            barrier(CLK_LOCAL_MEM_FENCE);
            const real y = right[r] / tile[r * LM_APART + r];
            barrier(CLK_LOCAL_MEM_FENCE);
            for (uint q = t; q <= r; q += all) right[q] = q == r ? y : right[q] - tile[q * LM_APART + r] * y;
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        for (uint v = t; v < j; v += all) {
            real sum = R(0.0);
            for (uint r = 0; r < m; r++) sum += rows[lm_triangle(j + r) + v] * right[r];
            s[v] -= sum;
        }
        for (uint r = t; r < m; r += all) s[j + r] = right[r];
    }
    barrier(CLK_GLOBAL_MEM_FENCE);
    for (uint v = t; v < n; v += all) lm_move(x, lower, upper, entry[1 + v], positive ? s[v] : R(0.0));
    if (t == 0) s[-1] = positive ? R(1.0) : R(0.0);
}
