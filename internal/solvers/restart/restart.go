// Package restart lets a method begin again when it has come to its end.
//
// Only a new point comes to another valley: five sines, a sum of squares of 15 variables, end at 297 and 534 after one
// search, and at 0 to 176 after as many as 400,000 evaluations have room for. But a function of many variables has more
// valleys than anybody can begin in, and there a longer search at the best point finds more. Nobody knows beforehand
// which it is, so each gets half of the work, and loses at most a factor of two. Only a search at the best point is as
// long as all before it: a multistart is the better, the more starts it makes.
package restart

import (
	"context"
	"errors"
	"fmt"
	"math"

	"github.com/clopt/clopt/internal/solvers/checkpoint"
	"github.com/clopt/clopt/problems"
	"github.com/clopt/clopt/shard"
	"github.com/clopt/clopt/solvers"
)

// rounds is a run that begins again when its method has come to its end, if Around says so:
//
//	round 0: the method from the start points
//	repeat:  a round at points that the method draws, or, if such rounds have had more work than the others,
//	         one at the best point so far
//
// So half of the work goes into a multistart, and half into searches that begin where the best one has ended, each of
// which takes as long as all before it (Setup.Spent). The draws of a round have a key of their own. The rounds depend
// on counted work only, so that a run repeats.
type rounds struct {
	solvers.Run // of the round that is on
	method      solvers.Solver
	p           problems.Problem
	g           *shard.Devices
	setup       solvers.Setup
	again       bool // begin again
	over        bool // the run has ended by itself
	roundsState
}

// roundsState is what a run must remember besides the state of its round.
type roundsState struct {
	Round    int
	AtBest   bool           // this round has
	Drawn    float64        // work of the rounds before at points that the method has drawn
	Held     float64        // work of those at the best point
	Before   solvers.Sample // after the rounds before
	X        []float64      // the point of Before.Best; nil: there is none
	Now      solvers.Sample // of this round
	Cut      bool           // the step after Now was cancelled, when the point of Run was better than X
	First    float64        // its first finite value; +Inf: there was none
	Idle     int            // rounds without a step before this one
	Searches []roundsSearch
	Inner    []uint8 // the state of Run on the host
}

// roundsSearch is a search in the rounds before. Its units are those of the run.
type roundsSearch struct {
	Name       []uint8
	Work, Gain float64
}

// mostRestarted is the largest number of variables of a run that begins again, since it holds its best point in memory.
const mostRestarted = 10_000_000

// mostIdle is the number of rounds in a row without a step after which a run ends.
const mostIdle = 4

// Can reports whether a run of m on p can begin again when it has come to its end, as Around says. Runs
// that can share launches, and those of more than ten million variables, cannot.
func Can(m solvers.Solver, p problems.Problem, prec problems.Precision) bool {
	size := solvers.Adapted(m, p, prec).Traits().BatchSize
	return p.Domain().N <= mostRestarted && (size == nil || size(p, prec) <= 1)
}

// Around returns a value for solvers.Settings.Around. With again, a method that has come to its end begins again at
// other points, until a limit ends the run or nothing can be better. Without, the run can be resumed with it.
func Around(again bool) func(solvers.Run, solvers.Solver, problems.Problem, *shard.Devices, solvers.Setup) solvers.Run {
	return func(run solvers.Run, m solvers.Solver, p problems.Problem, g *shard.Devices, s solvers.Setup) solvers.Run {
		if !Can(m, p, s.Precision) {
			return run
		}
		r := &rounds{Run: run, method: m, p: p, g: g, setup: s, again: again}
		r.Before.Best = math.Inf(1)
		r.Now.Best = math.Inf(1)
		r.First = math.Inf(1)
		return r
	}
}

// Step makes a step of the round, or of the next one that can make one.
func (r *rounds) Step(ctx context.Context, room solvers.Room) (solvers.Sample, bool, error) {
	for {
		s, ok, err := r.Run.Step(ctx, r.inside(room))
		switch {
		case ok:
			r.Now, r.Cut = s, false
			if math.IsInf(r.First, 1) {
				r.First = s.Best
			}
			return r.joined(s), true, nil
		case err != nil && !errors.Is(err, context.Canceled) && !errors.Is(err, context.DeadlineExceeded):
			return r.joined(r.Now), false, err
		case err != nil:
			// Of a point without a value it is only known that the round had a better one before.
			r.Cut = s.Best < r.Before.Best || math.IsNaN(s.Best) && r.leads()
			if math.IsNaN(s.Best) && !r.Cut {
				s = r.Now
			}
			return r.joined(s), false, err
		case !r.Run.Info().Ended:
			return r.joined(r.Now), false, nil
		case !r.again || r.Idle >= mostIdle || r.leads() && r.Run.Info().Optimal:
			r.over = true
			return r.joined(r.Now), false, nil
		}
		if err := r.next(context.WithoutCancel(ctx)); err != nil { // a run that is cancelled has a state to store
			return r.joined(r.Now), false, err
		}
	}
}

