package methods

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/clopt/clopt/internal/solvers/checkpoint"
	"github.com/clopt/clopt/internal/solvers/host"
	"github.com/clopt/clopt/problems"
	"github.com/clopt/clopt/problems/rng"
	"github.com/clopt/clopt/shard"
	"github.com/clopt/clopt/solvers"
	"github.com/clopt/clopt/solvers/device"
)

// Search is a search on the host that only asks for values of points, which devices compute. FromHost makes a method of
// it, which counts evaluations, keeps limits, remembers the best point, and is stored and resumed.
type Search interface {
	// Next makes a step, and reports whether there is another one. eval returns the value of a point, and +Inf where it
	// is not finite. Before, it moves the point into the box, to numbers that devices can store. It does not return
	// from a step that no longer fits into the limits, or is cancelled, as FailNow of package testing does not: an
	// error would be forgotten, and a value that nobody has computed would decide. That step is undone: a search begins
	// at the best point so far, with the state before the step.
	Next(eval func(x []float64) float64) (more bool)
	// State points to a struct of what the search must remember besides the best point, with fields as
	// checkpoint.Encode takes them.
	State() any
}

// Start is where a Search begins, or goes on.
type Start struct {
	Domain problems.Domain
	Key    rng.Key   // of draws, for the purposes rng.User, rng.User+1, …
	X      []float64 // the best point: at first the start point, or a uniform one; it belongs to the search
	F      float64   // its value
}

// Uniform makes X the uniform point of a number, from 1 on, and returns it.
func (s Start) Uniform(number int) []float64 {
	host.Uniform(s.Domain, s.Key, number, s.X)
	return s.X
}

// FromHost returns the method of the given traits whose runs are the searches that begin returns. begin reads the
// settings of the traits. Points are evaluated whole, one after the other, on one device.
func FromHost(t solvers.Traits, begin func(at Start) Search) solvers.Solver {
	return &fromHost{t, begin}
}

type fromHost struct {
	traits solvers.Traits
	begin  func(at Start) Search
}

// Traits returns those that FromHost got.
func (m *fromHost) Traits() solvers.Traits { return m.traits }

// Plan returns the memory of one point.
func (m *fromHost) Plan(p problems.Problem, prec problems.Precision) shard.Plan {
	return shard.Plan{Items: device.StoredItems(p, prec, 1)}
}

// Start places the problem on the first device.
func (m *fromHost) Start(ctx context.Context, p problems.Problem, g *shard.Devices, s solvers.Setup) (solvers.Run,
	error) {
	plans, err := g.Fit(ctx, m.Plan(p, s.Precision), p, s.Precision)
	if err != nil {
		return nil, err
	}
	stored, err := device.PlaceStored(g, p, s.Precision, []int{1}, 1)
	if err != nil {
		return nil, err
	}
	r := &hostRun{p: p, setup: s, stored: stored, begins: m.begin, info: solvers.Info{Plans: plans}}
	r.X = make([]float64, p.Domain().N)
	host.Uniform(p.Domain(), s.Key, 0, r.X)
	if len(s.X0) > 0 {
		copy(r.X, s.X0[0])
	}
	r.Sample.Best = math.Inf(1)
	return r, nil
}

// hostRun is a run of a Search.
type hostRun struct {
	p      problems.Problem
	setup  solvers.Setup
	stored *device.StoredPoint
	begins func(at Start) Search
	search Search // nil: it has not begun
	info   solvers.Info
	hostState
}

// hostState is what a run must remember.
type hostState struct {
	Sample solvers.Sample
	X      []float64 // the best point; a better one is another slice
	Over   bool      // the search has come to its end
	Search []uint8   // its state; nil: it has none yet
}

// Step evaluates the point at which the search begins, or makes its next step.
func (r *hostRun) Step(ctx context.Context, room solvers.Room) (solvers.Sample, bool, error) {
	now, begun := r.hostState, r.search != nil
	n := int64(0)
	nonFinite := r.Sample.NonFinite
	best := math.Inf(1)
	var err error
	value := func(x []float64) (f float64, ok bool) {
		if err = ctx.Err(); err != nil || n == room.Evaluations {
			return 0, false
		}
		copy(x, r.p.Domain().Stored(r.setup.Precision, 0, x))
		if f, err = r.stored.Value(ctx, x); err != nil {
			return 0, false
		}
		n++
		if f = host.Infinite(f, &nonFinite); f < min(best, now.Sample.Best) {
			now.X = slices.Clone(x)
		}
		best = min(best, f)
		return f, true
	}
	switch {
	case begun && !r.Over:
		before := checkpoint.Encode(r.search.State())
		if !r.next(value, &n, &now.Over) {
			return r.Sample, false, errors.Join(err, r.goOn(before))
		}
	case !begun:
		if _, ok := value(now.X); ok {
			r.begin(now.X, best)
		}
	}
	if n == 0 {
		r.Over = now.Over
		return r.Sample, false, err
	}
	now.Sample.Add(n, best, nonFinite)
	r.hostState = now
	return r.Sample, true, nil
}

// next makes steps of the search until one has evaluated a point, or the search is over. It returns false if the step
// has to be undone.
func (r *hostRun) next(value func(x []float64) (float64, bool), n *int64, over *bool) (done bool) {
	undone := false
	defer func() {
		if undone {
			recover() // the panic of eval
		}
	}()
	for *n == 0 && !*over {
		*over = !r.search.Next(func(x []float64) float64 {
			f, ok := value(x)
			if !ok {
				undone = true
				panic("methods: this step is undone")
			}
			return f
		})
	}
	return true
}

// begin begins the search at a point.
func (r *hostRun) begin(x []float64, f float64) {
	at := Start{Domain: r.p.Domain().In(r.setup.Precision), Key: r.setup.Key, X: slices.Clone(x), F: f}
	r.search = r.begins(at)
}

// Incumbent copies the best point.
func (r *hostRun) Incumbent(first int, x []float64) error {
	copy(x, r.X[first:])
	return nil
}

// State returns the state of the run, with that of its search.
func (r *hostRun) State() *solvers.State {
	if r.search != nil {
		r.Search = checkpoint.Encode(r.search.State())
	}
	return &solvers.State{Host: &r.hostState, Arrange: r.loaded, Restored: r.restored}
}

// loaded gives the search the state that was loaded.
func (r *hostRun) loaded() error {
	if got, want := len(r.X), r.p.Domain().N; got != want {
		return &checkpoint.Damage{Msg: fmt.Sprintf("a point of %d variables; this problem has %d", got, want)}
	}
	if r.Search == nil {
		return nil
	}
	return r.goOn(r.Search)
}

// goOn begins the search at the best point, with a state.
func (r *hostRun) goOn(state []uint8) error {
	r.begin(r.X, r.Sample.Best)
	return checkpoint.Decode(state, r.search.State())
}

// restored compares the value of the best point with the stored one.
func (r *hostRun) restored(ctx context.Context) error {
	if math.IsInf(r.Sample.Best, 1) {
		return nil
	}
	f, err := r.stored.Value(ctx, r.X)
	if err != nil {
		return err
	}
	return solvers.SameValue(f, r.Sample.Best, r.p.Tolerance(r.setup.Precision))
}

// Info describes the layout of the run, and says whether the search is over.
func (r *hostRun) Info() solvers.Info {
	info := r.info
	info.Ended = r.Over
	return info
}

// Close releases the point.
func (r *hostRun) Close() { r.stored.Close() }
