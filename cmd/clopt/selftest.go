package main

import (
	"context"
	"encoding/json"
	"slices"

	"github.com/spf13/cobra"

	"github.com/clopt/clopt/cl"
	"github.com/clopt/clopt/cmd/clopt/internal/exit"
	"github.com/clopt/clopt/cmd/clopt/internal/flags"
	"github.com/clopt/clopt/cmd/clopt/internal/job"
	"github.com/clopt/clopt/cmd/clopt/internal/report"
	"github.com/clopt/clopt/problems"
	"github.com/clopt/clopt/problems/catalog"
)

func selftestCommand(call *job.Call) *cobra.Command {
	var selector string
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "selftest [-d SELECTOR] [--json]",
		Short: "Compare every device with the host: random numbers, sums, problems",
		Args:  flags.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return runSelftest(cmd.Context(), call, selector, asJSON)
		},
	}
	cmd.Flags().StringVarP(&selector, "devices", "d", "all", "devices to test, as in clopt run")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	flags.CompleteFlag(cmd, "devices", flags.CompleteDevices)
	return cmd
}

// runSelftest executes "clopt selftest".
func runSelftest(ctx context.Context, call *job.Call, selector string, asJSON bool) error {
	all, err := cl.Discover()
	if err != nil {
		return exit.With(exit.NoDevice, err)
	}
	infos, err := cl.Select(all, selector)
	if err != nil {
		return exit.With(exit.NoDevice, err)
	}
	ps, err := testProblems()
	if err != nil {
		return err
	}
	var devices []report.Tested
	failed := 0
	for _, info := range infos {
		t := report.SelfTest(ctx, info, ps)
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		if len(t.Failed) > 0 {
			failed++
		}
		devices = append(devices, t)
	}
	if asJSON {
		err = json.NewEncoder(call.Stdout).Encode(map[string]any{"devices": devices})
	} else {
		report.PrintTested(call.Stdout, devices)
	}
	if failed > 0 {
		return exit.Failf(exit.Verify, "self-test: %d of %d devices failed. "+
			"Leave them out with --devices, or update their drivers.", failed, len(infos))
	}
	return err
}

// testProblems returns the problems on which devices are tested.
func testProblems() (ps []problems.Problem, err error) {
	specs := []string{"maxcut:torus=60x60,weights=-9..9", "maxcut:complete=60,weights=unit"}
	for i, e := range catalog.List() {
		specs = slices.Insert(specs, i, e.Name)
	}
	for _, spec := range specs {
		p, err := catalog.Parse(spec, problems.Options{})
		if err != nil {
			return nil, err
		}
		ps = append(ps, p)
	}
	return ps, nil
}
