package relay

import (
	"context"
	"math"
	"slices"
	"testing"
	"time"

	"github.com/clopt/clopt/internal/solvers/checkpoint"
	"github.com/clopt/clopt/problems"
	"github.com/clopt/clopt/problems/catalog"
	"github.com/clopt/clopt/shard"
	"github.com/clopt/clopt/solvers"
	"github.com/clopt/clopt/solvers/random"
)

// steady is a method of one step on the host, which takes some work to lower the best value by a fall.
type steady struct {
	random.Random
	name string
	work float64
	fall float64
	best *float64
	done bool
}

func (s *steady) Traits() solvers.Traits {
	t := s.Random.Traits()
	t.Name = s.name
	return t
}

func (s *steady) Start(ctx context.Context, _ problems.Problem, _ *shard.Devices, _ solvers.Setup) (solvers.Run,
	error) {
	return &steady{name: s.name, work: s.work, fall: s.fall, best: s.best}, ctx.Err()
}

func (s *steady) Step(ctx context.Context, _ solvers.Room) (solvers.Sample, bool, error) {
	if s.done {
		return solvers.Sample{}, false, nil
	}
	if err := ctx.Err(); err != nil {
		return solvers.Sample{}, false, err
	}
	s.done = true
	*s.best -= s.fall
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
			return []Leg{{Solver: &steady{name: "a", work: 1, fall: 100, best: &best}},
				{Solver: &steady{name: "b", work: 4, fall: 100, best: &best}}}
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
		if _, ok, err := r.Step(context.Background(), solvers.Unlimited); !ok || err != nil {
			t.Fatal(ok, err)
		}
	}
	if asked != 1 {
		t.Errorf("the rounds were asked for %d times", asked)
	}
	// Two turns of each, and then two of a, which gains four times as much per work. The first value is no gain.
	want := []solvers.Search{{Name: "a", Work: 4. / 12, Gain: 0.6}, {Name: "b", Work: 8. / 12, Gain: 0.4}}
	if got := r.Info().Searches; !slices.Equal(got, want) {
		t.Errorf("searches %v, want %v", got, want)
	}
	cancelled, cancel := context.WithCancel(context.Background())
	cancel()
	if _, ok, err := r.Step(cancelled, solvers.Unlimited); ok || err == nil || r.legs[r.At] == nil {
		t.Errorf("a step of a cancelled run: %v, %v, leg %v", ok, err, r.legs[r.At])
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
	again.Searches = again.Searches[:1]
	if err := st.Arrange(); err == nil {
		t.Error("a state with the turns of one method was accepted")
	}
}

// A search that lowers the value only in its last digits is not preferred to one that gains nothing.
func TestLastDigits(t *testing.T) {
	p, err := catalog.Parse("classic/rastrigin:n=4", problems.Options{})
	if err != nil {
		t.Fatal(err)
	}
	best := 1000.0
	m := New("turns", "", func(problems.Problem) Rounds {
		return func(int) []Leg {
			return []Leg{{Solver: &steady{name: "a", work: 1, fall: 1e-10, best: &best}},
				{Solver: &steady{name: "b", work: 1, best: &best}}}
		}
	})
	m.Patience = 9
	r, err := m.Start(context.Background(), p, nil, solvers.Setup{})
	if err != nil {
		t.Fatal(err)
	}
	for range 8 {
		if _, ok, err := r.Step(context.Background(), solvers.Unlimited); !ok || err != nil {
			t.Fatal(ok, err)
		}
	}
	if got := r.Info().Searches; got[0].Work != got[1].Work || got[1].Gain != 0 {
		t.Errorf("the work and the gains of the searches are %v", got)
	}
}

