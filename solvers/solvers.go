// Package solvers defines the contract of optimization methods, and the loop that runs them.
//
//	problem, devices, Settings, Solver ──► Minimize ──► Result
//	                             Solver.Start ──► Run: Step, Step, …, Incumbent
//
// A method implements one step. Minimize handles the budget, the clock, cancellation and the trace. It also
// evaluates the point that it returns again, with the host reference of the problem. Names follow gonum's
// package optimize.
package solvers

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"time"

	"github.com/clopt/clopt/cl"
	"github.com/clopt/clopt/internal/solvers/host"
	"github.com/clopt/clopt/internal/solvers/slope"
	"github.com/clopt/clopt/problems"
	"github.com/clopt/clopt/problems/rng"
	"github.com/clopt/clopt/shard"
)

// Solver is a method with its settings, ready to start.
type Solver interface {
	// Traits says what the method is and what it can do, with the settings that it has now.
	Traits() Traits
	// Plan returns the memory that a run allocates on the devices.
	Plan(p problems.Problem, prec problems.Precision) shard.Plan
	// Start begins a run. Validate, Suits and Check have accepted the settings, the problem and the start
	// points. It allocates and evaluates only what the first Step needs. The caller closes the Run.
	Start(ctx context.Context, p problems.Problem, g *shard.Devices, s Setup) (Run, error)
}

// Setup has the inputs of Start besides the problem and the devices.
type Setup struct {
	Key       rng.Key
	Precision problems.Precision
	X0        [][]float64 // start points, each of n variables; the first one is the best; may be nil
	// Left returns how much of the limit of time is left, for methods that do one thing after the other and share the
	// time between them. nil: there is no limit. It is called in steps.
	Left func() time.Duration
	// GTol is that of the budget: a method with slopes makes no step from a point whose slope is at most this; 0: none.
	GTol float64
	// Spent is the work of the run before, if the method begins again at its best point: one that ends by its own
	// judgement works at least as long.
	Spent float64
	// Dropped is called by a method that works through others when it goes on without one of them, which cannot be
	// built here, or fails its check. nil: nobody asks.
	Dropped func(method string, err error)
}

// Run is a started method. It knows one step. It has no loop and no stopping rule.
type Run interface {
	// Step makes one unit of work (a batch, a generation, a local search step) that fits into room, and adds 1 to
	// Sample.Step. If no unit fits, it does nothing and returns false.
	//
	// After ctx is cancelled it returns within one launch with the error of ctx. The state is then that of the last
	// complete step, or also has what was done of this one, and the next Step goes on there, with the same bits. The
	// sample describes the point of Incumbent, with the number of complete steps. Its Best is NaN if the value of the
	// point would have to be computed. A Step that can do neither uses Finish.
	Step(ctx context.Context, room Room) (Sample, bool, error)
	// Incumbent writes the best point so far to x, from variable number first on. If other ranks make the run, too,
	// all call Incumbent for the same variables.
	Incumbent(first int, x []float64) error
	// State returns the state of the run between two steps, from which it is resumed with the same bits. The state of a
	// stored run can be loaded into a run that was just started.
	State() *State
	// Info describes the layout of the run, and where it is after the latest Step.
	Info() Info
	// Close releases the run's memory on the devices.
	Close()
}

// Info describes how a run was laid out on its devices, where it is, and what its searches have done.
type Info struct {
	Plans     []shard.DevicePlan // what each device holds
	Shards    []shard.Shard
	Units     int      // units that were dealt instead of super-tiles; 0: none
	UnitNames string   // name of the units, such as "groups of chains"
	Clock     *Clock   // the clock of the run; set by Minimize
	Searches  []Search // those that have worked so far; nil: the method is one search, or none has begun
	Ended     bool     // the method has come to its end, so Step does nothing and returns false
	Optimal   bool     // it is known that no point is better than the best one
	// Ahead says that the device has made steps of which Step has not yet returned the samples. Incumbent and State
	// then take longer, and Minimize does not read the best point in between.
	Ahead bool
	// Finite is the number of parts of the point that have found a finite value each for itself; 0 if none does. A run
	// without a finite value of the whole goes on as long as it grows.
	Finite int64
	// Differences says that exact gradients did not agree with values, so that gradients are differences.
	Differences bool
}

