package contract

import (
	"cmp"
	"strings"
	"testing"

	"github.com/clopt/clopt/problems"
	"github.com/clopt/clopt/problems/rng"
	"github.com/clopt/clopt/solvers"
	"github.com/clopt/clopt/solvers/methods"
	"github.com/clopt/clopt/test/problemtest"
	"github.com/clopt/clopt/test/shorttest"
	"github.com/clopt/clopt/test/solvertest"
)

// row is a method on a problem. Each row runs all tests of solvertest.Test: bits on one, two, three and five devices,
// repetition, budget, target, cancelling. If it has stops, it is also resumed after these steps.
type row struct {
	method, problem string
	prec            problems.Precision
	evals           int64   // as in solvertest.Budget; 0: defaultEvals
	stops           []int64 // steps
}

const (
	fp32         = problems.FP32
	defaultEvals = 133
)

// rows begin with those that -short runs, one of each method.
var rows = []row{
	// A cycle has 5 generations and 5 local search steps. The stops are after the first step, and inside, between and
	// after the phases.
	{"masw population=8 iterations=5 portions=3", "cec2013/f12:n=7000,mode=paper", 0, 208,
		[]int64{1, 3, 6, 7, 9, 11, 14, 18}},
	{"random batch=16", "cec2013/f12:n=7000,mode=paper", fp32, 0, nil},
	{"masw-seq population=8 iterations=20", "cec2013/f4", 0, 0, nil},
	{"graybox", "cec2013/f8:n=2000", 0, 0, []int64{1, 2}}, // wide parts
	{"sa T0=5 Tmin=0.5 rho=0.8 N=3 chains=600", "classic/griewank:n=40", 0, 20000, []int64{1, 4, 8}},
	{"cgrasp starts=7", "classic/G4", 0, 200000, []int64{1, 2}},
	{"lbfgs pairs=3", "cec2013/f12:n=7000,mode=paper", 0, 0, []int64{1, 2, 9}},
	{"cmaes", "classic/griewank:n=5", 0, 3000, []int64{1, 9, 150}},            // the last one in the second round
	{"relay", "../testdata/chain.cl:n=40", 0, 3000, []int64{3, 90, 130, 200}}, // in several legs
	{"lm", "cec2013/f13:n=3000", 0, 60, []int64{1, 2}},
	{"gomea base=4", "maxcut:torus=12x12,seed=2", 0, 6000, []int64{1, 4, 20}}, // two populations from step 5 on
	{"mixing base=4 sweeps=5", "maxcut:torus=32x32,seed=2", 0, 60000, nil},    // fewer units than devices
	{"annealgraph chains=7 sweeps=1", "maxcut:gnp=400,p=0.05,weights=-9..9,seed=1", 0, 6000, []int64{1, 3}},

	{"random batch=16", "cec2013/f1:n=3000", 0, 0, nil},
	{"random batch=7", "../testdata/chain.cl:n=5001", 0, 0, nil},
	{"random batch=40", "cec2013/f2:n=3000", 0, 390, []int64{1, 4, 9}},
	{"masw population=8 iterations=5", "cec2013/f1:n=3000", fp32, 0, nil},
	{"masw population=8 iterations=5 portions=3", "cec2013/f4:n=6000", 0, 0, nil},
	{"masw population=6 iterations=4 portion=2000", "cec2013/f4:n=5000", fp32, 90, []int64{2, 5, 8, 13}},
	{"masw population=8 iterations=5", "cec2013/f12:n=7000,mode=paper", 0, 0, nil}, // halos at borders of super-tiles
	{"masw population=8 iterations=5 portion=2000", "cec2013/f12:n=7000,mode=paper", fp32, 0, nil},
	{"masw population=4 iterations=2", "cec2013/f12:n=300000,mode=paper", 0, 22, nil}, // super-tiles of several tiles
	{"masw population=8 iterations=5 portions=2", "cec2013/f2:n=5000,mode=distinct", 0, 0, nil},
	{"masw population=8 iterations=5", "cec2013/f13:n=3000", 0, 0, nil},
	{"masw population=8 iterations=5 portions=3", "../testdata/chain.cl:n=5001", 0, 0, nil},
	{"masw population=4 iterations=4", "../testdata/ackley.cl:n=10", 0, 0, nil},            // fewer tiles than devices
	{"masw-seq population=8 iterations=20", "cec2013/f12:n=2500,mode=paper", fp32, 0, nil}, // one point in three tiles
	{"sa T0=5 Tmin=0.5 rho=0.8 N=3 chains=600 exchange=3 elitist=true shared=true", "classic/F16", fp32, 20000,
		[]int64{2, 3, 7}}, // before, at and after an exchange
	{"sa variant=v1 T0=5 Tmin=0.5 rho=0.8 N=3 chains=700 neighbour=adaptive", "../testdata/chain.cl:n=20", 0,
		20000, []int64{1, 4, 7}},
	// temperatures in several launches
	{"sa T0=5 Tmin=0.5 rho=0.8 N=150 chains=30 starts=grid", "../testdata/ackley.cl:n=10", fp32, 20000,
		[]int64{1, 2, 5}},
	{"cgrasp starts=7 fix=all extend=0 batch=9 items=8", "../testdata/chain.cl:n=150", fp32, 200000, []int64{1}},
	{"cgrasp starts=7 fix=all items=8 hs=1", "../testdata/lattice.cl:n=60", 0, 200000, []int64{2}},
	// g is no sum
	{"cgrasp starts=6 alpha=0.3 reuse=flag", "../testdata/ackley.cl:n=12", 0, 200000, []int64{1, 2}},
	{"lbfgs", "cec2013/f12:n=300000,mode=paper", 0, 0, nil}, // many tiles a super-tile
	{"lbfgs", "../testdata/chain.cl:n=5001", 0, 0, nil},
	{"lbfgs", "../testdata/variation.cl:n=5001", 0, 500, []int64{2, 3, 9, 40, 70}}, // kinks that are rounded
	{"lbfgs patience=1000", "classic/rosenbrock:n=4", 0, 3000, []int64{90, 200}},   // uniform points and kicks
	{"lbfgs", "../testdata/ackley.cl:n=12", 0, 500, nil},                           // g is no sum
	{"lbfgs", "cec2013/f13", 0, 1500, []int64{2}},
	{"lm", "../testdata/squares.cl:n=5001", 0, 0, nil},
	{"lm patience=1000", "../testdata/squares.cl:n=4", 0, 3000, []int64{30, 70}}, // uniform points and kicks
	{"relay", "classic/rosenbrock:n=3000", 0, 700, []int64{2}},
	{"relay", "../testdata/ackley.cl:n=12", 0, 5000, []int64{2, 60}},         // g is no sum
	{"relay", "../testdata/auto/regression.cl", 0, 3000, []int64{1, 12, 20}}, // whole points
	{"relay", "../testdata/auto/valleys.cl:n=20", 0, 700, []int64{2, 12}},    // squares
	{"relay", "../testdata/squares.cl:n=5001", 0, 1400, []int64{3, 89, 90, 145}},
	{"masw population=8 iterations=5 portions=3 mates=1", "cec2013/f12:n=7000,mode=paper", 0, 0, []int64{3}},
	{"masw population=8 iterations=5 portions=3 mates=2", "cec2013/f12:n=7000,mode=paper", 0, 0, nil},
	{"graybox", "../testdata/auto/regression.cl", 0, 0, []int64{1, 2}}, // one part
	{"graybox search=solis-wets", "../testdata/rastrigin.cl:n=5001", fp32, 0, nil},
	{"graybox search=mts", "cec2013/f12:n=7000,mode=paper", 0, 700, nil},     // open parts, in two colours
	{"graybox search=mts", "../testdata/lattice.cl:n=5001", fp32, 700, nil},  // offsets, cut at the last
	{"graybox search=solis-wets", "../testdata/grid.cl", 0, 500, []int64{1}}, // one tile, parts without variables
	{"gomea population=6 local=ls bound=10", "maxcut:gnp=60,p=0.4,weights=1..9,seed=1", 0, 6000, []int64{1, 3}},
	{"gomea base=4 variant=serial linkage=sparse", "maxcut:torus=12x12,seed=2", 0, 6000, []int64{2, 7}},
	{"gomea population=9 local=sa sweeps=3", "maxcut:tile=12x12,p=0.5,seed=3", 0, 6000, []int64{1, 4}},
	{"annealgraph chains=4 sweeps=1", "maxcut:gnp=400,p=0.05,weights=-999..999,seed=1", 0, 6000, []int64{2}},
	{"mixing sweeps=1", "maxcut:gnp=400,p=0.05,weights=-9..9,seed=1", 0, 100000, []int64{1, 3}},
}

