package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
	"text/tabwriter"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/clopt/clopt/problems"
	"github.com/clopt/clopt/shard"
	"github.com/clopt/clopt/solvers"
)

func (a *app) runCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "run PROBLEM [flags]",
		Short: "Minimise a problem",
		Long: "Minimise PROBLEM: NAME[:key=value,...] (clopt list problems), an objective FILE.cl\n" +
			"(clopt help objective), a graph (clopt help graphs), or a run.toml of an earlier run.",
		Args: oneArg("PROBLEM"), ValidArgsFunction: completeProblem,
		RunE: func(cmd *cobra.Command, args []string) error { return a.run(cmd.Context(), cmd.Flags(), args[0]) },
	}
	addOptions(cmd.Flags(), runOptions)
	completeFlag(cmd, "solver", solverNames())
	a.optionUsage(cmd, runOptions)
	return cmd
}

// run is "clopt run": all input is read before a device is touched, and all
// that may be refused is refused before the folder is made.
func (a *app) run(ctx context.Context, flags *pflag.FlagSet, spec string) error {
	origin := "argument"
	var file *runFile
	if path, ok := isRunFile(spec); ok {
		f, err := readRunFile(path)
		if err != nil {
			return err
		}
		file, spec, origin = f, f.problem(), fmt.Sprintf("%s:%d", f.path, f.entries["problem"].line)
	}
	c := newConfig(runOptions, flags, a.getenv, file)
	s, err := newSettings(c)
	if err != nil {
		return err
	}
	if s.printConfig {
		c.print(a.stdout, spec, origin)
		return nil
	}
	show := newDisplay(a.stderr, s.status, s.quiet, s.verbose, a.getenv)
	a.show.Store(show)
	show.say("clopt %s: %s", toolVersion, spec)
	j, err := a.prepare(s, show, spec)
	if err == nil && !s.dryRun {
		err = j.onDevices(ctx, func() error { return j.all(ctx) })
	}
	show.counted()
	if show.flush() {
		// Not a single run began, so there is no stream that err could spoil.
		return err
	}
	if err != nil && show.mode == "json" {
		show.last(err)
		return &reported{err}
	}
	return err
}

// prepare reads everything that a run needs, plans its memory, and with
// --dry-run prints the plan.
func (a *app) prepare(s *settings, show *display, spec string) (*job, error) {
	p, err := parseProblem(spec, s.graph.into(problems.Options{Dim: s.dim, Data: s.data, Bounds: s.bounds, Maximize: s.maximize}), s.precision, false)
	if err != nil {
		return nil, err
	}
	if err := s.choose(p); err != nil {
		return nil, err
	}
	x0, err := readX0(s.x0, p)
	if err != nil {
		return nil, err
	}
	budget, _ := s.budget(p)
	if err := solvers.Check(p, solvers.Settings{Precision: s.precision, Budget: budget, X0: x0}, s.solver); err != nil {
		return nil, err
	}
	j := &job{app: a, settings: s, show: show, problem: p, x0: x0}
	if !s.dryRun {
		if err := checkWritable(s.out); err != nil {
			return nil, err
		}
	}
	if p.Info().Data == "generated" && !s.dataTold {
		show.note("data=generated")
	}
	for _, note := range p.Info().Notes {
		show.note("%s: %s", p.Spec(), note)
	}
	if j.devices, err = selectDevices(s.devices, s.precision, s.weights); err != nil {
		return nil, err
	}
	if err := j.devices.first(s.count); err != nil {
		return nil, err
	}
	plan := s.solver.Plan(p, s.precision)
	plans, fitErr := plan.Fit(p.Tiling(), j.devices.infos, j.devices.equal(), s.mem)
	if s.dryRun {
		j.planTable(a.stdout, plan, plans)
		if len(j.devices.kinds()) > 1 && s.weights == nil && !p.Tiling().Whole {
			show.say("a run measures the shares of different devices; the plan has equal ones")
		}
		return nil, fitErr
	}
	if fitErr != nil {
		if !s.quiet {
			j.planTable(a.stderr, plan, plans)
		}
		return nil, fitErr
	}
	j.setPlans(plans)
	j.announce(plan, plans)
	return j, nil
}

