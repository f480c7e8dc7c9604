package facts

import (
	"fmt"
	"io"
	"text/tabwriter"

	"github.com/clopt/clopt/cmd/clopt/internal/campaign"
	"github.com/clopt/clopt/cmd/clopt/internal/flags"
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
func (l Listed) row(kind string) string {
	switch {
	case kind == "suites":
		return fmt.Sprintf("%s\t%s\t%s", l.Name, l.Title, l.Reference)
	case kind == "problems" && l.Lo == nil:
		return fmt.Sprintf("%s\tof FILE\t{0, 1}\t%s", l.Name, l.Title)
	case kind == "problems":
		return fmt.Sprintf("%s\tn=%d\t[%g, %g]\t%s", l.Name, l.Variables, *l.Lo, *l.Hi, l.Title)
	}
	return fmt.Sprintf("%s\t%s", l.Name, l.Title)
}

// Lists returns the entries of each kind.
var Lists = map[string]func() ([]Listed, error){"problems": listProblems, "solvers": listSolvers, "suites": listSuites}

// PrintList writes the list of a kind as a table.
func PrintList(out io.Writer, kind string, all []Listed) {
	t := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	for _, l := range all {
		fmt.Fprintln(t, l.row(kind))
	}
	t.Flush()
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
