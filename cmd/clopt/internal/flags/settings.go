package flags

import (
	"crypto/rand"
	"encoding/binary"
	"errors"
	"maps"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/clopt/clopt/cl"
	"github.com/clopt/clopt/internal/problems/command"
	"github.com/clopt/clopt/problems"
	"github.com/clopt/clopt/solvers"
	"github.com/clopt/clopt/solvers/methods"
	"github.com/clopt/clopt/solvers/runs"
)

// Settings are the options of a run, parsed.
type Settings struct {
	Config    *Config
	Options   problems.Options // how the problem is read
	Program   *command.Options // that gives the values; nil: none does
	Precision problems.Precision
	Series
	Method
	Limits
	Machine
	Files
	Terminal
	Caller
}

// Series are the runs to make.
type Series struct {
	Seed     uint32
	Drawn    bool // the seed was drawn, not given
	Runs     int
	FirstRun uint32
	X0       string
	Keep     solvers.Keep
}

// Method is the method of the runs.
type Method struct {
	Solver  solvers.Solver
	Reason  string            // why Pick chose Solver; "" if the user named it
	Restart bool              // a method that has come to its end begins again, if there is a limit; set by Pick
	auto    bool              // --solver auto: Pick chooses when the problem is known
	set     map[string]string // --set
}

// Limits say when a run ends.
type Limits struct {
	Evals, Moves  int64
	stallEvals    int64
	gtol          float64
	time, stall   time.Duration
	target        *float64
	known         bool // the target is the best known value
	RequireTarget bool
}

// Machine says which devices work, and how.
type Machine struct {
	Devices    string
	Weights    map[int]float64
	Mem        float64
	Watchdog   time.Duration
	TrialTime  time.Duration // the limit on the first evaluation of an objective
	NoSelftest bool
}

// Files say what is read and written.
type Files struct {
	Out, Name, XFormat         string
	Checkpoint                 runs.Schedule
	Checkpoints                int // how many are kept
	AllowOutside, ForceChanged bool
}

// Terminal says what is shown.
type Terminal struct {
	Status               string
	Quiet, Verbose, JSON bool
	NoColour             bool
	DryRun, PrintConfig  bool
}

// Caller has what no option says.
type Caller struct {
	Outside   bool // run.toml names files outside of the run folder
	Count     int  // number of the chosen devices to use; 0: all
	DataNoted bool // the user was told that the instance is generated
	Planned   bool // the limits are those of a campaign, so a schedule that they cut short is no surprise
	Resumed   bool // the run keeps the settings that it began with, whatever its limits are now
}

// NewSettings parses every option. The error joins all complaints.
func NewSettings(c *Config) (*Settings, error) {
	s := &Settings{
		Config:    c,
		Options:   ReadProblemOptions(c),
		Program:   readProgram(c),
		Precision: Read(c, "precision", problems.ParsePrecision),
		Series: Series{
			Seed:     Read(c, "seed", ParseSeed),
			Runs:     int(Read(c, "runs", ParseRuns)),
			FirstRun: Read(c, "first-run", ParseSeed),
			X0:       c.Path("x0"),
			Keep: solvers.Keep{Points: int(Read(c, "keep", ParseRuns)),
				Distance: int(Read(c, "distance", ParseRuns))},
		},
		Limits: readLimits(c),
		Machine: Machine{
			Devices:    c.Text("devices"),
			Weights:    Read(c, "weights", parseWeights),
			Mem:        Read(c, "mem", parseShare),
			Watchdog:   Read(c, "watchdog", ParseDuration),
			TrialTime:  Read(c, "trial-time", ParseDuration),
			NoSelftest: Read(c, "no-selftest", ParseSwitch),
		},
		Files: Files{
			Out:          Read(c, "out", notEmpty(c.Path("out"))),
			Name:         Read(c, "name", runs.CheckName),
			XFormat:      Read(c, "x-format", OneOf("npy", "txt", "none")),
			Checkpoint:   Read(c, "checkpoint", parseSchedule),
			Checkpoints:  int(Read(c, "checkpoints", ParseRuns)),
			AllowOutside: Read(c, "allow-outside", ParseSwitch),
			ForceChanged: Read(c, "force-changed", ParseSwitch),
		},
		Terminal: readTerminal(c),
	}
	if !s.AllowOutside {
		c.checkPaths("x0", "data", "bounds")
	}
	if s.Keep.Distance > 0 && s.Keep.Points == 0 {
		c.Complain("distance", c.Values["distance"], "says how different the points of --keep are; give both")
	}
	if uint64(s.FirstRun)+uint64(s.Runs) > math.MaxUint32+1 {
		c.Complain("first-run", c.Values["first-run"], "%d and %d runs go beyond run %d", s.FirstRun, s.Runs,
			uint32(math.MaxUint32))
	}
	Read(c, "restart", OneOf("on", "off"))
	s.Solver = s.readSolver()
	if err := c.Err(); err != nil {
		return nil, err
	}
	if !c.given("seed") {
		var b [4]byte
		rand.Read(b[:])
		s.Seed, s.Drawn = binary.LittleEndian.Uint32(b[:]), true
	}
	return s, nil
}

