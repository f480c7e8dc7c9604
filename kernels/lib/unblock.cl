// unblock.cl: what follows sees the points of the view again.
#undef point
#undef at
