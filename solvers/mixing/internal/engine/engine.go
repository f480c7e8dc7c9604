// Package engine makes the individuals of populations and their generations, for a run that decides which population
// is next. There are two engines, with the same bits where both have the same method:
//
//	Parallel   all individuals together, on devices
//	Serial     one individual after the other, on one core of the host
//
// It has these files, with few exceptions each of which needs only those before it: engine.go, memory.go, begin.go,
// parallel.go, generation.go, anneal.go, dense.go, cross.go, slice.go, grow.go, mix.go, serial.go, state.go.
package engine

import (
	"context"

	"github.com/clopt/clopt/internal/problems/linkage"
	"github.com/clopt/clopt/problems"
	"github.com/clopt/clopt/solvers"
	"github.com/clopt/clopt/solvers/mixing/internal/host"
)

// Engine makes the generations of populations.
type Engine interface {
	// Allocate allocates the individuals of p. If p is too large, the error is a *cl.MemoryError.
	Allocate(p *host.Population) error
	// Create draws the individuals of p. If there are start points x0, the first individuals are these. Annealing
	// leaves them, so before it they are evaluated, and the best one becomes the elitist.
	Create(ctx context.Context, p *host.Population, x0 [][]uint64) error
	// Cross puts children in the places of the individuals of p, for Grow. After its last step, a child that is worse
	// than its elder makes way for it. apart says that the individuals are too different, and Cross has done nothing.
	Cross(ctx context.Context, p *host.Population) (apart bool, err error)
	// Grow makes one step of improving and evaluating the individuals of p. done is true after the last one.
	Grow(ctx context.Context, p *host.Population) (done bool, err error)
	// Advance makes some or all offspring of a generation, and evaluates at most limit edges for them. done means that
	// the generation is complete, none that the limit is too small for any offspring.
	Advance(ctx context.Context, p *host.Population, limit int64) (done, none bool, err error)
	// PerIndividual returns the largest number of edges that Create and Grow evaluate for an individual of a
	// population of n, and PerChild that of Cross and Grow.
	PerIndividual(n int) int64
	PerChild(n int) int64
	// Slower doubles the sweeps for the next population.
	Slower() error
	// Whole returns the hash of the partition with all vertices on side 1.
	Whole() uint64
	// Drop frees the memory of p, which may be nil.
	Drop(p *host.Population)
	Close()

	// Vectors describes the partitions of p, for a checkpoint. growing says that Grow is not done with p.
	Vectors(p *host.Population, growing bool) []solvers.Vector
	// Pieces returns the number of pieces of a vector, and how many of the last ones every rank has whole. Each calls f
	// for all of them.
	Pieces() (n, common int)
	Each(f func(piece int) error) error
	// Store puts the partitions of p, which is growing, into its vectors.
	Store(p *host.Population) error
	// Restored compares the partitions of p, whose vectors have been loaded, with their cuts.
	Restored(ctx context.Context, p *host.Population) error
	// Resume continues after all vectors have been loaded. growing may be nil.
	Resume(ctx context.Context, growing *host.Population) error
}

// The linkage models. Components are the sets of connected vertices in which two individuals differ. Crossed
// individuals have children with random sides where two of them differ, which are annealed again. Unmixed populations
// are never mixed.
const (
	Tree       = "tree"
	Components = "components"
	Crossed    = "crossed"
	Univariate = "univariate"
	Learned    = "learned"
	Sparse     = "sparse"
	Unmixed    = "unmixed"
)

// Method says how individuals are made.
type Method struct {
	First   int            // individuals of the first population
	Linkage string         // one of the linkage models
	Bound   int            // the most vertices of a learned set; 0: all
	Donors  host.DonorRule // of sets
	Force   bool           // offspring that do not improve are forced to
	Anneals bool           // new individuals are annealed
	Sweeps  int            // of annealing above temperature 0; 0: they are improved by local search
	Form    Form
}

// Form replaces what Parallel chooses by the device and the graph, for tests. The zero value replaces nothing.
type Form struct {
	Spill bool // offspring are never in local memory
	Group int  // work-items of a group
	Block int  // sweeps of annealing in one step
	Split bool // words of chains are annealed on a processor as on another device
}

// Task is a run that an engine makes individuals for.
type Task struct {
	Method
	Problem problems.Cut // on the graph that is searched
	Shape   *host.Shape  // of this graph
	Setup   solvers.Setup
	Home    *linkage.Model // partitions are stored in its order
	Elite   *host.Elite    // the best partition, which the engine replaces
	Counts  *host.Counts   // of evaluations, to which the engine adds
}

// enter evaluates start points that are annealed next, in the order of x, and offers them as elitist.
func (t *Task) enter(x *host.Mixture, x0 [][]uint64) {
	if !t.Anneals {
		return
	}
	for _, row := range x0 {
		t.Elite.Offer(row, host.CutOf(x.Graph, row), x.HashOf(row))
		t.Counts.Values++
		t.Counts.Edges += host.Cost(x.Graph)
	}
}

// learns reports whether linkage models are learned from the parents.
func (t *Task) learns() bool { return t.Linkage == Learned || t.Linkage == Sparse }
