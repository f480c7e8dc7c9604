package main

import (
	"crypto/rand"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/clopt/clopt/problems"
	"github.com/clopt/clopt/problems/catalog"
	"github.com/clopt/clopt/problems/cut"
	"github.com/clopt/clopt/problems/input"
	"github.com/clopt/clopt/solvers"
	"github.com/clopt/clopt/solvers/methods"
)

// settings are the options of a run, parsed.
type settings struct {
	config *config

	dim      int
	seed     uint32
	drawn    bool // the seed was
	runs     int
	firstRun uint32
	x0, data string
	bounds   *problems.Bounds
	maximize bool
	graph    graphFlags

	evals         int64
	time, stall   time.Duration
	target        *float64
	known         bool // the target is the best known value
	requireTarget bool

	devices    string
	weights    map[int]float64
	mem        float64
	precision  problems.Precision
	noSelftest bool

	count      int  // use so many of the chosen devices; 0: all
	dataTold   bool // that the instance is generated, by the caller
	planned    bool // limits are a campaign's, which means them
	checkpoint schedule
	keep       int

	out, name, status, xFormat string
	quiet, verbose, json       bool
	dryRun, printConfig        bool

	solver solvers.Solver
	auto   bool              // --solver auto: the problem decides, see pick
	set    map[string]string // --set
}

// newSettings parses every option and returns all complaints at once.
func newSettings(c *config) (*settings, error) {
	s := &settings{
		config:   c,
		dim:      int(read(c, "dim", parseDim)),
		seed:     read(c, "seed", parseSeed),
		runs:     int(read(c, "runs", parseRuns)),
		firstRun: read(c, "first-run", parseSeed),
		x0:       c.path("x0"),
		data:     c.path("data"),
		bounds:   read(c, "bounds", parseBounds),
		maximize: read(c, "maximize", parseSwitch),
		graph:    readGraphFlags(c),

		evals:         read(c, "evals", parseCount),
		time:          read(c, "time", parseDuration),
		stall:         read(c, "stall", parseDuration),
		requireTarget: read(c, "require-target", parseSwitch),

		devices:    c.text("devices"),
		weights:    read(c, "weights", parseWeights),
		mem:        read(c, "mem", parseShare),
		precision:  read(c, "precision", problems.ParsePrecision),
		noSelftest: read(c, "no-selftest", parseSwitch),
		checkpoint: read(c, "checkpoint", parseSchedule),
		keep:       int(read(c, "keep", parseKeep)),

		out:         read(c, "out", notEmpty(c.path("out"))),
		name:        read(c, "name", checkName),
		status:      read(c, "status", oneOf("auto", "line", "plain", "json", "off")),
		xFormat:     read(c, "x-format", oneOf("npy", "txt", "none")),
		quiet:       read(c, "quiet", parseSwitch),
		verbose:     read(c, "verbose", parseSwitch),
		json:        read(c, "json", parseSwitch),
		dryRun:      read(c, "dry-run", parseSwitch),
		printConfig: read(c, "print-config", parseSwitch),
	}
	read(c, "no-color", parseSwitch) // nothing of ours is coloured
	if s.known = strings.EqualFold(c.text("target"), "known"); c.given("target") && !s.known {
		f := read(c, "target", parseNumber)
		s.target = &f
	}
	if s.requireTarget && !c.given("target") {
		c.complain("require-target", c.values["require-target"], "needs a target: add --target F")
	}
	switch quiet, verbose := c.values["quiet"].origin, c.values["verbose"].origin; {
	case !s.quiet || !s.verbose:
	case quiet == "flag" && verbose != "flag":
		s.verbose = false
	case verbose == "flag" && quiet != "flag":
		s.quiet = false
	default:
		c.complain("quiet", c.values["quiet"], "goes not with --verbose")
	}
	if uint64(s.firstRun)+uint64(s.runs) > math.MaxUint32+1 {
		c.complain("first-run", c.values["first-run"], "%d and %d runs go beyond run %d", s.firstRun, s.runs, uint32(math.MaxUint32))
	}
	s.solver = s.readSolver()
	if err := c.err(); err != nil {
		return nil, err
	}
	if !c.given("seed") {
		var b [4]byte
		rand.Read(b[:])
		s.seed, s.drawn = binary.LittleEndian.Uint32(b[:]), true
	}
	return s, nil
}

// readSolver makes the method from --solver and --set.
func (s *settings) readSolver() solvers.Solver {
	c := s.config
	set, err := parseSet(c.values["set"].vals)
	if err != nil {
		c.complain("set", c.values["set"], "%v", err)
	}
	name, err := solverName(c.text("solver"))
	if err != nil {
		c.complain("solver", c.values["solver"], "%v", err)
		return nil
	}
	s.set, s.auto = set, name == "auto"
	if s.auto {
		return nil // until the problem is known
	}
	method, err := methods.New(name, set)
	s.refuseSet(err)
	return method
}

