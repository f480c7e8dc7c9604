//@ name knapsack
//@ bounds 0 4.999
//@ n 200
//@ sums 2
//@ reads k
//@ f -s0 + 100*max(0, s1-1000)
// Pieces of 200 kinds, at most four of each, their values and their weights. More than 1000 of weight cost a penalty.
// Its slope is 0 or so large that values do not count.
static void component(uint k, point x, data d, real *acc)
{
    real pieces = floor(at(x, k));
    acc[0] += pieces * (real)(1 + (k * 7) % 13);
    acc[1] += pieces * (real)(2 + (k * 5) % 11);
}
