package relay

import (
	"context"
	"errors"
	"math"
	"slices"
	"testing"

	"github.com/clopt/clopt/problems"
	"github.com/clopt/clopt/problems/catalog"
	"github.com/clopt/clopt/shard"
	"github.com/clopt/clopt/solvers"
)

// unsuited is a method that finds in its first step that the problem does not suit it.
type unsuited struct{ slope }

func (s *unsuited) Start(context.Context, problems.Problem, *shard.Devices, solvers.Setup) (solvers.Run, error) {
	*s.legs++
	return s, nil
}

func (s *unsuited) Step(context.Context, solvers.Room) (solvers.Sample, bool, error) {
	return solvers.Sample{Best: math.Inf(1)}, false, solvers.Settingf("it does not suit")
}

// given is a method that notes its start points.
type given struct {
	slope
	x0 *[][]float64
}

func (s *given) Start(ctx context.Context, p problems.Problem, g *shard.Devices, setup solvers.Setup) (solvers.Run,
	error) {
	if *s.legs == 0 {
		*s.x0 = setup.X0
	}
	return s.slope.Start(ctx, p, g, setup)
}

func (s *given) Traits() solvers.Traits {
	t := s.slope.Traits()
	t.Limits = func(problems.Problem, problems.Precision) solvers.Limits { return solvers.Limits{Starts: 1, Step: 1} }
	return t
}

// A problem that does not suit the first method is left to the others, with the start points. They end as they would
// without it. If it suits none of them, its error says so.
func TestUnsuited(t *testing.T) {
	p, err := catalog.Parse("classic/rastrigin:n=4", problems.Options{})
	if err != nil {
		t.Fatal(err)
	}
	var tried, legs int
	var x0 [][]float64
	m := New("turns", "", func(problems.Problem) Rounds {
		return func(int) []Leg {
			return []Leg{{Solver: &unsuited{slope{legs: &tried}}},
				{Solver: &given{slope{legs: &legs}, &x0}, Lasts: 1}}
		}
	})
	want := [][]float64{{1, 2, 3, 4}}
	r, err := m.Start(context.Background(), p, nil, solvers.Setup{X0: want})
	if err != nil {
		t.Fatal(err)
	}
	steps := 0
	for ok := true; ok; steps++ {
		if _, ok, err = r.Step(context.Background(), solvers.Unlimited); err != nil || steps > 1000 {
			t.Fatal(steps, err)
		}
	}
	if steps < 2 || len(x0) != 1 || !slices.Equal(x0[0], want[0]) {
		t.Errorf("%d steps from the start points %v", steps, x0)
	}
	m = New("turns", "", func(problems.Problem) Rounds {
		return func(int) []Leg { return []Leg{{Solver: &unsuited{slope{legs: &tried}}}} }
	})
	if r, err = m.Start(context.Background(), p, nil, solvers.Setup{}); err != nil {
		t.Fatal(err)
	}
	_, ok, err := r.Step(context.Background(), solvers.Unlimited)
	if _, refused := errors.AsType[*solvers.SettingError](err); ok || !refused {
		t.Errorf("%v, %v", ok, err)
	}
}

// The first turn is long enough for a step of its method if there are start points, however short turns are.
func TestStartPointsAreEvaluated(t *testing.T) {
	p, err := catalog.Parse("classic/rastrigin:n=4", problems.Options{})
	if err != nil {
		t.Fatal(err)
	}
	var legs int
	var x0 [][]float64
	m := New("turns", "", func(problems.Problem) Rounds {
		return func(int) []Leg { return []Leg{{Solver: &given{slope{legs: &legs}, &x0}, Lasts: 1}} }
	})
	r, err := m.Start(context.Background(), p, nil, solvers.Setup{X0: [][]float64{{1, 2, 3, 4}}})
	if err != nil {
		t.Fatal(err)
	}
	if s, ok, err := r.Step(context.Background(), solvers.Unlimited); !ok || err != nil || legs != 1 || len(x0) != 1 {
		t.Errorf("the first step: %+v, %v, %v; %d methods began, from the start points %v", s, ok, err, legs, x0)
	}
}
