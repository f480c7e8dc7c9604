package report

import (
	"context"
	"fmt"
	"slices"
	"strconv"

	"github.com/clopt/clopt/cl"
	"github.com/clopt/clopt/cmd/clopt/internal/status"
	"github.com/clopt/clopt/internal/solvers/bench"
	"github.com/clopt/clopt/problems"
)

// Tested is the result of the self-test on a device. Its fields are those of --json.
type Tested struct {
	Device   int            `json:"device"`
	Name     string         `json:"name"`
	Families []TestedFamily `json:"families"`
	Failed   []FailedCheck  `json:"failed"`
}

// TestedFamily counts the checks of a family of problems, of the draws or of the sums.
type TestedFamily struct {
	Family string `json:"family"`
	Checks int    `json:"checks"`
	Passed int    `json:"passed"`
}

// FailedCheck is a check that failed.
type FailedCheck struct {
	Check string `json:"check"`
	Error string `json:"error"`
}

// SelfTest tests a device with some problems.
func SelfTest(ctx context.Context, info cl.Info, ps []problems.Problem) Tested {
	t := Tested{Device: info.Index, Name: info.Name, Families: []TestedFamily{}, Failed: []FailedCheck{}}
	d, err := cl.Open(info)
	if err != nil {
		t.Failed = append(t.Failed, FailedCheck{"open", err.Error()})
		return t
	}
	defer d.Close()
	bench.SelfTest(ctx, d, ps, func(family, check string, err error) {
		at := slices.IndexFunc(t.Families, func(f TestedFamily) bool { return f.Family == family })
		if at < 0 {
			at = len(t.Families)
			t.Families = append(t.Families, TestedFamily{Family: family})
		}
		t.Families[at].Checks++
		if err == nil {
			t.Families[at].Passed++
			return
		}
		t.Failed = append(t.Failed, FailedCheck{check, err.Error()})
	})
	return t
}

// PrintTested prints a row for each device, with the number of passed checks of each family, and then what failed.
func PrintTested(out *status.Output, devices []Tested) {
	var columns []string
	for _, d := range devices {
		for _, f := range d.Families {
			if !slices.Contains(columns, f.Family) {
				columns = append(columns, f.Family)
			}
		}
	}
	t := status.Table{Rows: [][]string{append([]string{"device", "name"}, columns...)}, Names: 1}
	for _, d := range devices {
		row := []string{strconv.Itoa(d.Device), d.Name}
		for _, name := range columns {
			at := slices.IndexFunc(d.Families, func(f TestedFamily) bool { return f.Family == name })
			switch {
			case at < 0:
				row = append(row, "-")
			case d.Families[at].Passed == d.Families[at].Checks:
				row = append(row, fmt.Sprintf("%d passed", d.Families[at].Checks))
			default:
				row = append(row, fmt.Sprintf("%d of %d FAILED", d.Families[at].Checks-d.Families[at].Passed,
					d.Families[at].Checks))
			}
		}
		t.Rows = append(t.Rows, row)
	}
	t.Print(out)
	for _, d := range devices {
		for _, f := range d.Failed {
			out.Show(fmt.Sprintf("device %d (%s): FAILED %s: %s", d.Device, d.Name, f.Check, f.Error))
		}
	}
}