// inside returns the room of the round, whose work may have another fraction than that of the run.
func (r *rounds) inside(room solvers.Room) solvers.Room {
	if work := room.Work(r.joined(r.Now)); work < 1<<62 { // or there is no limit
		room.Evaluations = int64(math.Floor(work + r.Now.Work - float64(r.Now.Evaluations)))
	}
	return room
}

// joined returns the sample of the run from that of its round.
func (r *rounds) joined(s solvers.Sample) solvers.Sample {
	b := r.Before
	s.Step = b.Step + s.Step
	s.Moves = b.Moves + s.Moves
	s.NonFinite = b.NonFinite + s.NonFinite
	s.Work += b.Work
	s.Evaluations = int64(s.Work)
	s.Slope = b.Slope.Better(s.Slope)
	if !(b.Best <= s.Best) { // also if s.Best is not known
		return s
	}
	s.Best = b.Best
	return s
}

// leads reports whether the best point is that of this round.
func (r *rounds) leads() bool { return r.X == nil || r.Cut || r.Now.Best < r.Before.Best }

// Incumbent writes the best point of all rounds to x.
func (r *rounds) Incumbent(first int, x []float64) error {
	if !r.leads() {
		copy(x, r.X[first:])
		return nil
	}
	return r.Run.Incumbent(first, x)
}

// next ends a round and begins the next one.
func (r *rounds) next(ctx context.Context) error {
	if r.leads() && !math.IsInf(r.Now.Best, 1) {
		x := make([]float64, r.p.Domain().N)
		if err := r.Run.Incumbent(0, x); err != nil {
			return err
		}
		r.X = x
	}
	r.Searches = r.added()
	if r.Idle++; r.Now.Step > 0 {
		r.Idle = 0
	}
	if r.AtBest {
		r.Held += r.Now.Work
	} else {
		r.Drawn += r.Now.Work
	}
	r.Before = r.joined(r.Now)
	r.Round++
	r.AtBest = !r.AtBest && r.X != nil && r.Held <= r.Drawn
	r.Now = solvers.Sample{Best: math.Inf(1)}
	r.First = math.Inf(1)
	r.Cut = false
	return r.open(ctx)
}

// open starts the method for this round.
func (r *rounds) open(ctx context.Context) (err error) {
	method, setup := r.method, r.setup
	setup.Key.Seed += uint32(r.Round) * 0x85ebca6b
	setup.X0 = nil
	if r.AtBest {
		setup.Spent = r.Before.Work
		at := [][]float64{r.X}
		if solvers.Check(r.p, solvers.Settings{Precision: setup.Precision, X0: at}, method) == nil {
			setup.X0 = at
		}
	}
	r.Run.Close()
	run, err := method.Start(ctx, r.p, r.g, setup)
	if err == nil {
		r.Run = run
	} else {
		r.Run = closed{r.Run}
	}
	return err
}

// closed is a run of which the memory was released.
type closed struct{ solvers.Run }

func (closed) Close() {}

// added returns the searches of the rounds so far, with this one. The first value of a round is no gain, nor is what it
// falls to above the best one.
func (r *rounds) added() []roundsSearch {
	all := append([]roundsSearch(nil), r.Searches...)
	gain := max(0, min(r.First, r.Before.Best)-r.Now.Best)
	if math.IsInf(gain, 1) || math.IsNaN(gain) {
		gain = 0
	}
	for _, s := range r.Run.Info().Searches {
		at := 0
		for at < len(all) && string(all[at].Name) != s.Name {
			at++
		}
		if at == len(all) {
			all = append(all, roundsSearch{Name: []uint8(s.Name)})
		}
		all[at].Work += s.Work * r.Now.Work
		all[at].Gain += s.Gain * gain
	}
	return all
}

// Info describes the layout of the round, and the searches of all rounds. The run has ended if it does not begin again.
func (r *rounds) Info() solvers.Info {
	info := r.Run.Info()
	info.Ended, info.Optimal = r.over, info.Optimal && r.leads()
	if r.Round == 0 {
		return info
	}
	var all []solvers.Search
	for _, s := range r.added() {
		all = append(all, solvers.Search{Name: string(s.Name), Work: s.Work, Gain: s.Gain})
	}
	info.Searches = solvers.Shares(all)
	return info
}

// State returns the state of the run, with that of its round. When another one has been loaded, its round is started.
func (r *rounds) State() *solvers.State {
	inner, st := r.Run.State(), &solvers.State{}
	r.Inner = checkpoint.Encode(inner.Host)
	arrange := func() error {
		if r.X != nil && len(r.X) != r.p.Domain().N || r.Round < 0 || r.AtBest && r.X == nil {
			return &checkpoint.Damage{Msg: fmt.Sprintf("round %d of a run, with a point of %d variables", r.Round,
				len(r.X))}
		}
		if r.Round > 0 {
			if err := r.open(context.Background()); err != nil {
				return err
			}
			inner = r.Run.State()
		}
		if err := checkpoint.Decode(r.Inner, inner.Host); err != nil || inner.Arrange == nil {
			return err
		}
		return inner.Arrange()
	}
	*st = *inner
	st.Host = &r.roundsState
	st.Arrange = func() error {
		err := arrange()
		host, again := st.Host, st.Arrange
		*st = *inner
		st.Host, st.Arrange = host, again
		return err
	}
	return st
}
