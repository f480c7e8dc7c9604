// quad_end.cl: ends quad.cl. The texts that follow see the points of the view again.
#undef point
#undef at
