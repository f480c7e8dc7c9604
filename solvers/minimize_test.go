package solvers

import (
	"context"
	"errors"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/clopt/clopt/internal/solvers/slope"
	"github.com/clopt/clopt/problems"
	"github.com/clopt/clopt/shard"
)

func TestBudgetValidate(t *testing.T) {
	zero := 0.0
	for _, b := range []Budget{{}, {Evaluations: 1}, {Time: time.Second, Stall: 1, Target: &zero}} {
		if err := b.Validate(); err != nil {
			t.Errorf("%+v: %v", b, err)
		}
	}
	err := Budget{Evaluations: -1, Time: -time.Second, Stall: -2, Target: new(math.NaN())}.Validate()
	if err == nil || strings.Count(err.Error(), "\n") != 3 {
		t.Errorf("want four complaints, got %v", err)
	}
	if joined, ok := err.(interface{ Unwrap() []error }); !ok || len(joined.Unwrap()) != 4 {
		t.Errorf("not joined: %v", err)
	}
}

func TestAgree(t *testing.T) {
	for _, c := range []struct {
		f, again, tol float64
		want          bool
	}{
		{1000, 1000.5, 1e-3, true}, {1000, 1002, 1e-3, false}, {1e-9, -1e-9, 1e-8, true}, {0.5, 0, 0.3, false},
		{math.NaN(), 1, 1, false}, {1, math.NaN(), 1, false}, {math.Inf(1), 1, 1, false}, {-5, -5, 0, true},
		{1, math.Inf(1), 1e-9, false}, {1, math.Inf(-1), 1e-9, false},
	} {
		if got := Agree(c.f, c.again, c.tol); got != c.want {
			t.Errorf("Agree(%g, %g, %g) = %v", c.f, c.again, c.tol, got)
		}
	}
}

// A value that is proven to be the smallest ends a run before the limits do, but a target that is met comes first.
func TestEndedOptimal(t *testing.T) {
	for _, c := range []struct {
		best, least, target float64
		want                Status
	}{
		{2, 2, 1, Optimal}, {2, 2, 3, Target}, {3, 2, 1, Evaluations}, {2, math.NaN(), 1, Evaluations},
		{math.Inf(1), math.NaN(), 1, Evaluations},
	} {
		l := loop{s: Settings{Budget: Budget{Evaluations: 10, Target: &c.target}}, last: Sample{Best: c.best},
			least: c.least}
		l.last.Evaluations = 10
		if got := l.ended(0); got != c.want {
			t.Errorf("%v, proven %v, target %v: %v, want %v", c.best, c.least, c.target, got, c.want)
		}
	}
}

func TestStatusText(t *testing.T) {
	var all []string
	for s := NotEnded; s <= Finished; s++ {
		all = append(all, s.String())
	}
	if got := strings.Join(all, ","); got != "not ended,evals,moves,time,target,gtol,optimal,stall,cancelled,finished" {
		t.Error(got)
	}
}

// The budget counts from the first start of a run.
func TestResumeBudget(t *testing.T) {
	b := Budget{Evaluations: 100, Moves: 1000, Time: 60e9, Stall: 10e9, Target: new(float64)}
	for want, s := range map[Status]struct {
		evals, moves   int64
		elapsed, since float64
		best           float64
	}{
		NotEnded: {99, 999, 59, 9, 1}, Evaluations: {100, 999, 59, 9, 1}, Moves: {99, 1000, 59, 9, 1},
		Time: {99, 999, 60, 9, 1}, Stall: {99, 999, 59, 10, 1}, Target: {99, 999, 59, 9, 0},
	} {
		sample := Sample{Evaluations: s.evals, Moves: s.moves, Best: s.best, Elapsed: time.Duration(s.elapsed * 1e9)}
		if got := b.ended(sample, time.Duration(s.since*1e9), 0); got != want {
			t.Errorf("%+v: %v, want %v", s, got, want)
		}
	}
	b = Budget{StallEvaluations: 50}
	for idle, want := range map[float64]Status{49.9: NotEnded, 50: Stall} {
		if got := b.ended(Sample{Best: 1}, time.Hour, idle); got != want {
			t.Errorf("no gain in %v evaluations: %v, want %v", idle, got, want)
		}
	}
	b = Budget{GTol: 1e-3}
	for at, want := range map[slope.Slope]Status{
		{}:                                   NotEnded,
		{Known: true, Norm: 1e-3, At: 1}:     Flat,
		{Known: true, At: 1}:                 Flat,
		{Known: true, Norm: 1.1e-3, At: 1}:   NotEnded,
		{Known: true, Norm: 1e-9, At: 1.001}: NotEnded, // at another point
	} {
		if got := b.ended(Sample{Best: 1, Slope: at}, 0, 0); got != want {
			t.Errorf("%+v: %v, want %v", at, got, want)
		}
	}
	if got := (Budget{}).ended(Sample{Elapsed: math.MaxInt64, Evaluations: math.MaxInt64, Best: math.Inf(-1)},
		math.MaxInt64, math.MaxFloat64); got != NotEnded {
		t.Errorf("without limits: %v, want %v", got, NotEnded)
	}
}

