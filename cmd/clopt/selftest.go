package main

import (
	"context"
	"fmt"

	"github.com/clopt/clopt/cl"
	"github.com/clopt/clopt/problems"
	"github.com/clopt/clopt/problems/catalog"
	"github.com/clopt/clopt/solvers/bench"
	"github.com/spf13/cobra"
)

func (a *app) selftestCommand() *cobra.Command {
	var selector string
	cmd := &cobra.Command{
		Use:   "selftest [-d SELECTOR]",
		Short: "Compare every device with the host: draws, sums, problems",
		Args:  noArgs,
		RunE:  func(cmd *cobra.Command, _ []string) error { return a.selftest(cmd.Context(), selector) },
	}
	cmd.Flags().StringVarP(&selector, "devices", "d", "all", "devices to test, as in clopt run")
	return cmd
}

func (a *app) selftest(ctx context.Context, selector string) error {
	all, err := cl.Discover()
	if err != nil {
		return coded(exitNoDevice, err)
	}
	infos, err := cl.Select(all, selector)
	if err != nil {
		return coded(exitNoDevice, err)
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
			fmt.Fprintf(a.stdout, "device %d (%s): FAILED to open: %v\n", info.Index, info.Name, err)
			failed++
			continue
		}
		checks, bad := 0, 0
		err = bench.SelfTest(ctx, d, ps, func(check string, err error) {
			checks++
			if err != nil {
				bad++
				fmt.Fprintf(a.stdout, "%s: FAILED %s: %v\n", d, check, err)
				return
			}
			fmt.Fprintf(a.stdout, "%s: ok %s\n", d, check)
		})
		d.Close()
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		fmt.Fprintf(a.stdout, "%s: %d of %d checks passed\n", d, checks-bad, checks)
		if err != nil {
			failed++
		}
	}
	if failed > 0 {
		return fail(exitVerify, "self-test: %d of %d devices failed. Leave them out with --devices, or update their drivers.", failed, len(infos))
	}
	return nil
}
