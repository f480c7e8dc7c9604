// A variable is misspelt in line 9, column 15: clopt names both and exits 4.
//@ name broken
//@ bounds -1 1
//@ reads k

static void component(uint k, point x, data d, real *acc)
{
    real value = at(x, k);
    acc[0] += valeu * value;
}
