package main

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/clopt/clopt/cmd/clopt/internal/exit"
	"github.com/clopt/clopt/cmd/clopt/internal/flags"
	"github.com/clopt/clopt/cmd/clopt/internal/job"
	"github.com/clopt/clopt/cmd/clopt/internal/report"
	"github.com/clopt/clopt/cmd/clopt/internal/report/plot"
	"github.com/clopt/clopt/internal/problems/input"
)

func plotCommand(call *job.Call) *cobra.Command {
	var kind, out, by, paper string
	var raw bool
	cmd := &cobra.Command{
		Use:   "plot RUN... [flags]",
		Short: "Draw convergence, targets met, speed-up, throughput or scaling as svg",
		Long: "Draw the results in the folders RUN and below, with a panel per problem:\n" +
			"  convergence  median of the best values over evaluations, with a band between the quartiles of " +
			"the runs\n" +
			"  speedup      speed over the number of devices, relative to the fewest\n" +
			"  throughput   variable evaluations per second over the number of variables; also from files of " +
			"clopt bench --json\n" +
			"  scaling      seconds to the target over the number of variables, with a band between the quartiles\n" +
			"  ratio        how many times faster than the baselines of a campaign, over the number of variables\n" +
			"  ttt          share of the runs that have met the target over the seconds, with an exponential fit\n" +
			"  ecdf         share of 51 targets of each problem that the runs have met, over evaluations or time\n" +
			"  fixed-target expected evaluations or time to each target: those of all runs, divided by the runs\n" +
			"               that met it; a mark shows where runs begin to miss it, and a line ends where all do\n" +
			"With -o FILE.jsonl the numbers of the picture are written: a line for each panel. Such a file takes\n" +
			"the place of run folders, so that a picture can be drawn again without them.",
		Args: flags.SomeArgs("give run folders to draw"), ValidArgsFunction: flags.CompleteRuns,
		RunE: func(_ *cobra.Command, args []string) error { return drawResults(call, args, kind, by, out, paper, raw) },
	}
	f := cmd.Flags()
	f.StringVar(&kind, "kind", plot.Kinds[0], strings.Join(plot.Kinds, ", "))
	f.StringVarP(&out, "out", "o", "", "FILE.svg or FILE.jsonl (default: KIND.svg)")
	f.StringVar(&by, "by", "evaluations", "axis of convergence, ecdf and fixed-target: evaluations, work or time")
	f.BoolVar(&raw, "raw", false, "draw the values, not their distance from a known optimum")
	f.StringVar(&paper, "paper", "", "add the published means of a paper to convergence: "+
		strings.Join(report.PaperNames(), ", "))
	flags.CompleteWords(cmd, "paper", report.PaperNames()...)
	flags.CompleteWords(cmd, "kind", plot.Kinds...)
	flags.CompleteWords(cmd, "by", plot.Axes...)
	watchable(call, cmd, false)
	return cmd
}

func drawResults(call *job.Call, args []string, kind, by, out, paperName string, raw bool) error {
	if !slices.Contains(plot.Kinds, kind) {
		return flags.Unknown("kind", kind, plot.Kinds, "")
	}
	if !slices.Contains(plot.Axes, by) {
		return flags.Unknown("axis", by, plot.Axes, "")
	}
	if out == "" {
		out = kind + ".svg"
	}
	if ext := filepath.Ext(out); !slices.Contains(plot.Formats, ext) {
		return exit.Usagef("--out %s: the name must end in %s. Browsers and word processors show SVG; "+
			"rsvg-convert -z 3 a.svg -o a.png makes a png of it.", out, strings.Join(plot.Formats, " or "))
	}
	var paper *report.Paper
	if paperName != "" {
		var err error
		if paper, err = report.ReadPaper(paperName); err != nil {
			return err
		}
	}
	var folders, files []string
	for _, arg := range args {
		info, err := os.Stat(arg)
		switch {
		case err != nil:
			return exit.With(exit.Usage, input.FileError(arg, err))
		case info.IsDir():
			folders = append(folders, arg)
		default:
			files = append(files, arg)
		}
	}
	results, err := report.Collect(call.Stderr, folders)
	if err != nil {
		return err
	}
	fig, err := plot.New(results, files, plot.Choice{Kind: kind, By: by, Raw: raw, Paper: paper})
	if err != nil {
		return err
	}
	if len(fig.Panels) == 0 {
		return exit.Usagef("there is nothing to draw in %s: --kind %s needs %s", strings.Join(args, " "), kind,
			plot.Needs(kind))
	}
	if err := fig.Write(out); err != nil {
		return err
	}
	fmt.Fprintf(call.Stdout, "%s: %s, %d series\n", out, report.Counted(len(fig.Panels), "panel"),
		fig.Lines())
	return nil
}
