package solvers

import (
	"context"

	"github.com/clopt/clopt/cl"
	"github.com/clopt/clopt/problems"
	"github.com/clopt/clopt/shard"
)

// Traits say what a method is and what it can do. A method that works through another one copies its traits and changes
// those that differ, so that none is lost. Every function may be nil.
type Traits struct {
	Name     string    // on the command line, such as "random" or "masw"
	About    string    // a few sentences, for help
	Settings []Setting // they read and write the fields of the method
	// Check returns a *SettingError if settings that are valid alone contradict each other. A method without Check
	// allows all combinations.
	Check func() error
	// Suits returns nil for a problem that the method takes. Otherwise it returns a *SettingError that says what to do
	// instead. nil: it takes problems whose variables are real and have one interval.
	Suits func(p problems.Problem, prec problems.Precision) error
	// Limits returns how many start points the method takes, and what it needs to begin. nil: it takes one, and needs
	// one evaluation (LimitsOf).
	Limits func(p problems.Problem, prec problems.Precision) Limits
	// Fit returns the method that is run within b on devices such as the given ones: this one, or a copy with other
	// defaults. It does not change what the user has set, nor what Fit has returned. It neither measures anything nor
	// depends on the number of devices. nil: it is this one.
	Fit func(p problems.Problem, b Budget, devices []cl.Info) Solver
	// Schedule returns upper bounds on the evaluations and on the moves of a run. nil: runs end by limits, or by what
	// they find.
	Schedule func(p problems.Problem) (evaluations, moves int64)
	// HostPlan returns what runs keep in the memory of the host, as in Plan.Host, and is faster than Plan. nil: little.
	HostPlan func(p problems.Problem) []shard.PlanItem
	// Advise returns what to do instead of giving the setting with this key, such as one of an earlier version, or "".
	// nil: there is no advice.
	Advise func(key string) string
	// Slopes reports whether the method follows gradients of p, so that its samples have slopes, and Budget.GTol can
	// end a run. nil: it does not.
	Slopes func(p problems.Problem) bool
	// Uniform says that the result is the best of uniform points, so that a comparison with others means nothing.
	Uniform bool
	// Calls says that the method asks for values of whole points only, so that it takes functions of the host, too
	// (problems.CallOf).
	Calls bool
	// BatchSize returns the largest number of runs of p that can be made in the launches of one, if no limit of time
	// applies to them. This pays for small problems, where one run leaves most of a device idle. 1, and nil: runs are
	// made one after the other.
	BatchSize func(p problems.Problem, prec problems.Precision) int
	// StartBatch starts so many runs: that of s.Key, and those that follow it with the same seed. Each has the same
	// bits as if Start had been called with its key. It is not nil if BatchSize may be more than 1.
	StartBatch func(ctx context.Context, p problems.Problem, g *shard.Devices, s Setup, runs int) (Batch, error)
}

// Limits says how many start points a method takes on a problem, and how many evaluations it needs to
// begin.
type Limits struct {
	Starts   int   // largest number of start points
	Step     int64 // evaluations that the first step may need, at least 1; a smaller budget is refused
	PerStart int64 // further evaluations of the first step for each start point
	Moves    int64 // moves that the first step may need; 0: the method has no limit of moves, and refuses one
}

// LimitsOf returns the limits of a method on a problem.
func LimitsOf(m Solver, p problems.Problem, prec problems.Precision) Limits {
	if limits := m.Traits().Limits; limits != nil {
		return limits(p, prec)
	}
	return Limits{Starts: 1, Step: 1}
}
