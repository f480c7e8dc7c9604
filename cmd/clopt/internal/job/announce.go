package job

import (
	"fmt"
	"strings"

	"github.com/clopt/clopt/cl"
	"github.com/clopt/clopt/problems"
	"github.com/clopt/clopt/shard"
	"github.com/clopt/clopt/solvers"
	"github.com/clopt/clopt/solvers/runs"
)

// showLayout shows how a run is distributed over the devices.
func (j *Job) showLayout(info solvers.Info) {
	units := 0 // the method may divide the problem into other tiles than those of j.Problem
	for _, d := range info.Plans {
		units += d.Supers
	}
	unit := "super-tiles"
	if info.Units > 0 {
		unit = info.UnitNames
	}
	whole := j.Problem.Tiling().Whole && info.Units == 0
	for i, d := range info.Plans {
		if d.Supers == 0 {
			j.show.Sayf("%s: idle, %s", d.Info, whyIdle(info.Plans, i, whole, unit))
			continue
		}
		j.show.Sayf("%s: %.1f %% (%d of %d %s), %s of %s", d.Info, 100*runs.Share(info.Plans, i), d.Supers, units, unit,
			shard.Bytes(d.Bytes), shard.Bytes(d.Info.GlobalMem))
	}
	j.show.Sayf("kernels built in %.3g s", info.Clock.BuildTime().Seconds())
}

// untyped returns a note for each device that does not say what it is.
func untyped(devices []cl.Info) (notes []string) {
	for _, d := range devices {
		if d.Type == cl.Other {
			notes = append(notes, fmt.Sprintf("%s does not say whether it is a processor or a GPU, and is used as a "+
				"GPU; if it is a processor, this is slow", d))
		}
	}
	return notes
}

// whyIdle returns why device i of a plan has no share. whole means that the run needs all of the problem on one
// device. unit is what is dealt to devices, in the plural.
func whyIdle(plans []shard.DevicePlan, i int, whole bool, unit string) string {
	working, units := 0, 0
	for _, d := range plans {
		units += d.Supers
		working += min(d.Supers, 1)
	}
	switch {
	case plans[i].Weight == 0:
		return "its weight is 0"
	case working == 0:
		return "the method runs on the host"
	case whole:
		return "the objective runs on one device"
	case working == units:
		return "there are no more " + unit
	}
	return "its share is too small for one of the " + unit
}

// choice returns which method was chosen, with the settings that are not its defaults, and why. It is empty if the user
// named the method.
func (j *Job) choice() string {
	s := j.Settings
	if s.Reason == "" {
		return ""
	}
	words := append([]string{s.Solver.Name()}, s.Config.Values["set"].Vals...)
	return fmt.Sprintf("%s, because %s", strings.Join(words, " "), s.Reason)
}

// named returns which devices a run has: "devices 0,1", or "3 devices of 2 ranks".
func named(devices []cl.Info) string {
	word, last := "device", devices[len(devices)-1]
	if len(devices) > 1 {
		word = "devices"
	}
	if last.Host != "" {
		return fmt.Sprintf("%d %s of %d ranks", len(devices), word, last.Rank+1)
	}
	return word + " " + Indices(devices)
}

// announce shows the plan before the run.
func (j *Job) announce(plan shard.Plan, plans []shard.DevicePlan) {
	var total int64
	for _, d := range plans {
		total += d.Bytes
	}
	j.show.Sayf("plan: %d variables, %s, %s, %s on %s", j.Problem.Domain().N, j.Settings.Solver.Name(),
		j.Settings.Precision, shard.Bytes(total), named(j.devices))
	if why := j.choice(); why != "" {
		j.show.Sayf("method: %s", why)
	}
	for _, item := range plan.Items {
		j.show.Detailf("  %s: %s", item.What, shard.Bytes(item.Bytes))
	}
	if j.Problem.Tiling().Whole && !j.Problem.Domain().Binary && plan.Units == 0 {
		j.show.Sayf("one device is used: components may read any variable (//@ reads whole or lists)")
	}
	if len(kinds(j.devices)) > 1 {
		j.show.Warnf("There are devices of %d kinds, which may round differently, so this run may not repeat "+
			"bit for bit. "+
			"Choose devices of one kind with --devices for runs that do.", len(kinds(j.devices)))
		if j.weights == nil && !j.Problem.Tiling().Whole {
			j.show.Sayf("the shares of the devices are measured at the start")
		}
	}
	s := j.Settings
	if s.Drawn {
		j.show.Notef("seed %d (drawn)", s.Seed)
	} else {
		j.show.Sayf("seed %d", s.Seed)
	}
	if _, implied := s.Budget(j.Problem); implied {
		j.show.Notef("no stop rule given: the run stops after %d evaluations or %v, whichever comes first",
			j.Run.Budget.Evaluations, j.Run.Budget.Time)
	}
	if m, ok := s.Solver.(solvers.Scheduled); ok {
		j.show.Sayf("schedule: %d evaluations", m.Schedule(j.Problem))
		if n := m.Schedule(j.Problem); j.Run.Budget.Evaluations > 0 && j.Run.Budget.Evaluations < n && !s.Planned {
			j.show.Notef("the limit of %d evaluations ends the schedule of %d evaluations early",
				j.Run.Budget.Evaluations, n)
		}
	}
	if s.NoSelftest {
		j.show.Sayf("self-check: skipped")
	} else if _, ok := j.Problem.(problems.Referenced); !ok {
		j.show.Sayf("self-check: the reads of one point are checked; there is no host reference to compare values with")
	}
}
