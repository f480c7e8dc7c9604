package main

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/clopt/clopt/cmd/clopt/internal/campaign"
	"github.com/clopt/clopt/cmd/clopt/internal/exit"
	"github.com/clopt/clopt/cmd/clopt/internal/flags"
	"github.com/clopt/clopt/cmd/clopt/internal/job"
	"github.com/clopt/clopt/cmd/clopt/internal/report"
)

func compareCommand(call *job.Call) *cobra.Command {
	var name, format string
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "compare RUN... | --paper NAME",
		Short: "Compare results: means, deviations, medians, and the tests of papers",
		Long: "Compare the results in the folders RUN and below, with functions in rows and methods in columns.\n" +
			"Runs with different limits of evaluations or time are in tables of their own. Runs that go on, that\n" +
			"failed or were cancelled, those with a value that is not confirmed, and those that repeat another\n" +
			"run bit for bit are left out. Runs on versions of an objective are in rows of their own.\n" +
			"--paper adds the columns of a paper for the same functions; without RUN it shows the tables of the\n" +
			"paper. Below a table of five functions or more stand Wilcoxon's signed-rank test for each pair of\n" +
			"methods, Friedman's ranks, and Holm's procedure against the best method; after the tables stand\n" +
			"those over the problems of all families and sizes (see clopt help campaigns). Where runs met a\n" +
			"target, their median time follows, and TTS99: the time in which repeated runs meet it with 99 %.\n" +
			"--format csv has a line for each value and each result of a test, with all digits.",
		ValidArgsFunction: flags.CompleteRuns,
		RunE: func(_ *cobra.Command, args []string) error {
			if asJSON {
				format = "json"
			}
			return runCompare(call, args, name, format)
		},
	}
	cmd.Flags().StringVar(&name, "paper", "", "add the columns of a paper: "+strings.Join(report.PaperNames(), ", "))
	cmd.Flags().StringVar(&format, "format", report.Formats[0], strings.Join(report.Formats, ", "))
	cmd.Flags().BoolVar(&asJSON, "json", false, "the same as --format json")
	flags.CompleteWords(cmd, "paper", report.PaperNames()...)
	flags.CompleteWords(cmd, "format", report.Formats...)
	watchable(call, cmd, true)
	return cmd
}

func runCompare(call *job.Call, folders []string, paperName, format string) error {
	if !slices.Contains(report.Formats, format) {
		return flags.Unknown("format", format, report.Formats, "")
	}
	if len(folders) == 0 && paperName == "" {
		return exit.Usagef("give run folders to compare, or --paper NAME")
	}
	var pub *report.Paper
	if paperName != "" {
		var err error
		if pub, err = report.ReadPaper(paperName); err != nil {
			return err
		}
	}
	r := &report.Reporter{Out: call.Stdout, Err: call.Stderr, Format: format, Suite: campaign.Tables}
	if len(folders) == 0 {
		return r.ShowPaper(pub)
	}
	results, err := report.Collect(call.Stderr, folders)
	if err != nil {
		return err
	}
	return r.Show(results, pub)
}
