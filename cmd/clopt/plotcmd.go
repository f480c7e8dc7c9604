package main

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"
)

// plotKinds are the pictures that plot draws.
var plotKinds = []string{"convergence", "speedup", "throughput"}

// plotAxes are what convergence is drawn over.
var plotAxes = []string{"evaluations", "work", "time"}

func (a *app) plotCommand() *cobra.Command {
	var kind, out, by string
	var raw bool
	cmd := &cobra.Command{
		Use:   "plot RUN... [flags]",
		Short: "Draw convergence, speed-up or throughput as svg or png",
		Long: "Draw the results in the folders RUN and below, a panel per problem:\n" +
			"  convergence  median of the best values over evaluations, and the band between the quartiles of the runs\n" +
			"  speedup      speed over the number of devices, relative to the fewest\n" +
			"  throughput   variable evaluations a second over the number of variables; also from files of clopt bench --json",
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				return usagef("give run folders to draw")
			}
			return nil
		},
		RunE: func(_ *cobra.Command, args []string) error { return a.plot(args, kind, by, out, raw) },
	}
	f := cmd.Flags()
	f.StringVar(&kind, "kind", plotKinds[0], strings.Join(plotKinds, ", "))
	f.StringVarP(&out, "out", "o", "", "FILE.svg or FILE.png (default: KIND.svg)")
	f.StringVar(&by, "by", "evaluations", "axis of convergence: evaluations, work or time")
	f.BoolVar(&raw, "raw", false, "values as they are, not their distance to a known optimum")
	completeWords(cmd, "kind", plotKinds...)
	completeWords(cmd, "by", plotAxes...)
	return cmd
}

func (a *app) plot(args []string, kind, by, out string, raw bool) error {
	if !slices.Contains(plotKinds, kind) {
		return unknown("kind", kind, plotKinds, "There are "+strings.Join(plotKinds, ", ")+".")
	}
	if !slices.Contains(plotAxes, by) {
		return unknown("axis", by, plotAxes, "There are "+strings.Join(plotAxes, ", ")+".")
	}
	if out == "" {
		out = kind + ".svg"
	}
	if ext := filepath.Ext(out); ext != ".svg" && ext != ".png" {
		return usagef("--out %s: the name ends in neither .svg nor .png", out)
	}
	var folders, files []string
	for _, arg := range args {
		info, err := os.Stat(arg)
		switch {
		case err != nil:
			return usagef("%w", err)
		case info.IsDir():
			folders = append(folders, arg)
		case kind == "throughput":
			files = append(files, arg)
		default:
			return usagef("%s is no folder; --kind throughput alone draws files, of clopt bench --json", arg)
		}
	}
	var results []found
	if folders != nil {
		var unfinished int
		var err error
		if results, unfinished, err = collect(folders); err != nil {
			return err
		}
		if unfinished > 0 {
			fmt.Fprintf(a.stderr, "! %d unfinished runs are left out.\n", unfinished)
		}
	}
	var panels []panel
	var err error
	switch kind {
	case "convergence":
		panels, err = convergence(results, by, raw)
	case "speedup":
		panels, err = speedup(results)
	case "throughput":
		panels, err = throughput(results, files)
	}
	if err != nil {
		return err
	}
	if len(panels) == 0 {
		return usagef("there is nothing to draw in %s", strings.Join(args, " "))
	}
	if err := drawPanels(panels, out); err != nil {
		return err
	}
	fmt.Fprintf(a.stdout, "%s: %d panels, %d series\n", out, len(panels), countSeries(panels))
	return nil
}

func countSeries(panels []panel) (n int) {
	for _, p := range panels {
		n += len(p.series)
	}
	return n
}
