package main

import (
	"encoding/csv"
	"io"
	"strconv"

	"github.com/spf13/cobra"

	"github.com/clopt/clopt/cmd/clopt/internal/exit"
	"github.com/clopt/clopt/cmd/clopt/internal/flags"
	"github.com/clopt/clopt/cmd/clopt/internal/job"
	"github.com/clopt/clopt/cmd/clopt/internal/report"
	"github.com/clopt/clopt/cmd/clopt/internal/report/ioh"
	"github.com/clopt/clopt/internal/solvers/runs/exact"
	"github.com/clopt/clopt/solvers/runs"
)

// exportFormats are the values of --format.
var exportFormats = []string{"csv", "ioh"}

func exportCommand(call *job.Call) *cobra.Command {
	var format, out string
	cmd := &cobra.Command{
		Use:   "export RUN... [--format csv|ioh]",
		Short: "Convert results: a table of all runs, or data for IOHanalyzer",
		Long: "Convert the results in the folders RUN and below. csv writes one line per run, to standard output or\n" +
			"to --out FILE. ioh writes the files that IOHanalyzer reads, one folder per method, to a new folder\n" +
			"--out DIR (default: ioh). The Python reader of IOHanalyzer cannot hold dimensions above 65535; they\n" +
			"are written anyway.",
		Args: flags.SomeArgs("give run folders to export"), ValidArgsFunction: flags.CompleteRuns,
		RunE: func(_ *cobra.Command, args []string) error { return runExport(call, args, format, out) },
	}
	cmd.Flags().StringVar(&format, "format", exportFormats[0], "csv or ioh")
	cmd.Flags().StringVarP(&out, "out", "o", "", "FILE.csv, or the new folder of ioh")
	flags.CompleteWords(cmd, "format", exportFormats...)
	return cmd
}

func runExport(call *job.Call, folders []string, format, out string) error {
	if _, err := flags.OneOf(exportFormats...)(format); err != nil {
		return exit.Usagef("--format: %w", err)
	}
	results, err := report.Collect(call.Stderr, folders)
	if err != nil {
		return err
	}
	if format == "ioh" {
		if out == "" {
			out = "ioh"
		}
		return ioh.Export(call.Stderr, results, out, false)
	}
	if out == "" {
		return writeCSV(call.Stdout, results)
	}
	_, err = runs.WriteWhole(out, func(w io.Writer) error { return writeCSV(w, results) })
	return err
}

// writeCSV writes a table with one line per run.
func writeCSV(w io.Writer, results []report.Record) error {
	c := csv.NewWriter(w)
	c.Write([]string{"problem", "dim", "data", "label", "solver", "settings", "precision", "seed", "run", "f", "f_host",
		"confirmed", "evaluations", "moves", "work", "seconds", "devices", "stop", "folder"})
	float := func(n exact.Number) string { return strconv.FormatFloat(float64(n), 'g', -1, 64) }
	for _, f := range results {
		r := f.Result
		c.Write([]string{r.Problem, strconv.Itoa(r.Dim), r.Data, f.Label, r.Algorithm.Name, r.Algorithm.Settings,
			r.Precision, strconv.FormatUint(uint64(r.Seed), 10), strconv.FormatUint(uint64(r.Run), 10),
			float(r.Best.F), float(r.Best.FHost), strconv.FormatBool(r.Best.Confirmed),
			strconv.FormatInt(r.Evaluations, 10), strconv.FormatInt(r.Moves, 10), float(r.Work),
			float(r.Seconds), strconv.Itoa(r.Workers()), r.Stop.Reason, r.Folder})
	}
	c.Flush()
	return c.Error()
}
