package report

import (
	"strings"
	"testing"

	"github.com/clopt/clopt/internal/solvers/runs/record"
)

// ofCampaign returns the record of a run of a cell with 1000 variables and a limit of evaluations.
func ofCampaign(problem string, evals int64, cell record.Cell) Record {
	cell.Suite = "cano2016"
	return NewRecord(&record.Result{
		Task: record.Task{Problem: problem, Sense: record.Minimize, Algorithm: record.Algorithm{Name: "masw"}},
		Dim:  1000, Cell: &cell, Ending: record.Ending{Limits: record.Limits{Evaluations: evals}}})
}

// A table of a campaign says which limit its runs had, unless they differ.
func TestLimitOfTable(t *testing.T) {
	var all []Record
	for _, c := range []struct {
		table string
		evals int64
	}{{"I", 3000}, {"I", 3000}, {"II", 3000}, {"II", 500}} {
		all = append(all, ofCampaign("cec2013/f1:n=1000", c.evals, record.Cell{Table: c.table}))
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
