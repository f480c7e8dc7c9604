// lm/lm.cl: residuals for the Levenberg-Marquardt method. Comes after the problem's text in the form with residuals.

// Computes the residuals of a component at the point x, where one variable has another value. Entry e is component
// component[e] with value[e] for variable[e] (DIM: x as it is); its residuals are written from residuals[start[e]] on.
kernel void lm_residuals(global const real *x, global const uint *component, global const uint *variable,
                         global const real *value, global const uint *start, global real *residual, const uint from,
                         const uint count DATA_PARAMS)
{
    const uint e = from + get_global_id(0);
    if (get_global_id(0) >= count) return;
    DATA_INIT;
    component_residuals(component[e], (point){ x, 0, variable[e], value[e] }, d, residual + start[e]);
}
