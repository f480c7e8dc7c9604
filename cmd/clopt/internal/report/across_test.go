package report

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/clopt/clopt/internal/solvers/runs/exact"
	"github.com/clopt/clopt/internal/solvers/runs/record"
	"github.com/clopt/clopt/solvers"
)

// oneRun returns the record of a run outside a campaign.
func oneRun(problem, method string, dim int, f float64, evaluations int64, stop string) Record {
	return NewRecord(&record.Result{
		Task: record.Task{Problem: problem, Sense: record.Minimize, Algorithm: record.Algorithm{Name: method}},
		Dim:  dim, Best: record.Best{F: exact.Number(f)}, Effort: record.Effort{Evaluations: evaluations},
		Ending: record.Ending{Stop: record.Stop{Reason: stop}}})
}

// Tables of other methods are pools of their own, so that they do not take the problems from a test.
func TestPools(t *testing.T) {
	var all []Record
	for i := range 5 {
		for _, method := range []string{"masw", "random"} {
			all = append(all, oneRun(fmt.Sprintf("cec2013/f%d", i+1), method, 1000+i, 1, 9, "evals"))
		}
		for _, method := range []string{"mixing", "gomea"} {
			all = append(all, oneRun(fmt.Sprintf("maxcut:tile=8x8,p=0.5,seed=%d", i), method, 64, 1, 9, "evals"))
		}
	}
	var got []string
	for _, a := range AcrossProblems(GraphsTogether(all), nil) {
		got = append(got, fmt.Sprint(a.Title, " ", a.methods, " ", a.Problems))
	}
	if want := []string{"all problems [masw random] 5", "maxcut [gomea mixing] 5"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

// Where runs met a target, methods are compared by the expected evaluations, and one without a hit is the last. A value
// that is not a number is worse than any other.
func TestScores(t *testing.T) {
	var all []Record
	met := solvers.Target.String()
	for i := range 5 {
		problem := fmt.Sprintf("cec2013/f%d", i+1)
		all = append(all, oneRun(problem, "a", 9, 2, 100, met), oneRun(problem, "b", 9, 1, 300, met),
			oneRun(problem, "c", 9, 3, 50, "evals"))
	}
	across := AcrossProblems(all, nil)
	if len(across) != 1 || across[0].Wilcoxon != nil || fmt.Sprint(across[0].Friedman.Ranks) != "[1 2 3]" ||
		across[0].Compared != "medians, or expected evaluations where there are hits," {
		t.Errorf("%+v", across)
	}
	for i := range all {
		all[i].Result.Stop.Reason = "evals"
		if all[i].Label == "b" {
			all[i].Result.Best.F = exact.Number(math.NaN())
		}
	}
	across = AcrossProblems(all, nil)
	if w := across[0].Wilcoxon; len(w) != 3 || fmt.Sprint(across[0].Friedman.Ranks) != "[1 3 2]" || w[0].Plus != 15 ||
		w[0].Minus != 0 {
		t.Errorf("%+v", across[0])
	}
}