// Search is one of several searches of a run, or one of the methods of a relay.
type Search struct {
	Name string
	Work float64 // its share of the work of all searches
	Gain float64 // its share of what the best value fell by in all of them; 0 if it never fell
}

// Shares divides the works and the gains of searches, in any units, by their sums. It leaves out searches without work,
// and returns nil if none is left.
func Shares(searches []Search) (shares []Search) {
	work, gain := 0.0, 0.0
	for _, s := range searches {
		work, gain = work+s.Work, gain+s.Gain
	}
	for _, s := range searches {
		if s.Work > 0 {
			shares = append(shares, Search{s.Name, s.Work / work, s.Gain / cmp.Or(gain, 1)})
		}
	}
	return shares
}

// Sample is the state of a run after a step. Identical runs have identical samples except for Elapsed.
type Sample struct {
	Step int64 // steps done, from 1
	// Work is the cost of the components that were evaluated, divided by the cost of all components: the work for one
	// whole point is 1.
	Work        float64
	Evaluations int64 // Work, rounded down: the work of so many whole points was done
	// Moves are the values that were obtained, or the flips that were tried, however little of the objective was
	// evaluated for each. 0: the method evaluates whole points, or does not count its moves.
	Moves     int64
	F         float64       // best value found or held after this step, at least Best; +Inf if none was finite
	Best      float64       // best value so far, in the sense of minimization; +Inf if none
	NonFinite int64         // values so far that were NaN or infinite
	Slope     slope.Slope   // at the best point of those at which the method has made a gradient
	Elapsed   time.Duration // in the loop, by the Clock of the run
}

// Recorder receives every sample of a run, in order. An error ends the run. A nil Recorder is allowed
// wherever one is taken.
type Recorder interface {
	Record(Sample) error
}

// Status says how a run ended. Reaching a budget is not an error.
type Status int

const (
	NotEnded    Status = iota
	Evaluations        // Budget.Evaluations: no further step fits
	Moves              // Budget.Moves: no further step fits
	Time               // Budget.Time is over
	Target             // a value at or below Budget.Target
	Flat               // a slope of at most Budget.GTol at the best point
	Optimal            // the best value is one of which the problem says that it is proven to be the smallest
	Stall              // no improvement for Budget.Stall or Budget.StallEvaluations
	Cancelled          // the context was cancelled
	Finished           // the method came to the end of its schedule
	Failed             // a step or the Recorder failed; the error says how
)

func (s Status) String() string {
	words := [...]string{"not ended", "evals", "moves", "time", "target", "gtol", "optimal", "stall", "cancelled",
		"finished", "failed"}
	if s < 0 || int(s) >= len(words) {
		return fmt.Sprintf("Status(%d)", int(s))
	}
	return words[s]
}

// Budget says when to stop. A zero field means no limit of that kind. No run exceeds Evaluations or Moves: a step that
// does not fit is not begun.
type Budget struct {
	Evaluations int64 // work: so many whole points
	Moves       int64 // for methods whose Limits have Moves
	Time        time.Duration
	Stall       time.Duration // without a better value
	// StallEvaluations is the work without a better value, in evaluations. Unlike Stall it does not depend on the
	// clock, so that runs which it ends repeat.
	StallEvaluations int64
	Target           *float64 // in the sense of minimization
	GTol             float64  // a slope at the best point, as Slope has it, for methods whose Traits have Slopes
}

// Limited reports whether there is a limit of evaluations, moves or time.
func (b Budget) Limited() bool { return b.Evaluations > 0 || b.Moves > 0 || b.Time > 0 }

