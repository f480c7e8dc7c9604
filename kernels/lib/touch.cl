// touch.cl: which components read a variable, and its interval. Comes after the tables of the problem.
//
// Defines. One of these says which components read variable i:
//   TOUCH_STRIDE, TOUCH_FROM, TOUCH_TO   component k reads variables TOUCH_STRIDE*k + TOUCH_FROM to
//                                        TOUCH_STRIDE*k + TOUCH_TO, as far as they are below DIM
//   TOUCH_OFFSETS, TOUCH_STRIDE          component (i - o)/TOUCH_STRIDE, if there is one, for each o of
//                                        d.touch[d.touch_start[r]] to d.touch[d.touch_start[r + 1] - 1], which are in
//                                        decreasing order, with r = i mod TOUCH_STRIDE
//   TOUCH_GRID, TOUCH_CLASS(i)           component i - o modulo 2^32 for each o of d.touch[d.touch_start[c]] to
//                                        d.touch[d.touch_start[c + 1] - 1], with the class c = TOUCH_CLASS(i)
//   TOUCH_LISTS                          d.touch[d.touch_start[i]] to d.touch[d.touch_start[i + 1] - 1]
//   TOUCH_REPEATED                       the same within TOUCH_VARS variables, after which the lists repeat with
//                                        TOUCH_COMPS components more
//   TOUCH_WHOLE                          all of them
// With TOUCH_STRIDE there may be TOUCH_OWN: component k reads variable k alone. BOXED: each variable has an
// interval of its own.
//
// The components that read variable i are touched(q, i, d) for touch_first(i, d) <= q < touch_end(i, d).

#if TOUCH_WHOLE
static uint touch_first(uint i, data d) { return 0; }
static uint touch_end(uint i, data d) { return COMPS; }
static uint touched(uint q, uint i, data d) { return q; }
#elif TOUCH_OFFSETS
static uint touch_first(uint i, data d)
{
    const uint r = i % TOUCH_STRIDE;
    uint q = d.touch_start[r];
    while (q < d.touch_start[r + 1] && d.touch[q] > i) q++;
    return q;
}
static uint touch_end(uint i, data d)
{
    const uint r = i % TOUCH_STRIDE;
    uint q = d.touch_start[r + 1];
    while (q > d.touch_start[r] && d.touch[q - 1] <= i && (i - d.touch[q - 1]) / TOUCH_STRIDE >= COMPS) q--;
    return q;
}
static uint touched(uint q, uint i, data d) { return (i - d.touch[q]) / TOUCH_STRIDE; }
#elif TOUCH_GRID
static uint touch_first(uint i, data d) { return d.touch_start[TOUCH_CLASS(i)]; }
static uint touch_end(uint i, data d) { return d.touch_start[TOUCH_CLASS(i) + 1]; }
static uint touched(uint q, uint i, data d) { return i - d.touch[q]; }
#elif TOUCH_LISTS
static uint touch_first(uint i, data d) { return d.touch_start[i]; }
static uint touch_end(uint i, data d) { return d.touch_start[i + 1]; }
static uint touched(uint q, uint i, data d) { return d.touch[q]; }
#elif TOUCH_REPEATED
static uint touch_first(uint i, data d) { return d.touch_start[i % TOUCH_VARS]; }
static uint touch_end(uint i, data d) { return d.touch_start[i % TOUCH_VARS + 1]; }
static uint touched(uint q, uint i, data d) { return i / TOUCH_VARS * TOUCH_COMPS + d.touch[q]; }
#else
static uint touch_first(uint i, data d)
{
    return i < TOUCH_TO ? 0u : (i - TOUCH_TO + (TOUCH_STRIDE - 1u)) / TOUCH_STRIDE;
}
static uint touch_end(uint i, data d)
{
    return i < TOUCH_FROM ? 0u : min((i - TOUCH_FROM) / TOUCH_STRIDE + 1u, COMPS);
}
static uint touched(uint q, uint i, data d) { return q; }
#endif

// The interval of variable i.
#if BOXED
static real box_lower(uint i, data d) { return d.box_lo[i]; }
static real box_upper(uint i, data d) { return d.box_hi[i]; }
#else
static real box_lower(uint i, data d) { return BOX_LO; }
static real box_upper(uint i, data d) { return BOX_HI; }
#endif