func readLimits(c *Config) Limits {
	l := Limits{
		Evals:         Read(c, "evals", parseCount),
		Moves:         Read(c, "moves", parseCount),
		time:          Read(c, "time", ParseDuration),
		stall:         Read(c, "stall", ParseDuration),
		stallEvals:    Read(c, "stall-evals", parseCount),
		gtol:          Read(c, "gtol", parsePositive),
		RequireTarget: Read(c, "require-target", ParseSwitch),
	}
	l.known = strings.EqualFold(c.Text("target"), "known")
	if c.given("target") && !l.known {
		f := Read(c, "target", parseTarget)
		l.target = &f
	}
	return l
}

func readTerminal(c *Config) Terminal {
	t := Terminal{
		Status:      Read(c, "status", OneOf("auto", "line", "plain", "json", "off")),
		Quiet:       Read(c, "quiet", ParseSwitch),
		Verbose:     Read(c, "verbose", ParseSwitch),
		JSON:        Read(c, "json", ParseSwitch),
		NoColour:    Read(c, "no-color", ParseSwitch),
		DryRun:      Read(c, "dry-run", ParseSwitch),
		PrintConfig: Read(c, "print-config", ParseSwitch),
	}
	switch quiet, verbose := c.Values["quiet"].Origin, c.Values["verbose"].Origin; {
	case !t.Quiet || !t.Verbose:
	case quiet == "flag" && verbose != "flag":
		t.Verbose = false
	case verbose == "flag" && quiet != "flag":
		t.Quiet = false
	default:
		c.Complain("quiet", c.Values["quiet"], "cannot be combined with --verbose")
	}
	return t
}

// readSolver makes the method from --solver and --set; nil for auto.
func (s *Settings) readSolver() solvers.Solver {
	c := s.Config
	set, err := ParseSet(c.Values["set"].Vals)
	if err != nil {
		c.Complain("set", c.Values["set"], "%v", err)
	}
	name, err := SolverName(c.Text("solver"))
	if err != nil {
		c.Complain("solver", c.Values["solver"], "%v", err)
		return nil
	}
	s.set, s.auto = set, name == "auto"
	if s.auto {
		return nil // Pick makes it
	}
	method, err := methods.New(name, set)
	s.refuseSet(err)
	return method
}

// refuseSet adds err, an error of the method's settings, to the complaints, unless it is nil.
func (s *Settings) refuseSet(err error) {
	if err == nil {
		return
	}
	from := "solver"
	if len(s.set) > 0 {
		from = "set"
	}
	s.Config.Complain(from, s.Config.Values[from], "%v", err)
}

// notEmpty returns a parser that refuses an empty text and otherwise returns path.
func notEmpty(path string) func(string) (string, error) {
	return func(s string) (string, error) {
		if s == "" {
			return "", errors.New("is empty; use . for the current folder")
		}
		return path, nil
	}
}

