package maswseq

import (
	"context"
	"math"
	"testing"

	"github.com/clopt/clopt/solvers"
)

// counting is an engine that only checks the numbers of the evaluations.
type counting struct {
	t    *testing.T
	next map[string]int64 // the next counter
}

func (e *counting) count(phase string, when uint32, count int) (int, error) {
	if int64(when) != e.next[phase] || count < 1 || when+uint32(count) < when {
		e.t.Errorf("%s: %d evaluations are numbered from %d on, want from %d on", phase, count, when, e.next[phase])
	}
	e.next[phase] += int64(count)
	return count, nil
}

func (e *counting) populate(context.Context) (int, error) { return 1, nil }
func (e *counting) evolve(_ context.Context, when uint32, count int) (int, error) {
	return e.count("evolution", when, count)
}
func (e *counting) improve(_ context.Context, when uint32, count int) (int, error) {
	return e.count("search", when, count)
}
func (e *counting) begin(uint32) error             { return nil }
func (e *counting) end() error                     { return nil }
func (e *counting) best() (float64, int64, error)  { return 0, 0, nil }
func (e *counting) incumbent(int, []float64) error { return nil }
func (e *counting) state(*state) *solvers.State    { return nil }
func (e *counting) info() solvers.Info             { return solvers.Info{} }
func (e *counting) close()                         {}

// A run ends before the counters of its draws overflow.
func TestRunEndsWithItsDraws(t *testing.T) {
	for _, c := range []struct{ evolved, searched int64 }{
		{math.MaxUint32 - 1200, math.MaxUint32 - 100000}, {math.MaxUint32 - 100000, math.MaxUint32 - 1200},
		{math.MaxUint32 - 1234, math.MaxUint32 - 1111},
	} {
		e := &counting{t, map[string]int64{"evolution": c.evolved, "search": c.searched}}
		r := newRun(e, 1000, &MASWSeq{})
		r.state.Phase, r.state.Evolved, r.state.Searched = phaseCycle, c.evolved, c.searched
		for steps := 0; ; steps++ {
			_, ok, err := r.Step(context.Background(), solvers.Unlimited)
			if err != nil || steps > 1e6 {
				t.Fatal(steps, err)
			}
			if !ok {
				break
			}
			if r.Info().Ended && r.state.counted() < mostCounted {
				t.Fatalf("ended at %+v", r.state)
			}
		}
		if !r.Info().Ended || r.state.Evolved > mostCounted || r.state.Searched > mostCounted {
			t.Errorf("%+v: the run is at %+v", c, r.state)
		}
	}
}
