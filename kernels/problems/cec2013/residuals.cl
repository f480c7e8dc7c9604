// cec2013/residuals.cl: the numbers whose squares are the components of an elliptic function, of one of Schwefel, or of
// that of Rosenbrock. Comes after cec2013/item.cl, whose components are the sums of their squares.

static void component_residuals(uint k, point x, data d, global real *r)
{
    const uint b = k / CEC_COMPS, c = k % CEC_COMPS;
#if CEC_GROUPS > 0
    if (c < CEC_GROUPS) {
        const uint a = d.start[c], s = d.size[c];
        real w = R(0.0);
        for (uint i = 0; i < s; i++) {
            const real z = cec_rotated(b, c, i, x, d);
#if CEC_BASE == CEC_SCHWEFEL
            w += tosz_asy(z, d.u[a + i]);
            r[i] = sqrt(d.weight[c]) * w;
#else
            r[i] = sqrt(d.coef[a + i]) * tosz(z);
#endif
        }
        return;
    }
#endif
    const uint p = CEC_SINGLE + c - CEC_GROUPS;
    const real z = cec_z(b, p, x, d);
#if CEC_BASE == CEC_ROSENBROCK
    r[0] = R(10.0) * (z * z - cec_z(b, p + 1, x, d));
    r[1] = z - R(1.0);
#elif CEC_BASE == CEC_ELLIPTIC
    r[0] = sqrt(d.coef[p]) * tosz(z);
#else
    r[0] = z; // the rest of F7
#endif
}
