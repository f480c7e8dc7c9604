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
)

// plotKinds are the values of --kind.
var plotKinds = []string{"convergence", "speedup", "throughput", "scaling", "ratio", "ttt"}

// plotFormats are the ends of the names of --out.
var plotFormats = []string{".svg", ".png", ".jsonl"}

// plotAxes are the values of --by.
var plotAxes = []string{"evaluations", "work", "time"}

func plotCommand(call *job.Call) *cobra.Command {
	var kind, out, by string
	var raw bool
	cmd := &cobra.Command{
		Use:   "plot RUN... [flags]",
		Short: "Draw convergence, speed-up, throughput or scaling as svg or png",
		Long: "Draw the results in the folders RUN and below, with a panel per problem:\n" +
			"  convergence  median of the best values over evaluations, with a band between the quartiles of " +
			"the runs\n" +
			"  speedup      speed over the number of devices, relative to the fewest\n" +
			"  throughput   variable evaluations per second over the number of variables; also from files of\n" +
			"               clopt bench --json\n" +
			"  scaling      seconds to the target over the number of variables, with a band between the quartiles\n" +
			"  ratio        how many times faster than the baselines of a campaign, over the number of variables\n" +
			"  ttt          share of the runs that have met the target over the seconds, with an exponential fit\n" +
			"With -o FILE.jsonl the numbers of the picture are written: a line for each panel. Such a file takes\n" +
			"the place of run folders, so that a picture can be drawn again without them.",
		Args: flags.SomeArgs("give run folders to draw"),
	}
	again := watchFlag(cmd)
	cmd.RunE = func(_ *cobra.Command, args []string) error {
		draw := func(bool) error { return drawResults(call, args, kind, by, out, raw) }
		if *again {
			return watch(cmd.Context(), call, args, draw)
		}
		return draw(true)
	}
	f := cmd.Flags()
	f.StringVar(&kind, "kind", plotKinds[0], strings.Join(plotKinds, ", "))
	f.StringVarP(&out, "out", "o", "", "FILE.svg, FILE.png or FILE.jsonl (default: KIND.svg)")
	f.StringVar(&by, "by", "evaluations", "axis of convergence: evaluations, work or time")
	f.BoolVar(&raw, "raw", false, "draw the values, not their distance from a known optimum")
	flags.CompleteFlag(cmd, "kind", plotKinds...)
	flags.CompleteFlag(cmd, "by", plotAxes...)
	return cmd
}

func drawResults(call *job.Call, args []string, kind, by, out string, raw bool) error {
	if !slices.Contains(plotKinds, kind) {
		return flags.Unknown("kind", kind, plotKinds, "")
	}
	if !slices.Contains(plotAxes, by) {
		return flags.Unknown("axis", by, plotAxes, "")
	}
	if out == "" {
		out = kind + ".svg"
	}
	if ext := filepath.Ext(out); !slices.Contains(plotFormats, ext) {
		return exit.Usagef("--out %s: the name must end in %s", out, strings.Join(plotFormats, ", "))
	}
	var folders, files []string
	for _, arg := range args {
		info, err := os.Stat(arg)
		switch {
		case err != nil:
			return exit.Usagef("%w", err)
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
	fig := plot.Figure{From: plot.Origins(results)}
	switch kind {
	case "convergence":
		fig.Panels, err = plot.Convergence(results, by, raw)
	case "speedup":
		if len(folders) > 0 {
			fig.Panels, err = plot.Speedup(results)
		}
	case "throughput":
		fig.Panels, err = plot.Throughput(results, files)
		files = nil
	case "scaling":
		fig.Panels = plot.Scaling(results)
	case "ratio":
		fig.Panels = plot.Ratio(results)
	case "ttt":
		fig.Panels = plot.TimeToTarget(results)
	}
	if err != nil {
		return err
	}
	for _, path := range files {
		more, err := plot.ReadFigure(path)
		if err != nil {
			return err
		}
		fig.Panels, fig.From = append(fig.Panels, more.Panels...), append(fig.From, more.From...)
	}
	if len(fig.Panels) == 0 {
		return exit.Usagef("there is nothing to draw in %s", strings.Join(args, " "))
	}
	if err := fig.Write(out); err != nil {
		return err
	}
	fmt.Fprintf(call.Stdout, "%s: %d panels, %d series\n", out, len(fig.Panels), countSeries(fig.Panels))
	return nil
}

func countSeries(panels []plot.Panel) (n int) {
	for _, p := range panels {
		n += p.Lines()
	}
	return n
}
