package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/clopt/clopt/cmd/clopt/internal/campaign"
	"github.com/clopt/clopt/cmd/clopt/internal/exit"
	"github.com/clopt/clopt/cmd/clopt/internal/flags"
	"github.com/clopt/clopt/cmd/clopt/internal/job"
	"github.com/clopt/clopt/problems"
	"github.com/clopt/clopt/problems/catalog"
	"github.com/clopt/clopt/solvers/methods"
	"github.com/clopt/clopt/solvers/runs"
)

// describeOptions are the flags of "clopt describe".
var describeOptions = []flags.Option{
	{Group: "what", Name: "dim", Short: "n", Arg: "N", Usual: true, NoEnv: true,
		Help: "number of variables of an objective; default: the one in its file"},
	{Group: "what", Name: "bounds", Arg: "LO,HI|FILE", NoEnv: true, Help: "bounds of an objective, as in clopt run"},
}

func describeCommand(call *job.Call) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "describe NAME",
		Short: "Show parameters, defaults and references of a problem, a solver or a suite, or what a file says",
		Args:  flags.OneArg("NAME"), ValidArgsFunction: flags.CompleteName,
		RunE: func(cmd *cobra.Command, args []string) error {
			opt := flags.ReadProblemOptions(flags.New(describeOptions, cmd.Flags(), call.Getenv, nil))
			if name, err := flags.SolverName(args[0]); name == "auto" {
				fmt.Fprintf(call.Stdout, "auto: %s\n", methods.AutoSummary)
				return nil
			} else if err == nil {
				text, err := methods.Describe(name)
				if err != nil {
					return err
				}
				fmt.Fprintln(call.Stdout, strings.TrimRight(text, "\n"))
				return nil
			}
			text, err := catalog.Describe(args[0])
			if err == nil {
				fmt.Fprintln(call.Stdout, strings.TrimRight(text, "\n"))
				return nil
			}
			if s, err := catalog.Spec(args[0]); err == nil && flags.IsGraph(s) {
				return describeGraph(call, args[0])
			} else if err == nil && s.File {
				return describeObjective(call, args[0], opt)
			}
			if slices.Contains(campaign.Names(), strings.ToLower(args[0])) {
				return campaign.Describe(call.Stdout, args[0])
			}
			names := slices.Concat(flags.SolverNames(), flags.ProblemNames(), campaign.Names())
			return flags.Unknown("problem, solver or suite", args[0], names,
				"clopt list problems|solvers|suites shows the names.")
		},
	}
	flags.SetOptions(call.Stdout, cmd, describeOptions)
	return cmd
}

// describeObjective prints what an objective file says.
func describeObjective(call *job.Call, spec string, opt problems.Options) error {
	p, err := flags.ParseProblem(spec, opt, problems.FP64, false)
	if err != nil {
		return err
	}
	return printObjective(call.Stdout, p)
}

// describeGraph prints the properties of a graph problem.
func describeGraph(call *job.Call, spec string) error {
	p, err := catalog.Parse(spec, problems.Options{})
	if err != nil {
		return exit.With(exit.Usage, err)
	}
	cut, ok := p.(problems.Cut)
	if !ok {
		return exit.Usagef("%s is not a graph", spec)
	}
	g := cut.Graph()
	fmt.Fprintf(call.Stdout, "%s\n  variables  %d\n  edges      %d", p.Spec(), p.Domain().N, g.M())
	if g.N() > p.Domain().N {
		fmt.Fprintf(call.Stdout, " (with those of the root, which stands for the linear terms)")
	}
	fmt.Fprintln(call.Stdout)
	if g.M() > 0 {
		lo, hi := g.Weights[0], g.Weights[0]
		most, isolated := 0, 0
		for v := range g.N() {
			d := g.Offsets[v+1] - g.Offsets[v]
			most = max(most, d)
			if d == 0 {
				isolated++
			}
		}
		for _, w := range g.Weights {
			lo, hi = min(lo, w), max(hi, w)
		}
		fmt.Fprintf(call.Stdout, "  weights    %v to %v\n", g.Scale(lo), g.Scale(hi))
		fmt.Fprintf(call.Stdout, "  degree     %.4g on average, at most %d; %d isolated vertices\n",
			2*float64(g.M())/float64(g.N()), most, isolated)
	}
	if f, ok := p.Info().BestKnown(); ok {
		fmt.Fprintf(call.Stdout, "  best known %s\n", runs.FormatValue(p.Info().Sign()*f))
	}
	for _, note := range p.Info().Notes {
		fmt.Fprintf(call.Stdout, "  note       %s\n", note)
	}
	return nil
}
