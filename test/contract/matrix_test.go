package contract

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/clopt/clopt/problems"
	"github.com/clopt/clopt/shard"
	"github.com/clopt/clopt/solvers"
	"github.com/clopt/clopt/solvers/methods"
	"github.com/clopt/clopt/test/solvertest"
)

var (
	update = flag.Bool("update", false, "write docs/matrix.md")
	full   = flag.Bool("full", false, "make short runs for every cell of the matrix that says yes")
)

// matrixMethods are the rows of the matrix.
var matrixMethods = []struct {
	row, name string
	set       map[string]string
}{
	{"masw", "masw", map[string]string{"population": "8"}},
	{"graybox", "graybox", nil},
	{"masw-seq", "masw-seq", map[string]string{"population": "8", "iterations": "20"}},
	{"random", "random", nil},
	{"sa, chains", "sa", map[string]string{"variant": "v2", "chains": "64", "N": "20", "rho": "0.5"}},
	{"sa, sweeps", "sa", map[string]string{"variant": "sweeps", "N": "2", "rho": "0.5"}},
	{"cgrasp", "cgrasp", map[string]string{"starts": "2", "nodes": "8"}},
	{"lbfgs", "lbfgs", nil},
	{"cmaes", "cmaes", nil},
	{"relay", "relay", nil},
	{"lm", "lm", nil},
	{"gomea", "gomea", map[string]string{"variant": "serial"}},
	{"mixing", "mixing", map[string]string{"population": "8", "sweeps": "5"}},
}

// matrixProblems are the columns of the matrix. If text is not "", the problem is an objective file with this text.
var matrixProblems = []struct{ column, spec, text string }{
	{"separable", "classic/rastrigin:n=20", ""},
	{"windows", "classic/rosenbrock:n=20", ""},
	{"repeated lists", "cec2013/f4:n=2000", ""},
	{"lists", "lists.cl", "//@ reads lists lists.txt\n"},
	{"everything", "whole.cl", "//@ reads whole\n"},
	{"squares", "squares.cl", "//@ reads k..k+1\n//@ components n-1\n//@ squares 2\n"},
	{"g not linear", "classic/griewank:n=20", ""},
	{"binary", "qubo:bits.qubo", ""},
	{"cut", "maxcut:torus=4x4,weights=pm1", ""},
	{"boxed by variable", "classic/six_hump", ""},
	{"function of the host", "function", ""},
}

// matrixIntroduction is the text above the matrix.
const matrixIntroduction = "" +
	"A cell says yes, or names the property that the problem lacks for the method. The first five\n" +
	"columns say what a component reads: one variable, neighbours, a list that is the same in every\n" +
	"tile, a list of its own, or any variable. The others are sums of squares, a value that is not\n" +
	"linear in its sums, variables 0 and 1 (QUBO and Ising problems), cuts of graphs, an interval for\n" +
	"each variable, and values that a program or a function in Go gives ([functions](functions.md)).\n" +
	"`annealgraph` takes what `gomea` takes.\n"

// matrixProblem returns the problem of a column. It writes the files of the column to dir.
func matrixProblem(t *testing.T, dir, spec, text string) problems.Problem {
	t.Helper()
	if spec != "function" {
		return solvertest.ParseProblem(t, matrixSpec(t, dir, spec, text))
	}
	return problems.NewFunction(problems.Spec{Family: spec}, problems.Info{}, problems.Cube(5, -3, 4),
		func(_ context.Context, points [][]float64) (values []float64, err error) {
			for _, x := range points {
				f := 0.0
				for _, v := range x {
					f += (v - 0.1) * (v - 0.1)
				}
				values = append(values, f)
			}
			return values, nil
		})
}

