// Package draw is the project's random numbers on the host: Philox4x32-10
// (Salmon, Moraes, Dror, Shaw 2011, doi:10.1145/2063384.2063405) and what is
// made of its words. kernels/lib/draw.cl is the twin on the device; both give
// the same bits.
//
// A draw has no state. It is a function of a key (seed, run) and a counter
// (index, who, when, purpose), where index is a global variable index (or a
// quarter of it: the four words of one block serve four neighbours), who an
// individual, when a generation or step. So a point can be drawn again by
// another kernel, on another device, after a restart.
package rng

import (
	"maps"
	"slices"
)

// Key selects one stream of draws: the seed of a run and the number of the
// run among repetitions.
type Key struct{ Seed, Run uint32 }

// Purpose separates the uses of draws: no two uses share a counter.
type Purpose uint32

// The purposes, one list for host and device (the device sees them as defines
// DRAW_INIT, DRAW_RANDOM, …; package kernels takes the values from here through
// its callers).
const (
	Init     Purpose = iota + 1 // uniform start population
	Random                      // random search
	Mate                        // partners of an individual within a portion
	Cross                       // BLX-alpha
	Mutate                      // BGA mutation
	Step                        // Solis-Wets deviations
	Shift                       // shifts of mode=distinct
	Check                       // points of the self-check
	Generate                    // generated instances
	Linkage                     // order among equals in a linkage tree
	Shuffle                     // orders of linkage sets, and of groups of them
	Donor                       // donors of a linkage set, four tries
	Scan                        // which of all donors, where the tries failed
	Force                       // order of sets in forced improvement
	Zobrist                     // hashes of partitions
	Flip                        // annealing of graphs
	Anneal                      // a step of simulated annealing
	Axis                        // the coordinate that the chains of a block share
	Choose                      // the individual that local search improves where all are marked
	Grasp                       // candidate lists of C-GRASP
	Order                       // order of the variables in independent sets of C-GRASP
	Ball                        // points of its local search
	Hop                         // where a local minimiser begins anew
	Sweep                       // a variable's neighbour in a sweep of annealing
)

// Names gives every purpose the name of its device define, without DRAW_.
var Names = map[string]Purpose{
	"INIT": Init, "RANDOM": Random, "MATE": Mate, "CROSS": Cross, "MUTATE": Mutate,
	"STEP": Step, "SHIFT": Shift, "CHECK": Check, "GENERATE": Generate,
	"LINKAGE": Linkage, "SHUFFLE": Shuffle, "DONOR": Donor, "SCAN": Scan, "FORCE": Force, "ZOBRIST": Zobrist, "FLIP": Flip,
	"ANNEAL": Anneal, "AXIS": Axis,
	"CHOOSE": Choose,
	"GRASP":  Grasp, "ORDER": Order, "BALL": Ball,
	"HOP": Hop, "SWEEP": Sweep,
}

// Sorted returns the keys of Names in alphabetical order.
func Sorted() []string { return slices.Sorted(maps.Keys(Names)) }
