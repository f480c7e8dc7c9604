//@ name sphere
//@ bounds -100 100
//@ reads k
//@ best 0

#include "term.h"

static void component(uint k, point x, data d, real *acc) { acc[0] += term(at(x, k)); }
