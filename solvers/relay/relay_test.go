package relay

import (
	"context"
	"math"
	"slices"
	"testing"

	"github.com/clopt/clopt/problems"
	"github.com/clopt/clopt/problems/catalog"
	"github.com/clopt/clopt/shard"
	"github.com/clopt/clopt/solvers"
	"github.com/clopt/clopt/solvers/checkpoint"
	"github.com/clopt/clopt/solvers/random"
)

// steady is a method of one step on the host, which takes some work to lower the value by a tenth of 1000.
type steady struct {
	random.Random
	name string
	work float64
	best *float64
	done bool
}

func (s *steady) Name() string { return s.name }

func (s *steady) Start(ctx context.Context, _ problems.Problem, _ *shard.Devices, _ solvers.Setup) (solvers.Run,
	error) {
	return &steady{name: s.name, work: s.work, best: s.best}, ctx.Err()
}

func (s *steady) Step(ctx context.Context, _ int64) (solvers.Sample, bool, error) {
	if s.done {
		return solvers.Sample{}, false, nil
	}
	if err := ctx.Err(); err != nil {
		return solvers.Sample{}, false, err
	}
	s.done = true
	*s.best -= 100
	return solvers.Sample{Step: 1, Evaluations: 1, Work: s.work, F: *s.best, Best: *s.best}, true, nil
}

func (s *steady) Incumbent(int, []float64) error { return nil }
func (s *steady) State() *solvers.State          { return &solvers.State{Host: &struct{}{}} }
func (s *steady) Info() solvers.Info             { return solvers.Info{} }
func (s *steady) Close()                         {}

// A run asks for its rounds once. Its searches are the methods: each has the work of all its turns, and what the best
// value fell by in them. A loaded state has them, too.
func TestSearches(t *testing.T) {
	p, err := catalog.Parse("classic/rastrigin:n=4", problems.Options{})
	if err != nil {
		t.Fatal(err)
	}
	asked, best := 0, 1000.0
	m := New("turns", "", func(problems.Problem) Rounds {
		asked++
		return func(int) []Leg {
			return []Leg{{Solver: &steady{name: "a", work: 1, best: &best}},
				{Solver: &steady{name: "b", work: 4, best: &best}}}
		}
	})
	begin := func() *run {
		started, err := m.Start(context.Background(), p, nil, solvers.Setup{})
		if err != nil {
			t.Fatal(err)
		}
		return started.(*run)
	}
	r := begin()
	for range 6 {
		if _, ok, err := r.Step(context.Background(), math.MaxInt64); !ok || err != nil {
			t.Fatal(ok, err)
		}
	}
	if asked != 1 {
		t.Errorf("the rounds were asked for %d times", asked)
	}
	// Three turns each; the first value is no gain.
	want := []solvers.Search{{Name: "a", Work: 0.2, Gain: 0.4}, {Name: "b", Work: 0.8, Gain: 0.6}}
	if got := r.Info().Searches; !slices.Equal(got, want) {
		t.Errorf("searches %v, want %v", got, want)
	}
	cancelled, cancel := context.WithCancel(context.Background())
	cancel()
	if _, ok, err := r.Step(cancelled, math.MaxInt64); ok || err == nil || r.leg == nil {
		t.Errorf("a step of a cancelled run: %v, %v, leg %v", ok, err, r.leg)
	}
	text := checkpoint.Encode(r.State().Host)
	again := begin()
	st := again.State()
	if err := checkpoint.Decode(text, st.Host); err != nil {
		t.Fatal(err)
	}
	if err := st.Arrange(); err != nil {
		t.Fatal(err)
	}
	if got := again.Info().Searches; !slices.Equal(got, want) {
		t.Errorf("searches of a loaded state %v, want %v", got, want)
	}
	again.Turns = again.Turns[:1]
	if err := st.Arrange(); err == nil {
		t.Error("a state with the turns of one method was accepted")
	}
}