// A leg with a share of the time is told that less of it is left.
func TestShare(t *testing.T) {
	p, err := catalog.Parse("classic/rastrigin:n=4", problems.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for share, want := range map[float64]time.Duration{0: 8 * time.Second, 0.25: 2 * time.Second} {
		var leg timed
		m := New("turns", "", func(problems.Problem) Rounds {
			return func(int) []Leg { return []Leg{{Solver: &leg, Share: share}} }
		})
		left := 8 * time.Second
		setup := solvers.Setup{Left: func() time.Duration { return left }}
		if _, err := m.Start(context.Background(), p, nil, setup); err != nil {
			t.Fatal(err)
		}
		if got := leg.left(); got != want {
			t.Errorf("share %g: %v of 8s are left, want %v", share, got, want)
		}
		if left = want / 2; share > 0 && leg.left() != 0 {
			t.Errorf("share %g: %v are left, although the others need the rest", share, leg.left())
		}
	}
}

// timed is a method that notes its time.
type timed struct {
	steady
	left func() time.Duration
}

func (m *timed) Start(ctx context.Context, p problems.Problem, g *shard.Devices, s solvers.Setup) (solvers.Run,
	error) {
	m.left = s.Left
	return m.steady.Start(ctx, p, g, s)
}

// The search with the fewest turns is next. One that gains less per work than the best is some turns behind. One that
// has had no turn is first.
func TestNext(t *testing.T) {
	for _, c := range []struct {
		turns []int
		rates []float64
		out   []bool
		want  int
	}{
		{[]int{2, 1, 2}, []float64{0, 0, 0}, make([]bool, 3), 1}, // nobody gains
		{[]int{1, 1, 1}, []float64{0, 0, 0}, make([]bool, 3), 0},
		{[]int{3, 1}, []float64{8, 1}, make([]bool, 2), 0},
		{[]int{4, 1}, []float64{8, 1}, make([]bool, 2), 0},
		{[]int{5, 1}, []float64{8, 1}, make([]bool, 2), 1},
		{[]int{5, 1}, []float64{1e9, 0}, make([]bool, 2), 0},
		{[]int{6, 1}, []float64{1e9, 0}, make([]bool, 2), 1}, // no search waits for ever
		{[]int{2, 1}, []float64{1, 0.9}, make([]bool, 2), 1},
		{[]int{3, 0}, []float64{1, -1}, make([]bool, 2), 1},
		{[]int{2, 1}, []float64{1, -1}, make([]bool, 2), 1}, // -1: it is not known
		{[]int{3, 0}, []float64{1, -1}, []bool{false, true}, 0},
		{[]int{3, 0}, []float64{1, -1}, []bool{true, true}, -1},
	} {
		all := make([]search, len(c.turns))
		for k := range all {
			if all[k].Turns = c.turns[k]; c.rates[k] >= 0 {
				all[k].Last = turn{1, c.rates[k]}
			}
		}
		if got := next(all, make([]Leg, len(all)), c.out); got != c.want {
			t.Errorf("turns %v, rates %v: search %d is next, want %d", c.turns, c.rates, got, c.want)
		}
	}
}

// A leg keeps up with the best value if another turn like the last one would reach it.
func TestKeepsUp(t *testing.T) {
	for _, c := range []struct {
		own, fell, best float64
		want            bool
	}{{5, 0, 5, true}, {5, 0, 4, false}, {5, 1, 4, true}, {5, 0.9, 4, false}, {math.Inf(1), 0, 4, false}} {
		s := search{Leg: solvers.Sample{Best: c.own}, Fell: c.fell}
		if got := s.keepsUp(c.best); got != c.want {
			t.Errorf("%+v: %v", c, got)
		}
	}
}

// slope is an endless method on the host. Each step lowers its own value, which begins at 1000, by a fall.
type slope struct {
	random.Random
	fall float64
	legs *int // that have been started
	now  solvers.Sample
}

func (s *slope) Start(context.Context, problems.Problem, *shard.Devices, solvers.Setup) (solvers.Run, error) {
	*s.legs++
	return &slope{fall: s.fall, legs: s.legs, now: solvers.Sample{Best: 1000}}, nil
}

func (s *slope) Step(_ context.Context, room solvers.Room) (solvers.Sample, bool, error) {
	if room.Evaluations < 1 {
		return s.now, false, nil
	}
	s.now.Add(1, s.now.Best-s.fall, 0)
	return s.now, true, nil
}

func (s *slope) Incumbent(int, []float64) error { return nil }
func (s *slope) State() *solvers.State          { return &solvers.State{Host: &s.now} }
func (s *slope) Info() solvers.Info             { return solvers.Info{} }
func (s *slope) Close()                         {}

// A leg that is further above the best value than it fell by in its last turn begins anew. The search that gains more
// has longer turns.
func TestStays(t *testing.T) {
	p, err := catalog.Parse("classic/rastrigin:n=4", problems.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		slow        float64 // fall of the second search
		least, most int     // legs that it has, with a first one that has no step
	}{{0.1, 4, 10}, {0, 4, 10}} {
		fastLegs, slowLegs := 0, 0
		m := New("turns", "", func(problems.Problem) Rounds {
			return func(int) []Leg {
				return []Leg{{Solver: &slope{fall: 1, legs: &fastLegs}, Lasts: 1, Stays: true},
					{Solver: &slope{fall: c.slow, legs: &slowLegs}, Lasts: 1, Stays: true}}
			}
		})
		started, err := m.Start(context.Background(), p, nil, solvers.Setup{})
		if err != nil {
			t.Fatal(err)
		}
		r := started.(*run)
		for range 600 {
			if _, ok, err := r.Step(context.Background(), solvers.Unlimited); !ok || err != nil {
				t.Fatal(ok, err)
			}
		}
		shares := r.Info().Searches
		if fastLegs > 2 || slowLegs < c.least || slowLegs > c.most ||
			!(0.05 < shares[1].Work && shares[1].Work < 0.2) {
			t.Errorf("a fall of %g: %d and %d legs, %+v", c.slow, fastLegs, slowLegs, shares)
		}
	}
}

// shrink is an endless method on the host. Each step multiplies its own value, which begins at 1000, by a factor.
type shrink struct {
	slope
	factor float64
}

func (s *shrink) Start(context.Context, problems.Problem, *shard.Devices, solvers.Setup) (solvers.Run, error) {
	return &shrink{factor: s.factor, slope: slope{now: solvers.Sample{Best: 1000}}}, nil
}

func (s *shrink) Step(context.Context, solvers.Room) (solvers.Sample, bool, error) {
	s.now.Add(1, s.now.Best*s.factor, 0)
	return s.now, true, nil
}

// A turn ends after the given number of steps in which the value has not fallen by its share: 0.9 to the power of six
// is more than a half, and to the power of seven it is less. A loaded run ends its turn where the other one does.
func TestPace(t *testing.T) {
	p, err := catalog.Parse("classic/rastrigin:n=4", problems.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		pace Pace
		want int
	}{{Pace{}, 100}, {Pace{7, 0.5}, 100}, {Pace{6, 0.5}, 7}, {Pace{3, 0.5}, 4}, {Pace{1, 0.09}, 100},
		{Pace{1, 0.11}, 2}} { // the first value falls by more than its share
		m := New("turns", "", func(problems.Problem) Rounds {
			return func(int) []Leg {
				return []Leg{{Solver: &shrink{factor: 0.9}, Pace: c.pace}, {Solver: &shrink{factor: 0.9}}}
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
		for step := range 100 {
			if step == 2 { // it goes on as another run
				again := begin()
				if err := checkpoint.Decode(checkpoint.Encode(r.State().Host), again.State().Host); err != nil {
					t.Fatal(err)
				}
				if _, err := again.arrange(); err != nil {
					t.Fatal(err)
				}
				r = again
			}
			if _, ok, err := r.Step(context.Background(), solvers.Unlimited); !ok || err != nil {
				t.Fatal(ok, err)
			}
		}
		if got := int(r.Searches[0].Work); got != c.want {
			t.Errorf("%+v: the first turn has %d steps, want %d", c.pace, got, c.want)
		}
	}
}

// creep is an endless method on the host, whose value falls far in its first steps, and then by one in each step.
type creep struct{ slope }

func (c *creep) Start(_ context.Context, _ problems.Problem, _ *shard.Devices, s solvers.Setup) (solvers.Run, error) {
	*c.legs++
	return &creep{slope: slope{now: solvers.Sample{Best: 1e6}}}, nil
}

func (c *creep) Step(context.Context, solvers.Room) (solvers.Sample, bool, error) {
	fall := 1.0
	if c.now.Best > 1e5 {
		fall = 1e5
	}
	c.now.Add(1, c.now.Best-fall, 0)
	return c.now, true, nil
}

// The longest turn that ended by itself counts, also if a short one has ended since.
func TestLongest(t *testing.T) {
	r := run{state: state{Searches: []search{{Lasted: 3}, {Lasted: 5}, {}}}}
	if got := r.longest(); got != 5 {
		t.Errorf("the longest turn has a work of %g, want 5", got)
	}
}

// What a first descent falls by at first says nothing about how it goes on: its rate is that at which it creeps when
// its turn ends, and it does not go on far above the points of others.
func TestCreeps(t *testing.T) {
	p, err := catalog.Parse("classic/rastrigin:n=4", problems.Options{})
	if err != nil {
		t.Fatal(err)
	}
	crept, better := 0, 1e5-500
	m := New("turns", "", func(problems.Problem) Rounds {
		return func(int) []Leg {
			return []Leg{{Solver: &creep{slope: slope{legs: &crept}}, Pace: Pace{16, 0.01}, Stays: true},
				{Solver: &steady{name: "b", work: 16, fall: 100, best: &better}}}
		}
	})
	started, err := m.Start(context.Background(), p, nil, solvers.Setup{})
	if err != nil {
		t.Fatal(err)
	}
	r := started.(*run)
	for range 100 {
		if r.Searches[0].Turns+r.Searches[1].Turns == 5 {
			break
		}
		if _, ok, err := r.Step(context.Background(), solvers.Unlimited); !ok || err != nil {
			t.Fatal(ok, err)
		}
		if s := r.Searches[0]; r.At == 1 && s.Turns == 1 && (s.Last != turn{16, 16} || s.Fell != 16) {
			t.Fatalf("after the first turn: %+v", s)
		}
	}
	if r.Searches[0].Turns != 2 || r.Searches[1].Turns != 3 || crept != 2 {
		t.Errorf("%d turns of a descent that creeps, %d of the other search, and %d descents", r.Searches[0].Turns,
			r.Searches[1].Turns, crept)
	}
}

// notes is a method that notes its start points.
type notes struct {
	slope
	starts *[]int // numbers of start points of its legs
}

func (s *notes) Start(ctx context.Context, p problems.Problem, g *shard.Devices, u solvers.Setup) (solvers.Run,
	error) {
	*s.starts = append(*s.starts, len(u.X0))
	return s.slope.Start(ctx, p, g, u)
}

// A leg of its own begins once, not at the best point of others, and goes on however far above it. It has a fifth of
// the work, although it gains nothing.
func TestOwn(t *testing.T) {
	p, err := catalog.Parse("classic/rastrigin:n=4", problems.Options{})
	if err != nil {
		t.Fatal(err)
	}
	fast, slow := 0, 0
	var starts []int
	m := New("turns", "", func(problems.Problem) Rounds {
		return func(int) []Leg {
			return []Leg{{Solver: &slope{fall: 1, legs: &fast}, Lasts: 1, Stays: true},
				{Solver: &notes{slope{legs: &slow}, &starts}, Lasts: 1, Own: true}}
		}
	})
	started, err := m.Start(context.Background(), p, nil, solvers.Setup{})
	if err != nil {
		t.Fatal(err)
	}
	r := started.(*run)
	for range 600 {
		if _, ok, err := r.Step(context.Background(), solvers.Unlimited); !ok || err != nil {
			t.Fatal(ok, err)
		}
	}
	if shares := r.Info().Searches; slow != 1 || starts[0] != 0 || shares[1].Work < 0.2 {
		t.Errorf("%d legs with %v start points, %+v", slow, starts, shares)
	}
}
