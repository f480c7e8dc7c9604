package contract

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/clopt/clopt/problems"
	"github.com/clopt/clopt/problems/rng"
	"github.com/clopt/clopt/shard"
	"github.com/clopt/clopt/solvers"
	"github.com/clopt/clopt/solvers/methods"
	"github.com/clopt/clopt/test/solvertest"
)

// onHost are settings with which a method of the matrix needs no kernels, so that its runs are tested in short.
var onHost = map[string]map[string]string{
	"cgrasp": {"variant": "seq"}, "mixing": {"variant": "serial"}, "gomea": nil,
	"sa, chains": {"variant": "v0", "chains": "1"}, "masw-seq": {"on": "host"},
}

// A limit below what the first step may need is refused before a device is used, and the error names the smallest
// limit. With that one a run has a result, and does not exceed it.
func TestSmallestLimits(t *testing.T) {
	dir := t.TempDir()
	g := solvertest.OpenDevices(t, 1, shard.Options{})
	for _, c := range matrixProblems {
		p := matrixProblem(t, dir, c.spec, c.text)
		for _, row := range matrixMethods {
			set, host := onHost[row.row]
			if !host || *full {
				set = nil
			}
			more := []string{}
			for k, v := range set {
				more = append(more, k, v)
			}
			m, err := methods.New(row.name, solvertest.WithSettings(row.set, more...))
			if err != nil {
				t.Fatal(err)
			}
			if solvers.Suits(m, p, problems.FP64) != nil {
				continue
			}
			t.Run(row.row+" "+c.column, func(t *testing.T) {
				_, referenced := p.(problems.Referenced) // other problems have kernels in any case
				smallest(t, g, m, p, *full || host && referenced)
			})
		}
	}
}

// smallest tries limits of evaluations, and of moves if m has such limits. It makes runs if makes is true.
func smallest(t *testing.T, g *shard.Devices, m solvers.Solver, p problems.Problem, makes bool) {
	t.Helper()
	s := solvers.Settings{Key: rng.Key{Seed: 3}}
	if m.Traits().Name == "cgrasp" {
		x := make([]float64, p.Domain().N)
		for i := range x {
			lo, hi := p.Domain().Interval(i)
			x[i] = lo + 0.36*(hi-lo)
		}
		s.X0 = [][]float64{x}
	}
	run := func(devices *shard.Devices, b solvers.Budget) (*solvers.Result, error) {
		s.Budget = b
		return solvers.Minimize(context.Background(), p, devices, s, solvers.Fit(m, p, b, g.Infos()))
	}
	l := solvers.LimitsOf(m, p, problems.FP64)
	for _, kind := range []string{"evaluations", "moves"} {
		least, budget := l.Step, func(n int64) solvers.Budget { return solvers.Budget{Evaluations: n} }
		if kind == "moves" {
			least, budget = l.Moves, func(n int64) solvers.Budget { return solvers.Budget{Moves: n} }
		}
		if kind == "evaluations" { // what a method needs may depend on the limit
			least = solvers.LimitsOf(solvers.Fit(m, p, budget(1), g.Infos()), p, problems.FP64).Step
		}
		if least == 0 {
			_, err := run(&shard.Devices{}, budget(1))
			if err == nil || !strings.Contains(err.Error(), "no limit of moves") {
				t.Errorf("a limit of moves: %v", err)
			}
			continue
		}
		for _, n := range []int64{1, least - 1} {
			if n == 0 || n >= least {
				continue
			}
			_, err := run(&shard.Devices{}, budget(n))
			want := fmt.Sprintf("%s are limited to %d, and the first step of %s may need %d; use a limit of at least "+
				"%d", kind, n, m.Traits().Name, least, least)
			if _, ok := errors.AsType[*solvers.SettingError](err); !ok || err.Error() != want {
				t.Errorf("a limit of %d: %v; want %s", n, err, want)
			}
		}
		if !makes {
			continue
		}
		res, err := run(g, budget(least))
		if err != nil {
			t.Errorf("a limit of %d %s: %v", least, kind, err)
			continue
		}
		used := map[string]float64{"evaluations": res.Work, "moves": float64(res.Moves)}[kind]
		if used > float64(least) ||
			res.Evaluations != int64(res.Work) || !res.Confirmed || res.Status == solvers.Cancelled {
			t.Errorf("a limit of %d %s: %+v", least, kind, res)
		}
		if h, ok := p.(problems.Referenced); ok && s.X0 != nil { // a step is more than a start point
			if f, err := problems.Eval(h, s.X0[0]); err != nil || !(res.F < f) {
				t.Errorf("a limit of %d %s: a value of %v, and %v at the start point, %v", least, kind, res.F, f, err)
			}
		}
	}
}
