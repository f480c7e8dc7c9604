package main

import (
	"fmt"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/clopt/clopt/problems"
	"github.com/clopt/clopt/problems/catalog"
	"github.com/clopt/clopt/solvers/methods"
)

func (a *app) listCommand() *cobra.Command {
	kinds := []string{"problems", "solvers", "suites"}
	return &cobra.Command{
		Use:       "list problems|solvers|suites",
		Short:     "Show what exists",
		Args:      oneArg("kind: problems, solvers or suites"),
		ValidArgs: kinds,
		RunE: func(_ *cobra.Command, args []string) error {
			t := tabwriter.NewWriter(a.stdout, 0, 0, 2, ' ', 0)
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
				for _, name := range solverNames() {
					fmt.Fprintf(t, "%s\t%s\n", name, solverSummary(name))
				}
			case "suites":
				for _, name := range suiteNames() {
					c, err := openCampaign(name)
					if err != nil {
						return err
					}
					fmt.Fprintf(t, "%s\t%s\t%s\n", name, c.Title, c.Reference)
				}
			default:
				return unknown("kind", args[0], kinds, "Use problems, solvers or suites.")
			}
			return nil
		},
	}
}

// solverNames are the names that --solver takes.
func solverNames() []string { return append([]string{"auto"}, methods.Names()...) }

// solverName is a name in lower case, if --solver takes it.
func solverName(name string) (string, error) {
	name = strings.ToLower(name)
	if !slices.Contains(solverNames(), name) {
		return "", unknown("solver", name, solverNames(), "There are "+strings.Join(solverNames(), ", ")+".")
	}
	return name, nil
}

// solverSummary is the first sentence of a method's description.
func solverSummary(name string) string {
	if name == "auto" {
		return methods.AutoSummary
	}
	text, err := methods.Describe(name)
	if err != nil {
		return ""
	}
	about, _, _ := strings.Cut(strings.TrimPrefix(text, name+":"), "\n\n")
	const others, joined = "et al. ", "et al.\u00a0" // no end of a sentence
	sentence, _, _ := strings.Cut(strings.ReplaceAll(strings.Join(strings.Fields(about), " "), others, joined), ". ")
	return strings.ReplaceAll(sentence, joined, others)
}

func (a *app) describeCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "describe NAME",
		Short: "Show parameters, defaults and references of a problem, a solver or a suite",
		Args:  oneArg("NAME"), ValidArgsFunction: completeName,
		RunE: func(_ *cobra.Command, args []string) error {
			if name, err := solverName(args[0]); name == "auto" {
				fmt.Fprintf(a.stdout, "auto: %s\n", methods.AutoSummary)
				return nil
			} else if err == nil {
				text, err := methods.Describe(name)
				if err != nil {
					return err
				}
				fmt.Fprintln(a.stdout, strings.TrimRight(text, "\n"))
				return nil
			}
			text, err := catalog.Describe(args[0])
			if err == nil {
				fmt.Fprintln(a.stdout, strings.TrimRight(text, "\n"))
				return nil
			}
			if s, err := catalog.Spec(args[0]); err == nil && isGraph(s) {
				return a.describeGraph(args[0])
			}
			if slices.Contains(suiteNames(), strings.ToLower(args[0])) {
				return a.describeSuite(args[0])
			}
			names := slices.Concat(solverNames(), problemNames(), suiteNames())
			return unknown("problem, solver or suite", args[0], names, "clopt list problems|solvers|suites shows the names.")
		},
	}
}
