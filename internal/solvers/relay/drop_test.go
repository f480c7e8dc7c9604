package relay

import (
	"context"
	"errors"
	"slices"
	"testing"

	"github.com/clopt/clopt/cl"
	"github.com/clopt/clopt/internal/solvers/checkpoint"
	"github.com/clopt/clopt/problems"
	"github.com/clopt/clopt/problems/catalog"
	"github.com/clopt/clopt/shard"
	"github.com/clopt/clopt/solvers"
)

// faulty is a method whose start ends with an error from its number `from` on, or whose first step does.
type faulty struct {
	slope
	name    string
	err     error
	from    int
	inSteps bool
}

func (m *faulty) Traits() solvers.Traits {
	t := m.slope.Traits()
	t.Name = m.name
	return t
}

func (m *faulty) Start(ctx context.Context, p problems.Problem, g *shard.Devices, s solvers.Setup) (solvers.Run,
	error) {
	run, _ := m.slope.Start(ctx, p, g, s)
	switch {
	case *m.legs <= m.from:
		return run, nil
	case m.inSteps:
		return failing{run, m.err}, nil
	}
	return nil, m.err
}

// failing is a run without a step.
type failing struct {
	solvers.Run
	err error
}

func (f failing) Step(context.Context, solvers.Room) (solvers.Sample, bool, error) {
	return solvers.Sample{}, false, f.err
}

// A method that cannot be built, or is wrong when its turn comes, is dropped with its error, and the others go on, also
// after a resume. It ends the run if it is the last one, or if the error is another one.
func TestDropped(t *testing.T) {
	p, err := catalog.Parse("classic/rastrigin:n=4", problems.Options{})
	if err != nil {
		t.Fatal(err)
	}
	refused, wrong, other := &cl.BuildError{Log: "refused"}, &shard.CheckError{Device: "wrong"}, errors.New("other")
	const never = 1 << 30
	for _, c := range []struct {
		name    string
		errs    [2]error
		from    [2]int // good starts of each method
		steps   bool
		dropped string
		want    error // of the run
	}{
		{"second", [2]error{nil, refused}, [2]int{never, 0}, false, "b", nil},
		{"second is wrong", [2]error{nil, wrong}, [2]int{never, 0}, false, "b", nil},
		{"second is wrong in its first step", [2]error{nil, wrong}, [2]int{never, 0}, true, "b", nil},
		{"first", [2]error{refused, nil}, [2]int{0, never}, false, "a", nil},
		{"first is wrong", [2]error{wrong, nil}, [2]int{0, never}, false, "", wrong},
		{"both", [2]error{refused, wrong}, [2]int{0, 0}, false, "a", refused},
		{"first later", [2]error{refused, nil}, [2]int{1, never}, false, "a", nil},
		{"last", [2]error{refused, refused}, [2]int{1, 0}, false, "b", refused},
		{"another error", [2]error{nil, other}, [2]int{never, 0}, false, "", other},
	} {
		t.Run(c.name, func(t *testing.T) {
			var legs [2]int
			dropped := ""
			m := New("turns", "", func(problems.Problem) Rounds {
				return func(int) (all []Leg) {
					for k := range 2 {
						all = append(all, Leg{Lasts: 1, Solver: &faulty{slope: slope{fall: 1, legs: &legs[k]},
							name: string("ab"[k]), err: c.errs[k], from: c.from[k], inSteps: c.steps}})
					}
					return all
				}
			})
			setup := solvers.Setup{Dropped: func(method string, err error) { dropped += method }}
			begin := func() (solvers.Run, error) { return m.Start(context.Background(), p, &shard.Devices{}, setup) }
			r, err := begin()
			for step := 0; step < 40 && err == nil; step++ {
				_, _, err = r.Step(context.Background(), solvers.Unlimited)
			}
			if !errors.Is(err, c.want) || dropped != c.dropped {
				t.Fatalf("%v, dropped %q", err, dropped)
			}
			if err != nil || c.dropped != "b" {
				return
			}
			text := checkpoint.Encode(r.State().Host)
			again, err := begin()
			if err != nil {
				t.Fatal(err)
			}
			st, before := again.State(), slices.Clone(legs[:])
			if err = errors.Join(checkpoint.Decode(text, st.Host), st.Arrange()); err != nil {
				t.Fatal(err)
			}
			for range 40 {
				if _, _, err := again.Step(context.Background(), solvers.Unlimited); err != nil {
					t.Fatal(err)
				}
			}
			if dropped != "b" || legs[1] != before[1] {
				t.Errorf("dropped %q, %d starts of b after %d", dropped, legs[1], before[1])
			}
		})
	}
}
