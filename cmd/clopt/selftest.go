package main

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/clopt/clopt/cl"
	"github.com/clopt/clopt/cmd/clopt/internal/exit"
	"github.com/clopt/clopt/cmd/clopt/internal/flags"
	"github.com/clopt/clopt/cmd/clopt/internal/job"
	"github.com/clopt/clopt/problems"
	"github.com/clopt/clopt/problems/catalog"
	"github.com/clopt/clopt/solvers/bench"
)

func selftestCommand(call *job.Call) *cobra.Command {
	var selector string
	cmd := &cobra.Command{
		Use:   "selftest [-d SELECTOR]",
		Short: "Compare every device with the host: random numbers, sums, problems",
		Args:  flags.NoArgs,
		RunE:  func(cmd *cobra.Command, _ []string) error { return runSelftest(cmd.Context(), call, selector) },
	}
	cmd.Flags().StringVarP(&selector, "devices", "d", "all", "devices to test, as in clopt run")
	return cmd
}

// runSelftest executes "clopt selftest".
func runSelftest(ctx context.Context, call *job.Call, selector string) error {
	all, err := cl.Discover()
	if err != nil {
		return exit.With(exit.NoDevice, err)
	}
	infos, err := cl.Select(all, selector)
	if err != nil {
		return exit.With(exit.NoDevice, err)
	}
	var ps []problems.Problem
	for _, e := range catalog.List() {
		p, err := catalog.Parse(e.Name, problems.Options{})
		if err != nil {
			return err
		}
		ps = append(ps, p)
	}
	for _, spec := range []string{"maxcut:torus=60x60,weights=-9..9", "maxcut:complete=60,weights=unit"} {
		p, err := catalog.Parse(spec, problems.Options{})
		if err != nil {
			return err
		}
		ps = append(ps, p)
	}
	failed := 0
	for _, info := range infos {
		d, err := cl.Open(info)
		if err != nil {
			fmt.Fprintf(call.Stdout, "device %d (%s): FAILED to open: %v\n", info.Index, info.Name, err)
			failed++
			continue
		}
		checks, bad := 0, 0
		err = bench.SelfTest(ctx, d, ps, func(check string, err error) {
			checks++
			if err != nil {
				bad++
				fmt.Fprintf(call.Stdout, "%s: FAILED %s: %v\n", d, check, err)
				return
			}
			fmt.Fprintf(call.Stdout, "%s: ok %s\n", d, check)
		})
		d.Close()
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		fmt.Fprintf(call.Stdout, "%s: %d of %d checks passed\n", d, checks-bad, checks)
		if err != nil {
			failed++
		}
	}
	if failed > 0 {
		return exit.Failf(exit.Verify, "self-test: %d of %d devices failed. "+
			"Leave them out with --devices, or update their drivers.", failed, len(infos))
	}
	return nil
}
