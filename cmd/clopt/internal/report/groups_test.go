package report

import (
	"strings"
	"testing"

	"github.com/clopt/clopt/solvers/runs/record"
)

// A table of a campaign says which limit its runs had, unless they differ.
func TestLimitOfTable(t *testing.T) {
	var all []Record
	for _, c := range []struct {
		table string
		evals int64
	}{{"I", 3000}, {"I", 3000}, {"II", 3000}, {"II", 500}} {
		all = append(all, NewRecord(&record.Result{
			Task: record.Task{Problem: "cec2013/f1:n=1000", Sense: record.Minimize,
				Algorithm: record.Algorithm{Name: "masw"}},
			Dim: 1000, Cell: &record.Cell{Suite: "cano2016", Table: c.table},
			Ending: record.Ending{Limits: record.Limits{Evaluations: c.evals}}}))
	}
	groups := Groups(all)
	if len(groups) != 2 {
		t.Fatal(len(groups))
	}
	for i, want := range []string{"limit 3000 evaluations", ""} {
		got := TitleOf(groups[i].Key)
		if !strings.HasSuffix(got, want) || want == "" && strings.Contains(got, "limit") {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