// Settings are the settings of Minimize, besides those of the method.
type Settings struct {
	Key       rng.Key
	Precision problems.Precision
	Budget    Budget
	Recorder  Recorder
	X0        [][]float64 // start points, in any order; no result is worse than one of them; may be nil
	Started   func(Info)  // called once the run is laid out, and again after a device failed; may be nil
	Ended     func()      // called after the last step, before the best point is read, stored and confirmed; may be nil
	Slow      Slow        // called when a device has not answered for half a minute; may be nil
	// XFile is a file to which the best point is written in pieces, as .npy, for points that are too large for the
	// memory of the host; "": it is in Result.X. It is also written at times during the run. A run that ends before
	// it has a point leaves the start point in Result.X. Without a host reference the point is read to confirm it.
	XFile string
	// Keep asks for the best different points of a problem of a graph (Result.Kept).
	Keep Keep
	// Unsampled leaves out the comparison of the result with uniform points (Result.Sampled).
	Unsampled bool
	// Dropped is that of Setup; nil: nobody asks.
	Dropped func(method string, err error)
	// Keeper stores checkpoints; nil means none.
	Keeper Keeper
	// Resume loads a stored run and returns its progress; nil means a new run. The result, the trace and the
	// budget then count from the first start.
	Resume func(*State) (Progress, error)
	// Around returns a run around one that was started, such as one that begins again (package restart); nil: none.
	Around func(run Run, m Solver, p problems.Problem, g *shard.Devices, s Setup) Run
	// Incumbent is a point that is known of this run before it is resumed. It is the result of a run that ends with no
	// better one. nil: none is known.
	Incumbent *Incumbent
}

// Keep says which points of a problem of a graph a result has besides the best one.
type Keep struct {
	Points   int // at most so many, of at most 100,000; 0: none
	Distance int // in how many variables two of them differ at least; 0 and 1: they are different
}

// mostKept is the largest number of points of Keep.
const mostKept = 100_000

// Kept is one of the best different points of a problem of a graph.
type Kept struct {
	X     []uint8 // 0 or 1 of each variable
	F     float64 // its value, in the sense of minimization
	Count int     // how many searches ended there; 1 at least
}

// Incumbent is a point of a run, and its value by the devices.
type Incumbent struct {
	X     []float64 // nil if it is in XFile, or not on this rank
	XFile string    // a .npy file; "": it is in X
	F     float64   // in the sense of minimization
}

// Slow receives what a device is doing that has not answered for some time.
type Slow func(d *cl.Device, w cl.Waiting)

// Keeper stores checkpoints of a run. Errors in storing do not end the run; the Keeper handles them itself.
type Keeper interface {
	// Due reports whether a checkpoint is wanted after the step of a sample.
	Due(Sample) bool
	// Keep stores the state after the step of at.Last. ended is NotEnded
	// while the run goes on. It returns an error only if a device has failed.
	Keep(st *State, at Progress, ended Status) error
	// Lost is called when a device has failed with err and others are left. It returns the function that loads the
	// newest state, as Settings.Resume, or nil if the run begins anew. If it returns false, the run ends.
	Lost(err error) (load func(*State) (Progress, error), goesOn bool)
}