// matrixSpec returns the spec of a column. It writes the files of the column to dir.
func matrixSpec(t *testing.T, dir string, spec, text string) string {
	t.Helper()
	write := func(name, text string) {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	switch {
	case text != "":
		write("lists.txt", strings.Repeat("0 3\n1 7\n2 5 9\n", 6)+"4 6 8\n8 9\n")
		write(spec, "//@ bounds -3 4\n//@ n 20\n"+text+
			"static void component(uint k, point x, data d, real *acc) { acc[0] -= cos(at(x, k % 10u) - R(0.1)); }\n")
		if strings.HasPrefix(spec, "lists") {
			write(spec, "//@ bounds -3 4\n//@ n 20\n"+text+
				"static void component(uint k, point x, data d, real *acc)\n"+
				"{ acc[0] += 1 - cos(at(x, d.reads[d.reads_start[k]]) - R(0.1)); }\n")
		}
		if strings.HasPrefix(spec, "squares") {
			write(spec, "//@ bounds -3 4\n//@ n 20\n"+text+
				"static void residuals(uint k, point x, data d, real *r)\n"+
				"{ r[0] = at(x, k) * at(x, k) - at(x, k + 1); r[1] = at(x, k) - R(0.1); }\n")
		}
		return filepath.Join(dir, spec)
	case strings.HasPrefix(spec, "qubo:"):
		write("bits.qubo", "p qubo 0 4 2 3\n0 0 -3\n1 1 2\n0 1 1\n1 2 -2\n2 3 4\n")
		return "qubo:" + filepath.Join(dir, "bits.qubo")
	}
	return spec
}

// cell returns "yes" if m takes p, or else the missing property.
func cell(t *testing.T, m solvers.Solver, p problems.Problem) string {
	t.Helper()
	err := solvers.Suits(m, p, problems.FP64)
	if err == nil {
		return "yes"
	}
	if _, ok := errors.AsType[*solvers.SettingError](err); !ok {
		t.Errorf("%s refuses %s with an error of type %T, want *solvers.SettingError", m.Traits().Name, p.Spec(), err)
	}
	missing := methods.Missing(m, p, problems.FP64)
	if missing == err.Error() {
		t.Errorf("%s refuses %s without naming a property: %v", m.Traits().Name, p.Spec(), err)
	}
	return missing
}

// Every method takes every problem for which it is defined, and a refusal names the missing property. The test compares
// this with docs/matrix.md.
func TestMatrix(t *testing.T) {
	const page = "../../docs/matrix.md"
	dir := t.TempDir()
	var b strings.Builder
	b.WriteString("# Which method takes which problem\n\n" + matrixIntroduction + "\n| method |")
	for _, c := range matrixProblems {
		fmt.Fprintf(&b, " %s |", c.column)
	}
	b.WriteString("\n|" + strings.Repeat("---|", len(matrixProblems)+1) + "\n")
	var ps []problems.Problem
	for _, c := range matrixProblems {
		ps = append(ps, matrixProblem(t, dir, c.spec, c.text))
	}
	g := solvertest.OpenDevices(t, 1, shard.Options{})
	for i, row := range matrixMethods {
		fmt.Fprintf(&b, "| %s |", row.row)
		for k, p := range ps {
			m, err := methods.New(row.name, row.set)
			if err != nil {
				t.Fatal(err)
			}
			says := cell(t, m, p)
			fmt.Fprintf(&b, " %s |", says)
			if says != "yes" {
				continue
			}
			switch {
			case *full:
				t.Run(row.row+" on "+matrixProblems[k].column, func(t *testing.T) {
					startsHold(t, g, m, p, problems.FP64, tinyEvaluations(p))
				})
			case (i == 1 || i == 2 || i == 5 || i == 6) && k == 0, problems.CallOf(p) != nil:
				tinyRun(t, g, row.row, m, p)
			}
		}
		b.WriteString("\n")
	}
	b.WriteString("\nThe table is written by `go test ./test/contract -run TestMatrix -update`, and compared by " +
		"every test.\n")
	if *update {
		if err := os.WriteFile(page, []byte(b.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if want, err := os.ReadFile(page); err != nil || string(want) != b.String() {
		t.Errorf("docs/matrix.md differs (%v); want:\n%s", err, b.String())
	}
}

// tinyEvaluations limits a short run.
func tinyEvaluations(p problems.Problem) int64 { return max(3000, 30*int64(p.Domain().N)) }

// tinyRun makes a short run and checks that its point is confirmed.
func tinyRun(t *testing.T, g *shard.Devices, row string, m solvers.Solver, p problems.Problem) {
	t.Helper()
	s := solvers.Settings{Budget: solvers.Budget{Evaluations: tinyEvaluations(p)}}
	r, err := solvers.Minimize(context.Background(), p, g, s, m)
	if err != nil || !r.Confirmed || r.Evaluations == 0 {
		t.Errorf("%s on %s: %+v, %v", row, p.Spec(), r, err)
	}
}
