package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"

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
	flags.CompleteDevices(cmd)
	return cmd
}

// tested is the result of the self-test on a device. Its fields are those of --json.
type tested struct {
	Device   int            `json:"device"`
	Name     string         `json:"name"`
	Families []testedFamily `json:"families"`
	Failed   []failedCheck  `json:"failed"`
}

// testedFamily counts the checks of a family of problems, of the draws or of the sums.
type testedFamily struct {
	Family string `json:"family"`
	Checks int    `json:"checks"`
	Passed int    `json:"passed"`
}

type failedCheck struct {
	Check string `json:"check"`
	Error string `json:"error"`
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
	var devices []tested
	failed := 0
	for _, info := range infos {
		t := selftest(ctx, info, ps)
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
		testTable(call.Stdout, devices)
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

// selftest tests a device.
func selftest(ctx context.Context, info cl.Info, ps []problems.Problem) tested {
	t := tested{Device: info.Index, Name: info.Name, Families: []testedFamily{}, Failed: []failedCheck{}}
	d, err := cl.Open(info)
	if err != nil {
		t.Failed = append(t.Failed, failedCheck{"open", err.Error()})
		return t
	}
	defer d.Close()
	bench.SelfTest(ctx, d, ps, func(family, check string, err error) {
		at := slices.IndexFunc(t.Families, func(f testedFamily) bool { return f.Family == family })
		if at < 0 {
			at = len(t.Families)
			t.Families = append(t.Families, testedFamily{Family: family})
		}
		t.Families[at].Checks++
		if err == nil {
			t.Families[at].Passed++
			return
		}
		t.Failed = append(t.Failed, failedCheck{check, err.Error()})
	})
	return t
}

// testTable prints a row for each device, with the number of passed checks of each family, and then what failed.
func testTable(out io.Writer, devices []tested) {
	var columns []string
	for _, d := range devices {
		for _, f := range d.Families {
			if !slices.Contains(columns, f.Family) {
				columns = append(columns, f.Family)
			}
		}
	}
	t := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintf(t, "%s\n", strings.Join(append([]string{"device", "name"}, columns...), "\t"))
	for _, d := range devices {
		fmt.Fprintf(t, "%d\t%s", d.Device, d.Name)
		for _, name := range columns {
			at := slices.IndexFunc(d.Families, func(f testedFamily) bool { return f.Family == name })
			switch {
			case at < 0:
				fmt.Fprint(t, "\t-")
			case d.Families[at].Passed == d.Families[at].Checks:
				fmt.Fprintf(t, "\t%d passed", d.Families[at].Checks)
			default:
				fmt.Fprintf(t, "\t%d of %d FAILED", d.Families[at].Checks-d.Families[at].Passed, d.Families[at].Checks)
			}
		}
		fmt.Fprintln(t)
	}
	t.Flush()
	for _, d := range devices {
		for _, f := range d.Failed {
			fmt.Fprintf(out, "device %d (%s): FAILED %s: %s\n", d.Device, d.Name, f.Check, f.Error)
		}
	}
}
