// inner.cl: components that are functions of inner sums. Comes after a problem in item form that defines, instead of
// component and component_together,
//   component_inner(k, x, d, inner)     adds the sums of component k at x to inner[0..INNER), which are 0 before
//   component_value(k, inner, d)        returns the component from its sums; it never falls where a sum rises
//   component_inner_together(k, x, d, scratch, inner)   the same as component_inner by all items of a group for a wide
//                                       component, one of TOGETHER(k), if there are any; all items get the sums
//
// Defines: INNER (the number of sums of a component).

static void component(uint k, point x, data d, real *acc)
{
    real inner[INNER];
    for (int j = 0; j < INNER; j++) inner[j] = R(0.0);
    component_inner(k, x, d, inner);
    acc[0] += component_value(k, inner, d);
}

#ifdef TOGETHER
static void component_together(uint k, point x, data d, local real *scratch, sum *acc)
{
    real inner[INNER];
    for (int j = 0; j < INNER; j++) inner[j] = R(0.0);
    component_inner_together(k, x, d, scratch, inner);
    sum_add(acc, get_local_id(0) == 0 ? component_value(k, inner, d) : R(0.0));
}
#endif
