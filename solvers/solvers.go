// Package solvers holds the methods and the one loop around them.
//
//	problem, group, Settings, Solver ──► Minimize ──► Result
//	                             Solver.Start ──► Run: Step, Step, …, Incumbent
//
// A method knows one step; budget, clock, cancellation and trace live in
// Minimize. The value of the point that Minimize returns is recomputed by the
// problem's host reference. Names follow gonum's package optimize.
package solvers

import (
	"context"
	"math"
	"time"

	"github.com/clopt/clopt/problems"
	"github.com/clopt/clopt/problems/rng"
	"github.com/clopt/clopt/shard"
	"github.com/clopt/clopt/solvers/internal/host"
)

// Solver is a method with its settings, ready to start.
type Solver interface {
	// Name is the name a person types: "random", "masw".
	Name() string
	// About says in a few sentences what the method is, for help.
	About() string
	// Settings are the method's settings, tied to the fields of this value.
	Settings() []Setting
	// String is the canonical text of all settings, "key=value,…", which
	// Configure reads back. Spell writes it.
	String() string
	// Validate says what is wrong with the settings, however they were given:
	// each by itself (CheckSettings), and if those are right, together. It
	// reports all complaints as one *SettingError. Minimize calls it first.
	Validate() error
	// Plan says what a run will hold on each device.
	Plan(p problems.Problem, prec problems.Precision) shard.Plan
	// Start is called with settings, a problem and start points that Validate,
	// Suits and Check accept. It allocates and evaluates nothing beyond what the first Step needs.
	Start(ctx context.Context, p problems.Problem, g *shard.Group, s Setup) (Run, error)
}

// Setup is what a run is made from besides problem, devices and method.
type Setup struct {
	Key       rng.Key
	Precision problems.Precision
	X0        [][]float64 // start points, each of n variables; may be nil
}

// Run is a started method: it knows one step, and no loop, clock or stop rule.
type Run interface {
	// Step advances by one unit (a batch, a generation, a local search step)
	// of at most limit evaluations. It does nothing and returns false when a
	// unit does not fit. After ctx is cancelled it returns within a launch
	// with ctx's error, or completes a step that moves points in place; the run
	// then still holds its last complete step.
	Step(ctx context.Context, limit int64) (Sample, bool, error)
	// Incumbent writes the best point so far to x of n variables.
	Incumbent(x []float64) error
	// Info says how the run was laid out.
	Info() Info
	// Close releases the run's memory on the devices.
	Close()
}

// Scheduled is a Solver that ends by itself.
type Scheduled interface {
	Solver
	// Schedule is the number of evaluations after which the method ends at most.
	Schedule(p problems.Problem) int64
}

// Ending is a Run that ends by itself: Ended says whether it has.
type Ending interface{ Ended() bool }

// Info is how a run was laid out on its devices.
type Info struct {
	Plans     []shard.DevicePlan // per device of the group, what it holds
	Shards    []shard.Shard
	Units     int           // that were dealt in place of super-tiles; 0: none
	UnitNames string        // what those are, such as "blocks of replicas"
	BuildTime time.Duration // of the kernels, on the slowest device
	Resumable bool          // the run can be stored; set by Minimize
}

// Sample is the state of a run after a step. Two runs that are identical
// have identical samples but for Elapsed.
type Sample struct {
	Step        int64         // steps done, from 1
	Evaluations int64         // objective values obtained for whole points
	Work        float64       // component evaluations / components
	F           float64       // best value found or held after this step, at least Best; +Inf if none was finite
	Best        float64       // best value so far, in the sense of minimization; +Inf if none
	NonFinite   int64         // values so far that were NaN or infinite
	Elapsed     time.Duration // since the start of the loop
}

// Recorder receives every sample of a run, in order. A nil Recorder is
// allowed wherever one is taken.
type Recorder interface {
	Record(Sample) error
}

// Status says how a run ended. Reaching a budget is not an error.
type Status int

const (
	NotEnded    Status = iota
	Evaluations        // Budget.Evaluations: no further step fits
	Time               // Budget.Time is over
	Target             // a value at or below Budget.Target
	Stall              // no improvement for Budget.Stall
	Cancelled          // the context was cancelled
	Finished           // the method came to the end of its schedule
	Failed             // a step or the Recorder failed; the error says how
)

func (s Status) String() string {
	return [...]string{"not ended", "evals", "time", "target", "stall", "cancelled", "finished", "failed"}[s]
}

// Budget is when to stop. Every zero field means no limit of that kind.
type Budget struct {
	Evaluations int64
	Time        time.Duration
	Stall       time.Duration
	Target      *float64 // in the sense of minimization
}

// Settings of Minimize beside the method's own.
type Settings struct {
	Key       rng.Key
	Precision problems.Precision
	Budget    Budget
	Recorder  Recorder
	X0        [][]float64
	Started   func(Info) // called once the run is laid out; may be nil
	// Keeper keeps checkpoints; nil: none.
	Keeper Keeper
	// Resume loads a run that was stored and returns what the loop was told
	// then; nil: a new run. The result, the trace and the budget count from
	// its first start.
	Resume func(*State) (Progress, error)
}

// Keeper keeps checkpoints of a run. What it cannot store is its own affair:
// a run does not end for that.
type Keeper interface {
	// Due says whether a checkpoint is wanted after the step of a sample.
	Due(Sample) bool
	// Keep stores the state after the step of at.Last. ended is NotEnded
	// while the run goes on.
	Keep(st *State, at Progress, ended Status)
}

// Result is what Minimize found. Where Status is Failed, it is that of the last complete
// step; a method that moves its best point in place may have a later X, whose value is
// then Again, and which is not Confirmed.
type Result struct {
	X           []float64 // the best point, owned by the caller
	F           float64   // its value as the devices found it
	HostF       float64   // its value by the host reference; NaN if the problem has none
	Again       float64   // its value by the Confirmer, which is HostF for "host"; NaN if that failed
	Confirmed   bool      // F and Again agree within Tolerance
	Confirmer   string    // "host", or "device" where the problem has no host reference
	Tolerance   float64
	Evaluations int64
	Work        float64
	Steps       int64
	NonFinite   int64
	Status      Status
	Elapsed     time.Duration // of the loop
	HostTime    time.Duration // of the host's evaluation of X
}

// Add counts a step of n evaluations by blocks, after which f is the best value.
func (s *Sample) Add(n int64, f float64, nonFinite int64) {
	s.Step++
	s.Evaluations += n
	s.Work = float64(s.Evaluations)
	s.NonFinite = nonFinite
	s.F = math.Inf(1)
	if host.Finite(f) {
		s.F = f
	}
	s.Best = min(s.Best, s.F)
}