// planTable writes the memory plan: each vector, each device, the total.
func (j *job) planTable(w io.Writer, plan shard.Plan, plans []shard.DevicePlan) {
	p := j.problem
	fmt.Fprintf(w, "memory plan: %s  %s  %s\n", p.Spec(), j.settings.solver.Name(), j.settings.precision)
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	for _, item := range plan.Items {
		where := ""
		if item.Fixed {
			where = "on each device"
		}
		fmt.Fprintf(t, "  %s\t%s\t%s\n", item.What, shard.Bytes(item.Bytes), where)
	}
	t.Flush()
	t = tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintf(t, "  device\tshare\tplanned\tmay take\tmemory\tlargest vector\n")
	var total int64
	for i, info := range j.devices.infos {
		name := fmt.Sprintf("%d (%s)", info.Index, info.Name)
		if plans == nil {
			fmt.Fprintf(t, "  %s\t-\t-\t%s\t%s\t-\n", name, shard.Bytes(int64(j.settings.mem*float64(info.GlobalMem))), shard.Bytes(info.GlobalMem))
			continue
		}
		d := plans[i]
		total += d.Bytes
		largest := shard.Bytes(d.Largest)
		if d.Largest > info.MaxAlloc {
			largest += fmt.Sprintf(" (tried whole; split if refused: one buffer is promised %s)", shard.Bytes(info.MaxAlloc))
		}
		fmt.Fprintf(t, "  %s\t%.1f %%\t%s\t%s\t%s\t%s\n", name, 100*share(plans, i), shard.Bytes(d.Bytes), shard.Bytes(d.Limit), shard.Bytes(info.GlobalMem), largest)
	}
	t.Flush()
	if plans == nil {
		fmt.Fprintf(w, "  total %s: does not fit\n", shard.Bytes(plan.Total()))
		return
	}
	fmt.Fprintf(w, "  total %s: fits\n", shard.Bytes(total))
}

// share is the part of the problem on device i of a plan.
func share(plans []shard.DevicePlan, i int) float64 {
	all := 0
	for _, d := range plans {
		all += d.Supers
	}
	return float64(plans[i].Supers) / float64(max(all, 1))
}

// setPlans keeps what each device holds, for the files.
func (j *job) setPlans(plans []shard.DevicePlan) {
	j.infos = nil // not changed in place: lines of the trace may hold it
	for i, d := range plans {
		info := d.Info
		j.infos = append(j.infos, deviceInfo{
			ID: i, Index: info.Index, Name: info.Name, Vendor: info.Vendor, Platform: info.Platform, Driver: info.Driver,
			Type: fmt.Sprint(info.Type), Share: number(share(plans, i)), Mem: d.Bytes,
		})
	}
}

// tellLayout tells how a run is laid out on the devices.
func (j *job) tellLayout(info solvers.Info) {
	t := j.problem.Tiling()
	units, unit := t.SuperTiles(), "super-tiles"
	if info.Units > 0 {
		units, unit = info.Units, info.UnitNames
	}
	for i, d := range info.Plans {
		name := fmt.Sprintf("device %d (%s)", d.Info.Index, d.Info.Name)
		if d.Supers == 0 {
			why := "there are no more " + unit
			if info.Units == 0 {
				why = whyIdle(t, info.Plans, i)
			}
			j.show.say("%s: idle, %s", name, why)
			continue
		}
		j.show.say("%s: %.1f %% (%d of %d %s), %s of %s", name, 100*share(info.Plans, i), d.Supers, units, unit,
			shard.Bytes(d.Bytes), shard.Bytes(d.Info.GlobalMem))
	}
	j.show.say("kernels built in %.3g s", info.BuildTime.Seconds())
}

// whyIdle says why device i of a plan owns nothing.
func whyIdle(t problems.Tiling, plans []shard.DevicePlan, i int) string {
	working := 0
	for _, d := range plans {
		if d.Supers > 0 {
			working++
		}
	}
	switch n := t.Tiles(); {
	case plans[i].Weight == 0:
		return "its weight is 0"
	case working == 0:
		return "the method runs on the host"
	case t.Whole:
		return "the objective stays on one device"
	case n == 1:
		return "the problem has 1 tile"
	case working >= n:
		return fmt.Sprintf("the problem has %d tiles", n)
	}
	return "its share is below one tile"
}

