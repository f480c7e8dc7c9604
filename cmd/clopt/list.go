package main

import (
	"encoding/json"
	"fmt"
	"io"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/clopt/clopt/cmd/clopt/internal/campaign"
	"github.com/clopt/clopt/cmd/clopt/internal/flags"
	"github.com/clopt/clopt/cmd/clopt/internal/job"
	"github.com/clopt/clopt/problems"
	"github.com/clopt/clopt/problems/catalog"
)

// listed is an entry of a list. Its fields are those of --json; those of other kinds are absent.
type listed struct {
	Name      string   `json:"name"`
	Title     string   `json:"title"`
	Variables int      `json:"variables,omitempty"` // of a problem, by default; 0: as many as its file says
	Lo        *float64 `json:"lo,omitempty"`        // bounds of a problem
	Hi        *float64 `json:"hi,omitempty"`
	Reference string   `json:"reference,omitempty"` // of a suite
}

// row returns the columns of the entry in the text of the list.
func (l listed) row(kind string) string {
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

// lists are the lists that there are.
var lists = map[string]func() ([]listed, error){"problems": listProblems, "solvers": listSolvers, "suites": listSuites}

func listCommand(call *job.Call) *cobra.Command {
	kinds := []string{"problems", "solvers", "suites"}
	var asJSON bool
	cmd := &cobra.Command{
		Use:       "list problems|solvers|suites [--json]",
		Short:     "List the problems, methods or built-in suites",
		Args:      flags.OneArg("kind (problems, solvers or suites)"),
		ValidArgs: kinds,
		RunE: func(_ *cobra.Command, args []string) error {
			list, ok := lists[args[0]]
			if !ok {
				return flags.Unknown("kind", args[0], kinds, "")
			}
			all, err := list()
			if err != nil {
				return err
			}
			if asJSON {
				return json.NewEncoder(call.Stdout).Encode(map[string]any{args[0]: all})
			}
			printList(call.Stdout, args[0], all)
			return nil
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return cmd
}

func printList(out io.Writer, kind string, all []listed) {
	t := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	for _, l := range all {
		fmt.Fprintln(t, l.row(kind))
	}
	t.Flush()
}

func listProblems() (all []listed, err error) {
	for _, e := range catalog.List() {
		all = append(all, listed{Name: e.Name, Title: e.Title, Variables: e.Dim, Lo: new(e.Lo), Hi: new(e.Hi)})
	}
	for _, f := range catalog.Families() {
		if f.Files && f.Name != problems.OpenCL {
			all = append(all, listed{Name: f.Name + ":FILE", Title: f.Title})
		}
	}
	return all, nil
}

func listSolvers() (all []listed, err error) {
	for _, name := range flags.SolverNames() {
		all = append(all, listed{Name: name, Title: flags.SolverSummary(name)})
	}
	return all, nil
}

func listSuites() (all []listed, err error) {
	for _, name := range campaign.Names() {
		c, err := campaign.Open(name)
		if err != nil {
			return nil, err
		}
		all = append(all, listed{Name: name, Title: c.Title, Reference: c.Reference})
	}
	return all, nil
}
