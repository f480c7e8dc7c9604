package report

import (
	"fmt"
	"slices"
	"testing"

	"github.com/clopt/clopt/internal/solvers/runs/record"
)

// Methods of several tables of a campaign are compared on the problems that these have with equal limits.
func TestMergeTables(t *testing.T) {
	var all []Record
	for _, c := range []struct {
		table, problem, label string
		evals                 int64
		view                  *record.View
	}{
		{"I", "cec2013/f1:n=1000", "masw", 3000, nil},
		{"I", "cec2013/f2:n=1000", "masw", 3000, nil}, // no other table has it
		{"I-alpha", "cec2013/f1:n=1000", "masw", 3000, nil},
		{"I-mates", "cec2013/f1:n=1000", "random mates", 3000, nil},
		{"I-sequential", "cec2013/f1:n=1000", "masw-seq", 30, nil}, // another limit
		{"II", "cec2013/f1:n=2000", "masw", 3000, nil},
		{"speed", "cec2013/f1:n=1000", "masw", 3000, &record.View{Show: []string{"evals/s"}}},
	} {
		all = append(all, ofCampaign(c.problem, c.evals, record.Cell{Table: c.table, Label: c.label, View: c.view}))
		if c.table == "II" {
			all[len(all)-1].Key.Dim = 2000
		}
	}
	var got []string
	for _, g := range Groups(MergeTables(all)) {
		got = append(got, fmt.Sprintf("%s|%s|%s|%d", TitleOf(g.Key), g.Row, g.Label, len(g.Runs)))
	}
	const title = "cano2016, table I, I-alpha, I-mates, cec2013, n=1000, limit 3000 evaluations|f1|"
	want := []string{title + "masw, table I|1", title + "masw, table I-alpha|1", title + "random mates|1"}
	if !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
}