// hostRows are methods whose values are not those of an evaluation by a device, to the last bit: they compute on the
// host, or do so after their devices, or add in another order, as graybox does if a function is one part. They only run
// the tests of resuming and of faults.
var hostRows = []row{
	{"sa variant=hybrid T0=5 Tmin=0.5 rho=0.8 N=3 chains=600 hops=3", "classic/rosenbrock:n=20", 0, 70000,
		[]int64{3, 11, 12, 14}},
	{"sa variant=v2 T0=5 Tmin=0.5 rho=0.8 N=3 chains=600 hops=9 local=lbfgs", "classic/F15", 0, 27000,
		[]int64{11, 12, 15}},
	{"sa variant=sweeps N=2 rho=0.1 local=coordinate", "classic/rosenbrock:n=300", 0, 60000, []int64{3, 14, 16}},
	{"cgrasp variant=seq", "classic/G4", 0, 50000, []int64{1, 3, 5}},
	{"sa variant=v0 T0=5 Tmin=0.5 rho=0.8 N=3 chains=600", "classic/griewank:n=40", 0, 19000, []int64{1, 5, 9}},
	{"relay", "../testdata/auto/intervals.cl", 0, 5000, []int64{2, 40, 70}}, // an interval for each variable
}

// forms are the first row of each method.
var forms = rows[:12]

// method returns the method of a line "name key=value key=value".
func method(t *testing.T, line string) solvers.Solver {
	t.Helper()
	name, settings, _ := strings.Cut(line, " ")
	m, err := methods.New(name, solvertest.Settings(settings))
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func TestMethods(t *testing.T) {
	devices := problemtest.Devices(t, 5)
	for _, c := range shorttest.Rows(12, rows) {
		m, p := method(t, c.method), solvertest.ParseProblem(t, c.problem)
		c.evals = cmp.Or(c.evals, defaultEvals)
		key := rng.Key{Seed: 4, Run: 2}
		_, graph := p.(problems.Cut)
		if graph {
			key.Run = 1 // with 2, runs 2 and 5 have the same first value
		}
		solvertest.Test(t, m, p, solvertest.Options{
			Devices: devices, Evaluations: c.evals, Precision: c.prec, Key: key})
		c.resume(t)
	}
	for _, c := range shorttest.Rows(1, hostRows) {
		c.resume(t)
	}
}

// resume runs the test of resuming, if the row has stops.
func (c row) resume(t *testing.T) {
	if c.stops == nil {
		return
	}
	t.Run("resumed "+c.method, func(t *testing.T) {
		solvertest.ResumeCase{Method: method(t, c.method), Spec: c.problem, Prec: c.prec, Evals: c.evals,
			After: c.stops}.Resume(t)
	})
}