// announce tells what is planned before the run.
func (j *job) announce(plan shard.Plan, plans []shard.DevicePlan) {
	var total int64
	for _, d := range plans {
		total += d.Bytes
	}
	word := "device"
	if len(plans) > 1 {
		word = "devices"
	}
	j.show.say("plan: %d variables, %s, %s, %s on %s %s", j.problem.Domain().N, j.settings.solver.Name(), j.settings.precision,
		shard.Bytes(total), word, indices(j.devices.infos))
	for _, item := range plan.Items {
		j.show.detail("  %s: %s", item.What, shard.Bytes(item.Bytes))
	}
	if j.problem.Tiling().Whole && !j.problem.Domain().Binary && plan.Units == 0 {
		j.show.say("one device is used: components may read any variable (//@ reads whole or lists)")
	}
	if len(j.devices.kinds()) > 1 {
		j.show.warn("devices of %d kinds: their bits may differ, so only the host's confirmation is promised. Choose one kind with --devices for runs that repeat bit for bit.", len(j.devices.kinds()))
		if j.devices.weights == nil && !j.problem.Tiling().Whole {
			j.show.say("shares of different devices are measured at the start")
		}
	}
	s := j.settings
	if s.drawn {
		j.show.note("seed %d (drawn)", s.seed)
	} else {
		j.show.say("seed %d", s.seed)
	}
	var implied bool
	if j.budget, implied = s.budget(j.problem); implied {
		j.show.note("no stop rule given: stops after %d evaluations or %v, whichever comes first", j.budget.Evaluations, j.budget.Time)
	}
	if m, ok := s.solver.(solvers.Scheduled); ok {
		j.show.say("schedule: %d evaluations", m.Schedule(j.problem))
		if n := m.Schedule(j.problem); j.budget.Evaluations > 0 && j.budget.Evaluations < n && !s.planned {
			j.show.note("the limit of %d evaluations ends the schedule of %d early", j.budget.Evaluations, n)
		}
	}
	if s.noSelftest {
		j.show.say("self-check: skipped")
	} else if _, ok := j.problem.(problems.Referenced); !ok {
		j.show.say("self-check: one point with every read watched; there is no host reference to compare values with")
	}
}

// onDevices opens the devices for do.
func (j *job) onDevices(ctx context.Context, do func() error) error {
	s := j.settings
	if !s.noSelftest {
		if err := trial(ctx, j.problem, s.precision, j.devices.infos[0]); err != nil {
			return err
		}
	}
	g, err := j.devices.open(shard.Options{Memory: s.mem, NoCheck: s.noSelftest})
	if err != nil {
		return err
	}
	defer g.Close()
	j.group = g
	quit := context.AfterFunc(ctx, func() {
		j.show.note("%v: finishing the launch and storing the result; once more to leave at once", context.Cause(ctx))
	})
	defer quit()
	return do()
}

// all does every run in a new folder.
func (j *job) all(ctx context.Context) error {
	s := j.settings
	name := s.name
	if name == "" {
		name = slug(j.shortSpec(), s.solver.Name(), "s"+strconv.FormatUint(uint64(s.seed), 10))
	}
	if _, err := os.Lstat(s.out); err != nil {
		defer os.Remove(s.out) // fails where a run left its folder, as it should
	}
	dir, err := newFolder(s.out, name)
	if err != nil {
		return err
	}
	if s.runs == 1 {
		r, err := j.one(ctx, dir, s.firstRun)
		return j.finish(r, err)
	}
	return j.batch(ctx, dir)
}

// finish prints the result of a single run; r may be nil.
func (j *job) finish(r *resultJSON, err error) error {
	if r == nil {
		return err
	}
	j.app.stored, j.app.code = err == nil, r.ExitCode
	if j.settings.json {
		j.print(r)
	} else {
		r.summary(j.app.stdout)
	}
	return err
}

// print writes a result on one line.
func (j *job) print(r *resultJSON) {
	if err := writeLine(j.app.stdout, r); err != nil {
		j.show.warn("standard output: %v", err)
	}
}

// stopCause is the signal that cancelled ctx, or nil.
func stopCause(ctx context.Context) *stopped {
	if s, ok := errors.AsType[*stopped](context.Cause(ctx)); ok {
		return s
	}
	return nil
}
