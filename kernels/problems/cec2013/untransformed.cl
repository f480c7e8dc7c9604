// cec2013/untransformed.cl: Ackley's functions F3, F6 and F10 without T_osz and T_asy, with transform=none. It stands
// after lib/tosz.cl, whose transformation it replaces. The table lambda holds ones.
#define tosz_asy(z, u) (z)
