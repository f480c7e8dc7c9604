// partial.cl: evaluates a change of one variable from the components that read it. Comes after the view, the problem,
// which defines component(k, x, d, acc) and objective(acc, d), and lib/touch.cl. One work-item has a whole point.

// partial_full sets acc to the accumulators of x, adding all components in order.
static void partial_full(point x, data d, sum *acc)
{
    for (int j = 0; j < ACCS; j++) acc[j] = sum_zero();
    for (uint k = 0; k < COMPS; k++) {
        real a[ACCS];
        for (int j = 0; j < ACCS; j++) a[j] = R(0.0);
        component(k, x, d, a);
        for (int j = 0; j < ACCS; j++) sum_add(acc + j, a[j]);
    }
}

// partial_exchange adds component k of point `to` to delta and subtracts that of point `from`.
static void partial_exchange(point from, point to, uint k, data d, sum *delta)
{
    real a[ACCS], b[ACCS];
    for (int j = 0; j < ACCS; j++) a[j] = b[j] = R(0.0);
    component(k, from, d, a);
    component(k, to, d, b);
    for (int j = 0; j < ACCS; j++) {
        sum_add(delta + j, b[j]);
        sum_add(delta + j, -a[j]);
    }
}

// partial_change sets delta to the accumulators of point `to` minus those of point `from`. The two points differ
// in variable i alone. In float32 sums have more digits than terms, so that the difference of two terms loses none.
static void partial_change(point from, point to, uint i, data d, sum *delta)
{
    for (int j = 0; j < ACCS; j++) delta[j] = sum_zero();
#if TOUCH_OWN
    partial_exchange(from, to, i, d, delta);
#else
    const uint end = touch_end(i, d);
    for (uint q = touch_first(i, d); q < end; q++) partial_exchange(from, to, touched(q, i, d), d, delta);
#endif
}

// partial_swap updates acc, the accumulators of point `from`, to those of point `to`.
static void partial_swap(point from, point to, uint i, data d, sum *acc)
{
    sum delta[ACCS];
    partial_change(from, to, i, d, delta);
    for (int j = 0; j < ACCS; j++) acc[j] = sum_join(acc[j], delta[j]);
}