// Pick makes the method of --solver auto for a problem, once.
func (s *Settings) Pick(p problems.Problem) error {
	if s.auto && s.Config.Text("restart") == "" { // run.toml then has it
		s.Config.Values["restart"] = Value{Vals: []string{"on"}, Origin: "auto"}
	}
	s.Restart = s.Config.Text("restart") == "on"
	if !s.auto {
		return s.Config.Err()
	}
	method, reason := methods.Auto(p, s.Precision, s.limits(p))
	method, err := solvers.Configure(method, s.set)
	if s.refuseSet(err); err == nil {
		s.Solver = method
		s.Reason = reason
		s.auto = false
	}
	return s.Config.Err()
}

// Fit fits the method to the budget. Afterwards the settings that it or Pick has chosen are values of --set, so that
// run.toml has them: a repeated or resumed run does not choose again.
func (s *Settings) Fit(p problems.Problem, b solvers.Budget, devices []cl.Info) error {
	s.Solver = solvers.Fit(s.Solver, p, b, devices)
	chosen, err := methods.Changes(s.Solver)
	if err != nil {
		return err
	}
	given := s.Config.Values["set"]
	for _, pair := range chosen {
		key, _, _ := strings.Cut(pair, "=")
		same := func(k string) bool { return strings.EqualFold(k, key) }
		if !slices.Contains(given.Vals, pair) && !slices.ContainsFunc(slices.Collect(maps.Keys(s.set)), same) {
			given.Vals, given.Origin = slices.Concat(given.Vals, []string{pair}), "auto"
		}
	}
	s.Config.Values["set"] = given
	return nil
}

// MethodFor makes the method of a run of p on devices, with changes to --set; --solver auto chooses for p.
func (s *Settings) MethodFor(p problems.Problem, changes map[string]string, devices []cl.Info) (solvers.Solver, error) {
	set := maps.Clone(s.set)
	maps.Copy(set, changes)
	var m solvers.Solver
	name, err := SolverName(s.Config.Text("solver"))
	if err == nil && name == "auto" {
		m, _ = methods.Auto(p, s.Precision, s.limits(p))
		m, err = solvers.Configure(m, set)
	} else if err == nil {
		m, err = methods.New(name, set)
	}
	if err != nil {
		return nil, err
	}
	return solvers.Fit(m, p, s.limits(p), devices), nil
}

// Choose makes the method of --solver auto for a problem, and checks that the method and the target suit the problem.
func (s *Settings) Choose(p problems.Problem) error {
	if err := s.Pick(p); err != nil {
		return err
	}
	if _, ok := p.Info().BestKnown(); s.known && !ok {
		s.Config.Complain("target", s.Config.Values["target"], "no best value of %s is known; give a number", p.Spec())
	}
	if s.RequireTarget && s.target == nil && !s.known && p.Info().Target == nil {
		s.Config.Complain("require-target", s.Config.Values["require-target"], "needs a target: add --target F")
	}
	if err := s.Config.Err(); err != nil {
		return err
	}
	return solvers.Suits(s.Solver, p, s.Precision)
}

// Budget returns when each run stops. implied reports that no stop rule was given, so that the default holds.
func (s *Settings) Budget(p problems.Problem) (b solvers.Budget, implied bool) {
	b = s.limits(p)
	ends := s.Solver.Traits().Schedule != nil
	rules := b
	rules.Target = nil // that of the objective
	if rules != (solvers.Budget{}) || s.target != nil || s.known || ends {
		return b, false
	}
	if cut, ok := p.(problems.Cut); ok {
		b.StallEvaluations = methods.StallOf(cut)
		return b, true
	}
	b.Evaluations, b.Time = defaultEvalsPerVariable*int64(p.Domain().N), defaultTime
	return b, true
}

// limits returns the stop rules that were given.
func (s *Settings) limits(p problems.Problem) solvers.Budget {
	b := solvers.Budget{Evaluations: s.Evals, Moves: s.Moves, Time: s.time, Stall: s.stall,
		StallEvaluations: s.stallEvals, GTol: s.gtol}
	if s.target != nil {
		f := p.Info().Sign() * *s.target
		b.Target = &f
	} else if f, ok := p.Info().BestKnown(); ok && s.known {
		b.Target = &f
	} else if !s.known {
		b.Target = p.Info().Target
	}
	return b
}
