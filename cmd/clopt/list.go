package main

import (
	"fmt"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/clopt/clopt/cmd/clopt/internal/campaign"
	"github.com/clopt/clopt/cmd/clopt/internal/flags"
	"github.com/clopt/clopt/cmd/clopt/internal/job"
	"github.com/clopt/clopt/problems"
	"github.com/clopt/clopt/problems/catalog"
)

func listCommand(call *job.Call) *cobra.Command {
	kinds := []string{"problems", "solvers", "suites"}
	return &cobra.Command{
		Use:       "list problems|solvers|suites",
		Short:     "List the problems, methods or built-in suites",
		Args:      flags.OneArg("kind (problems, solvers or suites)"),
		ValidArgs: kinds,
		RunE: func(_ *cobra.Command, args []string) error {
			t := tabwriter.NewWriter(call.Stdout, 0, 0, 2, ' ', 0)
			defer t.Flush()
			switch args[0] {
			case "problems":
				for _, e := range catalog.List() {
					fmt.Fprintf(t, "%s\tn=%d\t[%g, %g]\t%s\n", e.Name, e.Dim, e.Lo, e.Hi, e.Title)
				}
				for _, f := range catalog.Families() {
					if f.Files && f.Name != problems.OpenCL {
						fmt.Fprintf(t, "%s:FILE\tof FILE\t{0, 1}\t%s\n", f.Name, f.Title)
					}
				}
			case "solvers":
				for _, name := range flags.SolverNames() {
					fmt.Fprintf(t, "%s\t%s\n", name, flags.SolverSummary(name))
				}
			case "suites":
				for _, name := range campaign.Names() {
					c, err := campaign.Open(name)
					if err != nil {
						return err
					}
					fmt.Fprintf(t, "%s\t%s\t%s\n", name, c.Title, c.Reference)
				}
			default:
				return flags.Unknown("kind", args[0], kinds, "")
			}
			return nil
		},
	}
}
