package relay

import (
	"context"
	"testing"

	"github.com/clopt/clopt/problems"
	"github.com/clopt/clopt/problems/catalog"
	"github.com/clopt/clopt/shard"
	"github.com/clopt/clopt/solvers"
)

// dwindling is a method of one step, which lowers the best value in the first steps of all only.
type dwindling struct {
	steady
	left *int // steps that lower it
}

func (d *dwindling) Start(ctx context.Context, p problems.Problem, g *shard.Devices, s solvers.Setup) (solvers.Run,
	error) {
	if *d.left--; *d.left < 0 {
		d.fall = 0
	}
	return d.steady.Start(ctx, p, g, s)
}

// A run ends when it has worked some times as long as until its last gain, and every search has had a turn since. One
// that begins at the best point of another works as long as that one without a gain.
func TestEnds(t *testing.T) {
	p, err := catalog.Parse("classic/rastrigin:n=4", problems.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		patience, gains int
		spent, want     float64
	}{{0, 5, 0, 20}, {2, 5, 0, 10}, {2, 5, 3, 10}, {2, 5, 30, 35}, {1, 5, 0, 7}, {0, 1, 100, 101}} {
		left, best := c.gains, 1000.0
		m := New("turns", "", func(problems.Problem) Rounds {
			return func(int) []Leg {
				one := steady{work: 1, fall: 1, best: &best}
				return []Leg{{Solver: &dwindling{one, &left}}, {Solver: &dwindling{one, &left}}}
			}
		})
		m.Patience = c.patience
		r, err := m.Start(context.Background(), p, nil, solvers.Setup{Spent: c.spent})
		if err != nil {
			t.Fatal(err)
		}
		work := 0.0
		for ok := true; ok; {
			var s solvers.Sample
			if s, ok, err = r.Step(context.Background(), solvers.Unlimited); err != nil {
				t.Fatal(err)
			}
			work = s.Work
		}
		if work != c.want || !r.Info().Ended {
			t.Errorf("%+v: the run ends after a work of %g", c, work)
		}
	}
}
