package report

import (
	"os"
	"strings"
	"testing"

	"github.com/clopt/clopt/cmd/clopt/internal/status"
	"github.com/clopt/clopt/internal/solvers/runs/exact"
	"github.com/clopt/clopt/internal/solvers/runs/record"
)

// Graphs are rows of one table, with all digits of their cuts and with the folders that make their names different. A
// target that no run has met has a line, too.
func TestGraphs(t *testing.T) {
	var all []Record
	target := exact.Number(7975)
	for _, problem := range []string{"maxcut:/d/setA/i0.txt", "maxcut:/d/setB/i0.txt", "maxcut:/e/G10.txt",
		"maxcut:tile=8x8,p=0.5"} {
		for range 2 {
			all = append(all, NewRecord(&record.Result{
				Task: record.Task{Problem: problem, Sense: record.Maximize,
					Algorithm: record.Algorithm{Name: "mixing"}},
				Dim: len(all), Best: record.Best{F: 7974},
				Ending: record.Ending{Limits: record.Limits{Seconds: 20, Target: &target}}}))
		}
	}
	var b strings.Builder
	none := func(string) []SuiteTable { return nil }
	r := &Reporter{Out: status.NewOutput(&b, os.Getenv), Format: "text", Suite: none}
	if err := r.Show(all, nil); err != nil {
		t.Fatal(err)
	}
	got := strings.Join(strings.Fields(b.String()), " ")
	for _, want := range []string{"maxcut, limit 20 s", "e/G10.txt 7974 0 7974 2", "setA/i0.txt 7974 0 7974 2",
		"setB/i0.txt 7974 0 7974 2", "tile=8x8,p=0.5 7974 0 7974 2",
		"setB/i0.txt, limit 20 s mixing 0/2 - - [-, -]"} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q in\n%s", want, b.String())
		}
	}
}
