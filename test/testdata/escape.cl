// Line 5 leads out of this folder: clopt refuses it and exits 2.
//@ name escape
//@ bounds -1 1

#include "../x.h"

static void component(uint k, point x, data d, real *acc) { acc[0] += term(at(x, k)); }