// Result is the outcome of Minimize. If Status is Failed, it describes the last complete step. A method
// that moves its best point in place may then return a later X; its value is Again, and it is not
// Confirmed.
type Result struct {
	X         []float64 // the best point, owned by the caller; nil if XFile is not ""
	XFile     string    // the .npy file with the best point, if it is not in X
	F         float64   // its value, computed by the devices
	HostF     float64   // its value, computed by the host; NaN if that has no reference and does not read the text
	Again     float64   // its value, computed by the Confirmer; NaN if that failed
	Sums      []float64 // the accumulators of Again; nil if that is of a host reference
	Confirmed bool      // F and Again agree within Tolerance
	// Rounding is the size of rounding errors in F if F is not larger than that, so that its digits and its sign mean
	// nothing: of its sum, some units of the precision times the sizes of its terms, and where the host reads the text,
	// of the operators in it. 0: F is larger, the errors are nothing beside Sampled.Best, or nothing is known of them.
	Rounding float64
	// Lost is the part of the formula of the objective that is below what float64 holds, or beyond it, so that F and
	// the values near it are 0; "" if there is none.
	Lost string
	// Endless says that the objective seems to fall without limit, and which variables are near a bound: F is far
	// below the values of uniform points, the value on these bounds is -Inf, or one of them is the far end of an
	// interval such as 0 to 1e20. It is "" otherwise, and for runs that are not compared with uniform points.
	Endless     string
	Sampled     Sampled // what uniform points are worth
	Confirmer   string  // "host", its reference, "host (from the text)", "device", or "function", one of the host
	WhyDevice   string  // why the host could not evaluate the text; "" if it did, or has a reference
	Tolerance   float64
	Evaluations int64 // as in Sample, like Work and Moves
	Work        float64
	Moves       int64
	Steps       int64
	NonFinite   int64
	Status      Status
	Elapsed     time.Duration // of the loop, without the time in which drivers compiled kernels
	StartUp     time.Duration // before the loop, and in it while drivers compiled kernels
	Waiting     time.Duration // the second part of StartUp
	HostTime    time.Duration // of the host's evaluation of X
	// Broken says which constraints of the problem X breaks: the run has found no point that fulfils all.
	Broken []string
	// Kept are the points that Settings.Keep asks for, the best first: all different points of a problem of up to 20
	// variables, and those that a search finds after the run otherwise. nil: it asks for none, or X is unknown.
	Kept     []Kept
	Searches []Search // what the searches of the run have done, as in Info
	// Slope is that of X, by the host where it reads the text of a smooth function, or else by the method, at a point
	// of the same value up to 1e-9 of it. It is known if it is exact, or has ended the run.
	Slope slope.Slope
	seen  slope.Slope // the last one of the method
	// Converged says that the problem is smooth by its text, and that the run has come to a point without a slope: a
	// descent ended there since its value falls no more, or the slope is at most Budget.GTol.
	Converged   bool
	Differences bool // as in Info
}

// Room is what is left of the limits of a run.
type Room struct {
	// Evaluations is how many Sample.Evaluations may grow by: after a step, Sample.Work is at most the sum of both
	// before it.
	Evaluations int64
	Moves       int64 // that Sample.Moves may grow by
}

// Unlimited is the room of a run without limits.
var Unlimited = Room{math.MaxInt64, math.MaxInt64}

// Within returns the room of so many evaluations, and any number of moves.
func Within(evaluations int64) Room { return Room{evaluations, math.MaxInt64} }

// Room returns what is left of a budget after a sample.
func (b Budget) Room(s Sample) Room {
	r := Unlimited
	if b.Evaluations > 0 {
		r.Evaluations = b.Evaluations - s.Evaluations
	}
	if b.Moves > 0 {
		r.Moves = b.Moves - s.Moves
	}
	return r
}

// Work returns the work that fits into r after a sample; +Inf without a limit.
func (r Room) Work(s Sample) float64 {
	if r.Evaluations > math.MaxInt64-s.Evaluations {
		return math.Inf(1)
	}
	return float64(s.Evaluations+r.Evaluations) - s.Work
}

// Fitting returns how many of at most n units fit into r after a sample, in each of which work and some moves are done.
func (r Room) Fitting(n int64, s Sample, work float64, moves int64) int64 {
	if moves > 0 {
		n = min(n, r.Moves/moves)
	}
	room := r.Work(s)
	if float64(n)*work > room {
		n = int64(max(0, room/work))
	}
	for n > 0 && float64(n)*work > room { // the quotient was rounded up
		n--
	}
	return max(0, n)
}

// Worked sets the work.
func (s *Sample) Worked(work float64) { s.Work, s.Evaluations = work, int64(work) }

// Add counts a step of n evaluations of whole points. f is the best value that it found, or that is held after it.
func (s *Sample) Add(n int64, f float64, nonFinite int64) {
	s.Step++
	s.Worked(float64(s.Evaluations + n))
	s.NonFinite = nonFinite
	s.F = math.Inf(1)
	if host.Finite(f) {
		s.F = f
	}
	s.Best = min(s.Best, s.F)
}
