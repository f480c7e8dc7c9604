package search

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/clopt/clopt/internal/solvers/checkpoint"
	"github.com/clopt/clopt/internal/solvers/host"
	"github.com/clopt/clopt/problems"
	"github.com/clopt/clopt/solvers"
	"github.com/clopt/clopt/solvers/device"
)

// run is a run of a Search.
type run struct {
	p      problems.Problem
	domain problems.Domain // in the numbers of the precision
	setup  solvers.Setup
	stored *device.StoredPoint
	method *Method
	search Search // nil: it has not begun
	step   step   // the present one
	info   solvers.Info
	state
}

// state is what a run must remember.
type state struct {
	Sample  solvers.Sample
	X       []float64 // the best point; a better one is another slice
	Started int       // start points that have been evaluated
	Over    bool      // the search has come to its end
	Search  []uint8   // its state; nil: it has none yet
	Held    []float64 // the best point of a step that was undone, if it is better than X; nil: there is none
}

// step is what a step has evaluated so far.
type step struct {
	ctx       context.Context
	room      int64
	n         int64
	best      float64
	x         []float64 // the best point, if it is better than that of the run; else nil
	nonFinite int64
	err       error
}

// Step evaluates start points, or makes the next step of the search. A step that is cancelled begins anew, but the best
// point that it has evaluated is the Incumbent.
func (r *run) Step(ctx context.Context, room solvers.Room) (solvers.Sample, bool, error) {
	r.step = step{ctx: ctx, room: room.Evaluations, best: math.Inf(1), nonFinite: r.Sample.NonFinite}
	r.Held = nil
	before, over := []uint8(nil), r.Over
	done := true
	starts := r.starts()
	if len(starts) == 0 && !r.Over {
		r.begin()
		if _, steady := r.search.(Steady); !steady {
			before = checkpoint.Encode(r.search.State())
		}
		over, done = r.next()
	} else if len(starts) > 0 {
		starts = starts[:min(int64(len(starts)), room.Evaluations, int64(most(r.domain.N)))]
		if len(starts) > 0 {
			_, done = r.values(slices.Clone(starts))
		}
	}
	s := r.Sample
	switch {
	case !done:
		if before != nil {
			r.step.err = errors.Join(r.step.err, r.goOn(before))
		}
		if r.step.err != nil && r.step.n > 0 { // a step that does not fit is as if it had not been
			s.Add(r.step.n, r.step.best, r.step.nonFinite)
			s.Step--
			r.Held = r.step.x
		}
		return s, false, r.step.err
	case r.step.n == 0:
		r.Over = over
		return s, false, ctx.Err()
	}
	r.Sample.Add(r.step.n, r.step.best, r.step.nonFinite)
	if r.step.x != nil {
		r.X = r.step.x
	}
	r.Over = over
	r.Started += len(starts)
	return r.Sample, true, nil
}

// starts returns the points that are evaluated before the search begins.
func (r *run) starts() [][]float64 {
	if len(r.setup.X0) > 0 {
		return r.setup.X0[min(r.Started, len(r.setup.X0)):]
	}
	if r.method.Blind || r.Started > 0 {
		return nil
	}
	return [][]float64{r.X}
}

// values evaluates points, and remembers the best one. It returns false if they do not fit, or all of them have no
// value.
func (r *run) values(points [][]float64) ([]float64, bool) {
	s := &r.step
	s.err = s.ctx.Err()
	if s.err != nil || s.n+int64(len(points)) > s.room {
		return nil, false
	}
	for k, x := range points {
		points[k] = r.domain.Stored(r.setup.Precision, 0, x)
	}
	values := make([]float64, 0, len(points))
	for some := range slices.Chunk(points, r.atOnce(len(points))) {
		var f []float64
		f, s.err = r.stored.Values(s.ctx, slices.Concat(some...))
		if values = append(values, f...); s.err != nil {
			break
		}
	}
	for k, f := range values {
		values[k] = host.Infinite(f, &s.nonFinite)
		if values[k] < min(s.best, r.Sample.Best) {
			s.x = points[k]
		}
		s.best = min(s.best, values[k])
	}
	s.n += int64(len(values))
	return values, s.err == nil
}

// atOnce returns how many of some points are evaluated at a time: all by a function of the host, which may have many
// processes.
func (r *run) atOnce(points int) int {
	if problems.CallOf(r.p) != nil {
		return max(points, 1)
	}
	return most(r.domain.N)
}

// next makes steps of the search until one has evaluated a point, or the search is over. It returns false if the step
// has to be undone.
func (r *run) next() (over, done bool) {
	undone := false
	defer func() {
		if undone {
			recover() // the panic of eval
			over, done = r.Over, false
		}
	}()
	for r.step.n == 0 && !over {
		over = !r.search.Next(func(points ...[]float64) []float64 {
			moved := slices.Clone(points)
			f, ok := r.values(moved)
			if !ok {
				undone = true
				panic("search: this step is undone")
			}
			for k, x := range points {
				copy(x, moved[k])
			}
			return f
		})
	}
	return over, true
}

// begin begins the search at the best point, unless it has begun.
func (r *run) begin() {
	if r.search == nil {
		r.search = r.method.Begin(Start{Domain: r.domain, Key: r.setup.Key, X: slices.Clone(r.X), F: r.Sample.Best,
			Given: len(r.setup.X0) > 0, Room: func() int64 { return r.step.room - r.step.n }})
	}
}

// Incumbent copies the best point.
func (r *run) Incumbent(first int, x []float64) error {
	best := r.X
	if len(r.Held) > 0 {
		best = r.Held
	}
	copy(x, best[first:])
	return nil
}

// State returns the state of the run, with that of its search.
func (r *run) State() *solvers.State {
	if r.search != nil {
		r.Search = checkpoint.Encode(r.search.State())
	}
	return &solvers.State{Host: &r.state, Arrange: r.loaded, Restored: r.restored}
}

// loaded gives the search the state that was loaded.
func (r *run) loaded() error {
	if got, want := len(r.X), r.domain.N; got != want {
		return &checkpoint.Damage{Msg: fmt.Sprintf("a point of %d variables; this problem has %d", got, want)}
	}
	if got := len(r.Held); got != 0 && got != r.domain.N {
		return &checkpoint.Damage{Msg: fmt.Sprintf("a point of %d variables; this problem has %d", got, r.domain.N)}
	}
	if r.Search == nil {
		return nil
	}
	return r.goOn(r.Search)
}

// goOn begins the search at the best point, with a state.
func (r *run) goOn(state []uint8) error {
	r.search = nil
	r.begin()
	if err := checkpoint.Decode(state, r.search.State()); err != nil {
		return err
	}
	if s, ok := r.search.(Loaded); ok {
		return s.Loaded()
	}
	return nil
}

// restored compares the value of the best point with the stored one. A function of the host need not repeat, and may
// take minutes.
func (r *run) restored(ctx context.Context) error {
	if math.IsInf(r.Sample.Best, 1) || problems.CallOf(r.p) != nil {
		return nil
	}
	f, err := r.stored.Value(ctx, r.X)
	if err != nil {
		return err
	}
	return solvers.SameValue(f, r.Sample.Best, r.p.Tolerance(r.setup.Precision))
}

// Info describes the layout of the run, and says whether the search is over.
func (r *run) Info() solvers.Info {
	info := r.info
	info.Ended = r.Over
	return info
}

// Close releases the points.
func (r *run) Close() { r.stored.Close() }