// short is a run of one variable. Its value falls by 1 in each step, and its steps fail from number fails
// on.
type short struct {
	fails  int64
	gone   bool // the point cannot be read
	sample Sample
}

var errLost = errors.New("lost")

func (r *short) Step(context.Context, Room) (Sample, bool, error) {
	if r.sample.Step+1 >= r.fails {
		return r.sample, false, errLost
	}
	r.sample.Add(1, -float64(r.sample.Step), 0)
	return r.sample, true, nil
}

func (r *short) Incumbent(_ int, x []float64) error {
	if x[0] = r.sample.Best; r.gone {
		return errors.New("no point")
	}
	return nil
}

func (r *short) State() *State { return nil }
func (r *short) Info() Info    { return Info{} }
func (r *short) Close()        {}

// stuck is a run that does not count its steps.
type stuck struct{ short }

func (r *stuck) Step(ctx context.Context, room Room) (Sample, bool, error) {
	s, ok, err := r.short.Step(ctx, room)
	s.Step = 0
	return s, ok, err
}

// Minimize refuses a run that does not count its steps.
func TestStepsAreCounted(t *testing.T) {
	s := Settings{Budget: Budget{Evaluations: 9}}
	res, err := proceed(t.Context(), line{}, s, nil, &stuck{short{fails: 100}}, noDevices())
	if res != nil || err == nil || !strings.Contains(err.Error(), "counts step 0 after step 0") {
		t.Errorf("%+v, %v", res, err)
	}
}

// noDevices returns the course of a run without devices.
func noDevices() *course { return newCourse(openClock(&shard.Devices{}), Settings{}) }

// line is a problem of one variable.
type line struct{ problems.Problem }

func (line) Info() problems.Info     { return problems.Info{} }
func (line) Domain() problems.Domain { return problems.Cube(1, -1, 1) }

// full is a Recorder that fails after two samples.
type full struct{}

func (full) Record(s Sample) error {
	if s.Step > 2 {
		return errLost
	}
	return nil
}

// When a step or a Recorder fails, Minimize returns the best point of the last complete step with the
// error.
func TestFailedRunKeepsItsPoint(t *testing.T) {
	for _, c := range []struct {
		run   *short
		rec   Recorder
		steps int64 // 0: no result
	}{
		{&short{fails: 1}, nil, 0}, {&short{fails: 4}, nil, 3}, {&short{fails: 10}, full{}, 3},
		{&short{fails: 4, gone: true}, nil, 0},
	} {
		s := Settings{Recorder: c.rec, Budget: Budget{Evaluations: 100}}
		res, err := proceed(t.Context(), line{}, s, nil, c.run, noDevices())
		if !errors.Is(err, errLost) {
			t.Errorf("%+v: %v", c.run, err)
		}
		switch {
		case c.steps == 0:
			if res != nil {
				t.Errorf("%+v: %+v", c.run, res)
			}
		case res == nil || res.Status != Failed || res.Steps != c.steps || res.F != float64(1-c.steps) ||
			res.X[0] != res.F:
			t.Errorf("%+v: %+v", c.run, res)
		}
	}
}

// Shares are parts of the whole work and gain, of the searches that have worked.
func TestShares(t *testing.T) {
	got := Shares([]Search{{"a", 30, 4}, {"b", 0, 0}, {"c", 10, 12}})
	if want := []Search{{"a", 0.75, 0.25}, {"c", 0.25, 0.75}}; !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
	if got, want := Shares([]Search{{"a", 2, 0}}), []Search{{"a", 1, 0}}; !slices.Equal(got, want) {
		t.Errorf("without a gain: %v, want %v", got, want)
	}
	if got := Shares([]Search{{"a", 0, 0}}); got != nil {
		t.Errorf("without work: %v", got)
	}
}
