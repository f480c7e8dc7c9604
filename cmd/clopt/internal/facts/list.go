package facts

import (
	"fmt"

	"github.com/clopt/clopt/cmd/clopt/internal/campaign"
	"github.com/clopt/clopt/cmd/clopt/internal/flags"
	"github.com/clopt/clopt/cmd/clopt/internal/status"
	"github.com/clopt/clopt/problems"
	"github.com/clopt/clopt/problems/catalog"
)

// Listed is an entry of a list. Its fields are those of --json; those of other kinds are absent.
type Listed struct {
	Name      string   `json:"name"`
	Title     string   `json:"title"`
	Variables int      `json:"variables,omitempty"` // of a problem, by default; 0: as many as its file says
	Lo        *float64 `json:"lo,omitempty"`        // bounds of a problem
	Hi        *float64 `json:"hi,omitempty"`
	Reference string   `json:"reference,omitempty"` // of a suite
}

// row returns the columns of the entry in the text of the list.
func (l Listed) row(kind string) []string {
	switch {
	case kind == "suites":
		return []string{l.Name, l.Title, l.Reference}
	case kind == "problems" && l.Lo == nil:
		return []string{l.Name, "of FILE", "{0, 1}", l.Title}
	case kind == "problems":
		return []string{l.Name, fmt.Sprintf("n=%d", l.Variables), fmt.Sprintf("[%.6g, %.6g]", *l.Lo, *l.Hi), l.Title}
	}
	return []string{l.Name, l.Title}
}

// Lists returns the entries of each kind. Methods are called solvers, too, as in the flag --solver.
var Lists = map[string]func() ([]Listed, error){
	"problems": listProblems, "methods": listSolvers, "solvers": listSolvers, "suites": listSuites}

// PrintList writes the list of a kind as a table.
func PrintList(out *status.Output, kind string, all []Listed) {
	t := status.Table{Names: 1}
	for _, l := range all {
		t.Rows = append(t.Rows, l.row(kind))
	}
	t.Print(out)
}

func listProblems() (all []Listed, err error) {
	for _, e := range catalog.List() {
		all = append(all, Listed{Name: e.Name, Title: e.Title, Variables: e.Dim, Lo: new(e.Lo), Hi: new(e.Hi)})
	}
	for _, f := range catalog.Families() {
		if f.Files && f.Name != problems.OpenCL {
			all = append(all, Listed{Name: f.Name + ":FILE", Title: f.Title})
		}
	}
	return all, nil
}

func listSolvers() (all []Listed, err error) {
	for _, name := range flags.SolverNames() {
		all = append(all, Listed{Name: name, Title: flags.SolverSummary(name)})
	}
	return all, nil
}

func listSuites() (all []Listed, err error) {
	for _, name := range campaign.Names() {
		c, err := campaign.Open(name)
		if err != nil {
			return nil, err
		}
		all = append(all, Listed{Name: name, Title: c.Title, Reference: c.Reference})
	}
	return all, nil
}
