// Package rng provides random numbers on the host: the words of Philox4x32-10
// (Salmon, Moraes, Dror, Shaw 2011, doi:10.1145/2063384.2063405), and uniform and
// normal numbers made from them. kernels/lib/draw.cl computes the same bits on
// devices.
//
// A draw has no state. It is a function of a key (seed, run) and a counter
// (index, who, when, purpose). For most purposes index is a quarter of the global
// index of a variable, because the four words of a draw serve a quad of neighbours;
// who is the number of an individual, and when that of a generation or step. A point can
// therefore be drawn again by another kernel, on another device, or after a restart.
package rng

// Key selects one stream of draws by the seed and the number of the run among
// repetitions.
type Key struct{ Seed, Run uint32 }

// Purpose separates the uses of draws, so that no two of them share a counter.
type Purpose uint32

// The purposes of clopt itself. Kernels see the same values as defines DRAW_INIT, DRAW_RANDOM, …
const (
	Init     Purpose = iota + 1 // uniform start population
	Random                      // random search
	Mate                        // partners of an individual within a portion
	Cross                       // BLX-alpha, and sides of children
	Mutate                      // BGA mutation
	Step                        // Solis-Wets deviations
	Shift                       // shifts of mode=distinct
	Check                       // points of the self-check
	Generate                    // generated instances
	Linkage                     // order among equals in a linkage tree
	Shuffle                     // orders of linkage sets, and of groups of them
	Donor                       // donors of a linkage set, four tries
	Scan                        // one of all donors, if the tries failed
	Force                       // order of sets in forced improvement
	Zobrist                     // hashes of partitions
	Flip                        // annealing of graphs
	Anneal                      // a step of simulated annealing
	Axis                        // the coordinate that the chains of a group share
	Choose                      // the individual that local search improves if all are marked
	Grasp                       // candidate lists of C-GRASP
	Order                       // order of the variables in independent sets of C-GRASP
	Ball                        // points of the local search of C-GRASP
	Hop                         // the points from which a local minimizer begins again
	Sweep                       // a variable's neighbour in a sweep of annealing
	Probe                       // points and sets of variables for tests of a structure
	Kick                        // the point from which a descent begins again
	Compare                     // points with which a result is compared
	Sample                      // points of an evolution strategy
	Regime                      // how an evolution strategy begins again
)

// User is the first purpose for code outside this module. Methods and families there use User, User+1, … with any key.
// clopt never uses these purposes, so their draws share no counter with those of clopt. Kernels get such a purpose as a
// define or an argument of their own.
const User Purpose = 1 << 16

// Names maps the name of every purpose of clopt in kernels, without DRAW_, to its value.
var Names = map[string]Purpose{
	"INIT": Init, "RANDOM": Random, "MATE": Mate, "CROSS": Cross, "MUTATE": Mutate,
	"STEP": Step, "SHIFT": Shift, "CHECK": Check, "GENERATE": Generate,
	"LINKAGE": Linkage, "SHUFFLE": Shuffle, "DONOR": Donor, "SCAN": Scan, "FORCE": Force, "ZOBRIST": Zobrist,
	"FLIP":   Flip,
	"ANNEAL": Anneal, "AXIS": Axis,
	"CHOOSE": Choose,
	"GRASP":  Grasp, "ORDER": Order, "BALL": Ball,
	"HOP": Hop, "SWEEP": Sweep, "PROBE": Probe, "KICK": Kick,
	"COMPARE": Compare, "SAMPLE": Sample, "REGIME": Regime,
}
