package main

import (
	"bytes"
	"cmp"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/clopt/clopt/cmd/clopt/internal/exit"
	"github.com/clopt/clopt/cmd/clopt/internal/flags"
	"github.com/clopt/clopt/cmd/clopt/internal/job"
	"github.com/clopt/clopt/cmd/clopt/internal/report"
	"github.com/clopt/clopt/cmd/clopt/internal/report/page"
	"github.com/clopt/clopt/solvers/runs"
)

func reportCommand(call *job.Call) *cobra.Command {
	var out, against, paper string
	cmd := &cobra.Command{
		Use:   "report RUN... [flags]",
		Short: "Write results as one HTML page: tables, pictures, statistics, provenance",
		Long: "Write the results in the folders RUN and below as one HTML page, which needs no network and no\n" +
			"script: which method is better where, convergence, targets met over time, scaling, statistical\n" +
			"tests, a timeline of the runs, the commands that repeat them, and what failed. A campaign of\n" +
			"a paper has the published values, too. --against adds what changed since another campaign.",
		Args: flags.SomeArgs("give run folders to report on"), ValidArgsFunction: flags.CompleteRuns,
		RunE: func(_ *cobra.Command, args []string) error { return writeReport(call, args, out, against, paper) },
	}
	f := cmd.Flags()
	f.StringVarP(&out, "out", "o", "report.html", "FILE.html")
	f.StringVar(&against, "against", "", "DIR: a campaign to compare with")
	f.StringVar(&paper, "paper", "", "add the published values of a paper, by default those of the campaign: "+
		strings.Join(report.PaperNames(), ", "))
	flags.CompleteFlag(cmd, "against", flags.CompleteRuns)
	flags.CompleteWords(cmd, "paper", report.PaperNames()...)
	watchable(call, cmd, false)
	return cmd
}

func writeReport(call *job.Call, folders []string, out, against, paper string) error {
	if filepath.Ext(out) != ".html" {
		return exit.Usagef("--out %s: the name must end in .html", out)
	}
	var names []string
	for _, f := range folders {
		names = append(names, filepath.Base(filepath.Clean(f)))
	}
	r := &page.Report{Title: strings.Join(names, ", ")}
	var notes bytes.Buffer
	var err error
	r.Results, err = report.Collect(io.MultiWriter(&notes, call.Stderr), folders)
	if err != nil {
		return err
	}
	r.Failed, err = report.Failed(folders)
	if err != nil {
		return err
	}
	for _, line := range strings.Split(strings.TrimSpace(notes.String()), "\n") {
		if line = strings.TrimPrefix(line, "! "); line != "" {
			r.Notes = append(r.Notes, line)
		}
	}
	if paper = cmp.Or(paper, report.PaperOf(r.Results)); paper != "" {
		r.Paper, err = report.ReadPaper(paper)
		if err != nil {
			return err
		}
	}
	if against != "" {
		r.Before, err = report.Collect(call.Stderr, []string{against})
		if err != nil {
			return err
		}
	}
	if _, err := runs.WriteWhole(out, func(w io.Writer) error { return page.Write(w, r) }); err != nil {
		return err
	}
	fmt.Fprintf(call.Stdout, "%s: %s\n", out, report.Counted(len(r.Results), "run"))
	return nil
}