// refuseSet complains about the settings of --set; nil is no complaint.
func (s *settings) refuseSet(err error) {
	if err == nil {
		return
	}
	from := "solver"
	if len(s.set) > 0 {
		from = "set"
	}
	s.config.complain(from, s.config.values[from], "%v", err)
}

// notEmpty returns path, and refuses an empty text.
func notEmpty(path string) func(string) (string, error) {
	return func(s string) (string, error) {
		if s == "" {
			return "", errors.New("is empty; use . for the current folder")
		}
		return path, nil
	}
}

// pick makes the method of --solver auto for a problem.
func (s *settings) pick(p problems.Problem) error {
	if s.auto {
		method, _ := methods.Auto(p, s.precision, s.limits(p))
		var err error
		s.solver, err = solvers.Configure(method, s.set)
		s.refuseSet(err)
	}
	return s.config.err()
}

// choose picks the method for a problem, and refuses one that does not take it.
func (s *settings) choose(p problems.Problem) error {
	if err := s.pick(p); err != nil {
		return err
	}
	if _, ok := p.Info().BestKnown(); s.known && !ok {
		s.config.complain("target", s.config.values["target"], "no best value is known of %s; give one", p.Spec())
	}
	if err := s.config.err(); err != nil {
		return err
	}
	return solvers.Suits(s.solver, p, s.precision)
}

func parseDim(s string) (int64, error) {
	n, err := parseCount(s)
	if err == nil && n > problems.MaxDim {
		return 0, fmt.Errorf("%q is above %d, the largest number of variables", s, problems.MaxDim)
	}
	return n, err
}

func parseKeep(s string) (int64, error) {
	n, err := parseCount(s)
	if err == nil && n > 1e6 {
		return 0, fmt.Errorf("%q is above a million", s)
	}
	return n, err
}

func parseRuns(s string) (int64, error) {
	n, err := parseCount(s)
	if err == nil && n > 1e6 {
		return 0, fmt.Errorf("%q is above a million", s)
	}
	return n, err
}

// budget is when each run stops. Without any stop rule there is a default,
// and implied says so.
func (s *settings) budget(p problems.Problem) (b solvers.Budget, implied bool) {
	b = s.limits(p)
	_, ends := s.solver.(solvers.Scheduled)
	if b.Evaluations == 0 && b.Time == 0 && b.Stall == 0 && b.Target == nil && !ends {
		b.Evaluations, b.Time = defaultEvalsPerVariable*int64(p.Domain().N), defaultTime
		implied = true
	}
	return b, implied
}

// limits is the stop rules that were given.
func (s *settings) limits(p problems.Problem) solvers.Budget {
	b := solvers.Budget{Evaluations: s.evals, Time: s.time, Stall: s.stall}
	if s.target != nil {
		f := p.Info().Sign() * *s.target
		b.Target = &f
	} else if f, ok := p.Info().BestKnown(); ok && s.known {
		b.Target = &f
	}
	return b
}

// readPoints reads points of p.
func readPoints(path string, p problems.Problem) (input.Points, error) {
	if p.Domain().Binary {
		return cut.ReadBinaryPoints(path, p.Domain().N)
	}
	return input.ReadPoints(path, p.Domain().N)
}

// readX0 reads the start points, which lie inside the box.
func readX0(path string, p problems.Problem) ([][]float64, error) {
	if path == "" {
		return nil, nil
	}
	points, err := readPoints(path, p)
	if err != nil {
		return nil, coded(exitUsage, err)
	}
	d := p.Domain()
	for i, x := range points.X {
		for j, v := range x {
			if lo, hi := d.Interval(j); v < lo || v > hi {
				return nil, usagef("%s: error: point %d, variable %d is %g, outside the box [%g, %g]. Start points lie inside it.", path, i+1, j+1, v, lo, hi)
			}
		}
	}
	return points.X, nil
}

// parseProblem reads PROBLEM before any device is touched.
func parseProblem(spec string, opt problems.Options, prec problems.Precision, host bool) (problems.Problem, error) {
	if opt.Data != "" {
		if info, err := os.Stat(opt.Data); err != nil {
			return nil, usagef("--data or CLOPT_DATA: %w", err)
		} else if !info.IsDir() {
			return nil, usagef("--data or CLOPT_DATA: %s is no folder", opt.Data)
		}
	}
	p, err := catalog.Parse(spec, opt)
	if err != nil {
		return nil, coded(exitUsage, err)
	}
	if host {
		return p, nil
	}
	if c, ok := p.(problems.Cut); ok {
		err = c.Refuses(prec)
	} else {
		_, err = p.Text(prec, problems.Tile)
	}
	return p, coded(exitUsage, err)
}

// absolute makes a name good in other folders too, as far as it can be.
func absolute(path string) string {
	if abs, err := filepath.Abs(path); err == nil && path != "" {
		return abs
	}
	return path
}
