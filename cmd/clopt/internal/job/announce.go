package job

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/clopt/clopt/cl"
	"github.com/clopt/clopt/cmd/clopt/internal/flags"
	"github.com/clopt/clopt/cmd/clopt/internal/status"
	"github.com/clopt/clopt/problems"
	"github.com/clopt/clopt/shard"
	"github.com/clopt/clopt/solvers"
	"github.com/clopt/clopt/solvers/runs"
)

// showLayout shows what each device of a run does. Neighbours with the same text have one row.
func (j *Job) showLayout(info solvers.Info) {
	unit := "problem"
	if info.Units > 0 {
		unit = info.UnitNames
	}
	whole := j.Problem.Tiling().Whole && info.Units == 0
	label, plans := "device", info.Plans
	for lo := 0; lo < len(plans); {
		text, hi := deviceInWords(plans, lo, whole, unit), lo+1
		for hi < len(plans) && deviceInWords(plans, hi, whole, unit) == text {
			hi++
		}
		number := strconv.Itoa(plans[lo].Info.Index)
		if last := plans[hi-1].Info.Index; last != plans[lo].Info.Index {
			number += "-" + strconv.Itoa(last)
		} else if hi-lo > 1 {
			number += "*" + strconv.Itoa(hi-lo)
		}
		j.row(label, "%s  %s", number, text)
		label, lo = "", hi
	}
}

// deviceInWords describes device i of a plan and its share. whole and unit are those of whyIdle.
func deviceInWords(plans []shard.DevicePlan, i int, whole bool, unit string) string {
	d := plans[i]
	name := fmt.Sprintf("%s, %d units, %s", d.Info.Name, d.Info.ComputeUnits, d.Info.Platform)
	if d.Info.Host != "" {
		name += " on " + d.Info.Host
	}
	switch {
	case d.Supers == 0:
		return name + "   idle: " + whyIdle(plans, i, whole, unit)
	case len(plans) > 1:
		name += fmt.Sprintf("   %.3g %% of the %s", 100*runs.Share(plans, i), unit)
	}
	return fmt.Sprintf("%s   %s of %s", name, shard.Bytes(d.Bytes), shard.Bytes(d.Info.GlobalMem))
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
// device. unit is what devices share, such as "problem" or "chains".
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
		return "the " + unit + " cannot be divided further"
	}
	return "its share of the " + unit + " is too small"
}

// choice returns which method was chosen, with the settings that are not its defaults, and why. It is empty if the user
// named the method.
func (j *Job) choice() string {
	s := j.Settings
	if s.Reason == "" {
		return ""
	}
	words := append([]string{s.Solver.Traits().Name}, s.Config.Values["set"].Vals...)
	return fmt.Sprintf("%s, because %s", strings.Join(words, " "), s.Reason)
}

// row shows a line with a label.
func (j *Job) row(label, format string, args ...any) {
	j.show.Sayf("%s", status.Row(label, format, args...))
}

// announce shows the plan before the run.
func (j *Job) announce(plan shard.Plan) {
	s := j.Settings
	variables := "1 variable"
	if n := j.Problem.Domain().N; n > 1 {
		variables = status.Count(int64(n)) + " variables"
	}
	if c, ok := j.Problem.(interface{ InWords() string }); ok {
		variables = c.InWords() + "; " + variables
	}
	j.row("problem", "%s, %s", variables, s.Precision)
	if why := j.choice(); why != "" {
		j.row("method", "%s", why)
	} else {
		j.row("method", "%s", s.Solver.Traits().Name)
	}
	if of := j.Problem.Structure(); of.Whole() && of.Components() > 1 && verifies(j.Problem) != "" {
		j.row("", "clopt structure %s --learn finds out whether components read fewer variables",
			flags.ShellQuote(j.Problem.Spec().String()))
	}
	if s.Drawn {
		j.show.Notef("%s", status.Row("seed", "%d (drawn)", s.Seed))
	} else {
		j.row("seed", "%d", s.Seed)
	}
	b, implied := s.Budget(j.Problem)
	switch {
	case implied && b.StallEvaluations > 0:
		j.show.Notef("%s", status.Row("stops", "after no gain in %s evaluations, since no stop rule is given",
			status.Count(b.StallEvaluations)))
	case implied:
		j.show.Notef("%s", status.Row("stops", "after %s evaluations or %v, whichever comes first, since no stop rule "+
			"is given", status.Count(b.Evaluations), b.Time))
	}
	if schedule := s.Solver.Traits().Schedule; schedule != nil {
		evaluations, moves := schedule(j.Problem)
		j.row("schedule", "%s", effort(evaluations, moves))
		switch {
		case s.Planned:
		case b.Evaluations > 0 && b.Evaluations < evaluations:
			j.show.Notef("the limit of %d evaluations ends the schedule of %d evaluations early", b.Evaluations,
				evaluations)
		case b.Moves > 0 && b.Moves < moves:
			j.show.Notef("the limit of %d moves ends the schedule of %d moves early", b.Moves, moves)
		}
	}
	for _, item := range plan.Items {
		j.show.Detailf("%s", status.Row("", "%s: %s", item.What, shard.Bytes(item.Bytes)))
	}
	if j.Problem.Tiling().Whole && !j.Problem.Domain().Binary && plan.Units == 0 && len(j.devices) > 1 {
		j.row("", "one device is used: several need components that read windows of variables (//@ reads k..k+1)")
	}
	if kinds := len(cl.Kinds(j.devices)); kinds > 1 {
		j.show.Warnf("There are devices of %d kinds, which may round differently, so this run may not repeat "+
			"bit for bit. Choose devices of one kind with --devices for runs that do.", kinds)
		if j.weights == nil && !j.Problem.Tiling().Whole {
			j.row("", "the shares of the devices are measured at the start")
		}
	}
	if problems.CallOf(j.Problem) != nil {
	} else if s.NoSelftest {
		j.row("check", "none: neither devices nor the objective are tried before the run")
	} else if _, ok := j.Problem.(problems.Referenced); ok {
	} else if _, err := problems.OnHost(j.Problem, s.Precision); err == nil {
		j.row("check", "the reads of one point, and some values of the host, which reads the text")
	} else {
		j.row("check", "the reads of one point; there is no host reference to compare values with")
	}
}
