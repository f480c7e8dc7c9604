// solis_wets.cl: how a chain of steps of Solis and Wets (1981, doi:10.1287/moor.6.1.19) adapts.
//
// Defines: CHAIN_REAL, the type of rho and scale.

// A chain: d = rho N(0,1) for each variable, and the bias is scale times what is stored. All items have the same.
typedef struct {
    CHAIN_REAL rho, scale;
    uint good, bad; // successes and failures in a row
    uint pending;   // whether the opposite step is next
    uint when;      // counter of the draws of d
} solis_wets;

// Adapts a chain after a step. The step was better, or it failed and its opposite comes next, or both have failed.
static void solis_wets_adapt(solis_wets *c, bool better)
{
    if (better) {
        c->scale = 1;
        c->good++;
        c->bad = 0;
        c->pending = 0;
    } else if (!c->pending) {
        c->pending = 1;
    } else {
        c->scale *= R(0.5);
        c->bad++;
        c->good = 0;
        c->pending = 0;
    }
    // One of the counters may have reached its limit, but only if it has just changed.
    if (c->good >= 5) {
        c->good = 0;
        c->rho *= 2;
    } else if (c->bad >= 3) {
        c->bad = 0;
        c->rho *= R(0.5);
    }
}
