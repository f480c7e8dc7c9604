package main

import (
	"encoding/csv"
	"fmt"
	"io"
	"os"
	"strconv"

	"github.com/spf13/cobra"
)

// exportFormats are what export writes.
var exportFormats = []string{"csv", "ioh"}

func (a *app) exportCommand() *cobra.Command {
	var format, out string
	cmd := &cobra.Command{
		Use:   "export RUN... [--format csv|ioh]",
		Short: "Convert results: a table of all runs, or data for IOHanalyzer",
		Long: "Convert the results in the folders RUN and below. csv: one line a run, on stdout or in --out FILE. ioh: the files\n" +
			"that IOHanalyzer reads, below --out DIR (default: ioh), one folder a method. Its Python reader cannot hold dimensions\n" +
			"above 65535; they are written as they are.",
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				return usagef("give run folders to convert")
			}
			return nil
		},
		RunE: func(_ *cobra.Command, args []string) error { return a.export(args, format, out) },
	}
	cmd.Flags().StringVar(&format, "format", exportFormats[0], "csv or ioh")
	cmd.Flags().StringVarP(&out, "out", "o", "", "FILE.csv, or the folder of ioh")
	completeWords(cmd, "format", exportFormats...)
	return cmd
}

func (a *app) export(folders []string, format, out string) error {
	if _, err := oneOf(exportFormats...)(format); err != nil {
		return usagef("--format: %w", err)
	}
	results, unfinished, err := collect(folders)
	if err != nil {
		return err
	}
	if unfinished > 0 {
		fmt.Fprintf(a.stderr, "! %d unfinished runs are left out. clopt resume finishes them.\n", unfinished)
	}
	if format == "ioh" {
		if out == "" {
			out = "ioh"
		}
		return a.exportIOH(results, out)
	}
	if out == "" {
		return writeCSV(a.stdout, results)
	}
	_, err = writeWhole(out, func(w io.Writer) error { return writeCSV(w, results) })
	return err
}

// exportIOH writes a new tree for IOHanalyzer.
func (a *app) exportIOH(results []found, dir string) error {
	if err := os.RemoveAll(dir + ".new"); err != nil {
		return fail(exitOutput, "%w", err)
	}
	runs, short, err := writeIOH(dir+".new", results)
	if err != nil {
		return err
	}
	if short > 0 {
		fmt.Fprintf(a.stderr, "! %d runs of one evaluation are left out; the format needs two rows.\n", short)
	}
	if runs == 0 {
		return usagef("there is no run to convert")
	}
	// Ours alone is replaced: whatever else has this name stays.
	if exists(dir) && !exists(dir+"/"+iohMark) {
		return usagef("%s exists and was not written by clopt export. Choose another --out.", dir)
	}
	if err := os.WriteFile(dir+".new/"+iohMark, []byte("written by clopt export --format ioh\n"), 0o666); err != nil {
		return fail(exitOutput, "%w", err)
	}
	if err := os.RemoveAll(dir); err != nil {
		return fail(exitOutput, "%w", err)
	}
	if err := os.Rename(dir+".new", dir); err != nil {
		return fail(exitOutput, "%w", err)
	}
	fmt.Fprintf(a.stderr, "%s: %d runs for IOHanalyzer\n", dir, runs)
	return nil
}

// iohMark is a file that says whose a tree is; the readers look at .json alone.
const iohMark = "clopt.txt"

// writeCSV writes one line a run.
func writeCSV(w io.Writer, results []found) error {
	c := csv.NewWriter(w)
	c.Write([]string{"problem", "dim", "data", "label", "solver", "settings", "precision", "seed", "run", "f", "f_host", "confirmed", "evaluations", "work", "seconds", "devices", "stop", "folder"})
	float := func(n number) string { return strconv.FormatFloat(float64(n), 'g', -1, 64) }
	for _, f := range results {
		r := f.result
		c.Write([]string{r.Problem, strconv.Itoa(r.Dim), r.Data, f.label, r.Algorithm.Name, r.Algorithm.Settings, r.Precision,
			strconv.FormatUint(uint64(r.Seed), 10), strconv.FormatUint(uint64(r.Run), 10), float(r.Best.F), float(r.Best.FHost), strconv.FormatBool(r.Best.Confirmed),
			strconv.FormatInt(r.Evaluations, 10), float(r.Work), float(r.Seconds), strconv.Itoa(workers(r)), r.Stop.Reason, f.dir})
	}
	c.Flush()
	return c.Error()
}
