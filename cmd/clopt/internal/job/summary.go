package job

import (
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/clopt/clopt/cmd/clopt/internal/flags"
	"github.com/clopt/clopt/cmd/clopt/internal/status"
	"github.com/clopt/clopt/internal/solvers/runs/exact"
	"github.com/clopt/clopt/internal/solvers/runs/recipe"
	"github.com/clopt/clopt/internal/solvers/runs/record"
	"github.com/clopt/clopt/problems"
	"github.com/clopt/clopt/solvers"
	"github.com/clopt/clopt/solvers/runs"
)

// rough says that nothing shows how near a minimum the best point of a function with kinks or steps is; "" where its
// value is the best one known, or the function has none.
func rough(r *record.Result) string {
	b := r.Best
	if known := b.Known; b.Proven || known != nil && *known == b.F || r.Stop.Reason == "target" {
		return ""
	}
	switch {
	case len(b.Steps) > 0:
		return fmt.Sprintf("the function has steps (%s), so nothing shows how near a minimum this is",
			strings.Join(b.Steps, ", "))
	case len(b.Kinks) > 0:
		return fmt.Sprintf("the function has kinks (%s), near which a search may stop above a minimum",
			strings.Join(b.Kinks, ", "))
	}
	return ""
}

// summary shows the result of a run. restart says that its method begins again at its end, if there is a limit, and
// allow has the flags that its run.toml needs.
func summary(out *status.Output, r *record.Result, restart bool, allow []string) {
	row := func(label, format string, args ...any) { out.Show(status.Row(label, format, args...)) }
	well := r.ExitCode == 0
	out.Show(fmt.Sprintf("%s %s after %s (%s)", status.Mark(well), ended(r), seconds(r.Seconds), inAll(r)))
	what := fmt.Sprintf("%s  %s  seed %d  %s", r.Problem, r.Algorithm.Name, r.Seed, r.Precision)
	if r.Name != "" {
		what = r.Name + ": " + what
	}
	if r.Run > 0 {
		what += fmt.Sprintf("  run %d", r.Run)
	}
	row("run", "%s", what)
	if r.Data != "" {
		row("data", "%s", problems.DataInWords(r.Data))
	}
	row("best", "%s", strings.Join(standing(r), "   "))
	row("", "%s", confirmation(r))
	if n := float64(r.Best.Rounding); n > 0 {
		row("", "note: rounding errors alone are as large, up to %.2g; the digits and the sign mean nothing", n)
	}
	text := rough(r)
	if s := r.Best.Slope; s != nil && r.Best.Converged {
		row("converged", "%.2g, the norm of the gradient within the bounds", float64(*s))
	} else if s != nil && text == "" {
		row("slope", "%.2g, the norm of the gradient within the bounds", float64(*s))
	}
	if text != "" {
		row("note", "%s", text)
	}
	if s := r.Best.Sampled; s != nil {
		row("sampled", "%s", sampled(s))
	}
	if b := r.Best.Broken; len(b) > 0 {
		row("broken", "%s", broken(r.Best))
	}
	if a := r.Best.Assignment; len(a) > 0 {
		row("point", "%s", shortened(a.String(), r.Best.SolFile))
	}
	if k := r.Best.Kept; k != nil {
		row("kept", "%s different points, %s of the best value, the last %s", status.Count(int64(k.Points)),
			status.Count(int64(k.Best)), exact.Format(float64(k.Worst)))
	}
	for _, sum := range r.Best.Sums {
		row(sum.Sum, "%s  %s", exact.Format(float64(sum.Value)), sum.Label)
	}
	for _, note := range r.Best.Notes {
		row("note", "%s", note)
	}
	row("speed", "%s", speed(r))
	if len(r.Searches) > 0 {
		row("searches", "%s", divided(r.Searches))
	}
	if r.Events.NonFinite > 0 {
		row("invalid", "%s values were not finite", status.Count(r.Events.NonFinite))
	}
	if r.Events.Resumed > 0 {
		times := "once"
		if r.Events.Resumed > 1 {
			times = fmt.Sprintf("%d times", r.Events.Resumed)
		}
		row("resumed", "%s; evaluations and seconds count from the first start", times)
	}
	files := []string{"result.json", "trace.jsonl", "run.toml", "log.txt"}
	if r.Best.SolFile != nil {
		files = append([]string{*r.Best.SolFile}, files...)
	}
	if r.Best.SamplesFile != nil {
		files = append([]string{*r.Best.SamplesFile}, files...)
	}
	if r.Best.XFile != nil {
		files = append([]string{*r.Best.XFile}, files...)
	}
	missing := func(name string) bool { return !runs.Exists(filepath.Join(r.Folder, name)) }
	files = slices.DeleteFunc(files, missing)
	if len(files) == 0 {
		row("saved", "nothing in %s", r.Folder)
		return
	}
	row("saved", "%s   %s", r.Folder, strings.Join(files, ", "))
	next(row, r.Folder, r.Resumable, further(r, restart), !missing(recipe.Name), allow)
}

// broken says that the best point breaks constraints.
func broken(b record.Best) string {
	text := "NO POINT that fulfils all constraints was found; this one breaks "
	if b.Optimal() {
		text = "NO POINT fulfils all constraints: it is proven. This one breaks "
	}
	const most = 3 // constraints
	text += strings.Join(b.Broken[:min(most, len(b.Broken))], "; ")
	if n := len(b.Broken) - most; n > 0 {
		text += fmt.Sprintf("; and %d more", n)
	}
	return text
}

// shortened returns the beginning of an assignment, and the file that has all of it.
func shortened(text string, file *string) string {
	const most = 100 // columns
	if len(text) <= most || file == nil {
		return text
	}
	return text[:strings.LastIndexByte(text[:most], ' ')+1] + "… in " + *file
}

// sampled says what the best of some uniform points is worth.
func sampled(s *record.Sampled) string {
	text := fmt.Sprintf("%s uniform points, the best %s", status.Count(int64(s.Points)), status.Brief(float64(s.Best)))
	if math.IsInf(float64(s.Best), 0) {
		text = fmt.Sprintf("%s uniform points, none with a finite value", status.Count(int64(s.Points)))
	}
	if s.Better {
		text += ", which is BETTER than the result"
	}
	return text
}

// speed returns how many evaluations and moves were made, and the evaluations a second.
func speed(r *record.Result) string {
	return fmt.Sprintf("%s, %s a second", effort(r.Evaluations, r.Moves),
		status.Rate(float64(r.Work)/max(float64(r.Seconds), 1e-9)))
}

// effort writes a number of evaluations, with the number of moves if there are any.
func effort(evaluations, moves int64) string {
	text := status.Counted(evaluations, "evaluation")
	if moves > 0 {
		text += fmt.Sprintf(" (%s)", status.Counted(moves, "move"))
	}
	return text
}

// next shows commands that go on from a run folder: to continue it, with a flag for a larger limit, to repeat and to
// draw it.
func next(row func(label, format string, args ...any), folder string, resumable bool, larger string,
	repeatable bool, allow []string) {
	label := "next"
	for _, c := range []struct {
		can     bool
		command string
	}{
		{resumable, "resume " + quotePath(folder, allow) + larger},
		{repeatable, "run " + quotePath(filepath.Join(folder, recipe.Name), allow)},
		{true, "plot " + flags.ShellQuote(folder)},
	} {
		if c.can {
			row(label, "clopt %s", c.command)
			label = ""
		}
	}
}

// further returns a flag with twice the limit at which the run ended, without which it would not go on. One that has
// come to its end begins again at other points, if restart says that it may.
func further(r *record.Result, restart bool) string {
	again := ""
	if !restart {
		again = " --restart on"
	}
	n := r.Limits.Evaluations
	switch {
	case r.Stop.Reason == solvers.Evaluations.String() && n > 0 && n < math.MaxInt64/2:
		return fmt.Sprintf(" --evals %d", 2*n)
	case r.Stop.Reason == solvers.Moves.String() && r.Limits.Moves > 0 && r.Limits.Moves < math.MaxInt64/2:
		return fmt.Sprintf(" --moves %d", 2*r.Limits.Moves)
	case r.Stop.Reason == solvers.Time.String() && r.Limits.Seconds > 0:
		return fmt.Sprintf(" --time %gs", 2*float64(r.Limits.Seconds))
	case r.Stop.Reason == solvers.Flat.String():
		return fmt.Sprintf(" --gtol %.1g", float64(r.Limits.GTol)/1000)
	case r.Stop.Reason == solvers.Finished.String():
		return fmt.Sprintf("%s --time %.0fs", again, max(60, 10*float64(r.Seconds)))
	case r.Stop.Reason == solvers.Stall.String() && r.Limits.StallEvaluations > 0 &&
		r.Limits.StallEvaluations < math.MaxInt64/16:
		return fmt.Sprintf(" --stall-evals %d", 8*r.Limits.StallEvaluations)
	}
	return ""
}

// seconds writes a time for a reader.
func seconds(n exact.Number) string {
	return status.Seconds(time.Duration(float64(n) * float64(time.Second)))
}

// inAll says how long a run took with what comes before and after its steps, as far as a reader would miss it.
func inAll(r *record.Result) string {
	closing := exact.Number(r.Closing.Seconds())
	begun := r.Seconds + r.StartUp
	text, whole := seconds(begun), seconds(begun+closing)
	if closing < 0.05 || closing < 0.01*(begun+closing) || whole == text {
		return text + " with start-up"
	}
	return text + " with start-up, " + whole + " with confirming and storing the result"
}

// ended says why a run ended.
func ended(r *record.Result) string {
	l := r.Limits
	switch {
	case r.Stop.Reason == solvers.Evaluations.String() && l.Evaluations > 0:
		return spent(r.Evaluations, l.Evaluations, "evaluations")
	case r.Stop.Reason == solvers.Moves.String() && l.Moves > 0:
		return spent(r.Moves, l.Moves, "moves")
	case r.Stop.Reason == solvers.Time.String() && l.Seconds > 0:
		return fmt.Sprintf("time limit of %s reached", seconds(l.Seconds))
	case r.Stop.Reason == solvers.Stall.String() && l.StallEvaluations > 0 && l.Stall == 0:
		return fmt.Sprintf("no gain in %s evaluations", status.Count(l.StallEvaluations))
	case r.Stop.Reason == solvers.Optimal.String() && len(r.Best.Broken) > 0:
		return "proven that no point fulfils all constraints"
	case r.Stop.Reason == solvers.Optimal.String():
		return "optimum found"
	case r.Stop.Reason == solvers.Finished.String():
		return "the method has come to its end"
	}
	return r.Stop.Detail
}

// spent says that a limit has ended a run, of which it has used some.
func spent(used, limit int64, of string) string {
	if used < limit {
		return fmt.Sprintf("no further step fits into %s %s", status.Count(limit), of)
	}
	return fmt.Sprintf("limit of %s %s reached", status.Count(limit), of)
}

// standing returns the best value, and how it stands to the best known value and the target.
func standing(r *record.Result) []string {
	parts := []string{r.Best.Value()}
	if len(r.Best.Broken) > 0 {
		parts = append(parts, "with penalties for constraints that are broken")
	} else if r.Best.Known != nil && r.Best.Error != nil {
		gap, known := float64(*r.Best.Error), r.Best.BestKnown()
		text := fmt.Sprintf("best known %s, gap %.3g", known, max(gap, 0))
		switch {
		case r.Best.Optimal():
			text = "the optimum: it is proven that no value is better"
		case r.Best.Proven:
			text = fmt.Sprintf("the optimum is %s, proven; gap %.3g", known, gap)
		case gap < 0:
			text = fmt.Sprintf("best known %s, better by %.3g", known, -gap)
		}
		parts = append(parts, text)
	}
	if t := r.Limits.Target; t != nil {
		met := "met"
		if sign := exact.Number(r.Sense.Sign()); sign*r.Best.F > sign**t {
			met = "MISSED"
		}
		parts = append(parts, fmt.Sprintf("target %s %s", exact.Format(float64(*t)), met))
	}
	return parts
}

// divided says which searches have worked, and what each of them has gained.
func divided(searches []record.Search) string {
	var parts []string
	for k, s := range searches {
		format := "%s %.0f %% and %.0f %%"
		if k == 0 {
			format = "%s %.0f %% of the work and %.0f %% of the gain"
		}
		parts = append(parts, fmt.Sprintf(format, s.Name, 100*float64(s.Work), 100*float64(s.Gain)))
	}
	return strings.Join(parts, ", ")
}

// quotePath returns the arguments of a command that reads a run folder or its run file, with the flags that allow what
// the file names.
func quotePath(path string, allow []string) string {
	return strings.Join(append([]string{flags.ShellQuote(path)}, allow...), " ")
}

// confirmation returns whether and how the best value was confirmed.
func confirmation(r *record.Result) string {
	yes := "confirmed"
	if !r.Best.Confirmed {
		yes = "NOT confirmed"
	}
	switch {
	case r.Best.Confirmer == record.ByFunction && r.Best.Confirmed:
		return "confirmed: a second call gave the same value"
	case r.Best.Confirmer == record.ByFunction:
		return "NOT REPEATABLE: a second call gave " + exact.Format(float64(r.Best.FHost))
	case r.Best.Confirmer != "device":
	case r.Best.WhyDevice != "":
		return yes + " by a second evaluation on the device, and not by the host: " + r.Best.WhyDevice
	default:
		return yes + " by a second evaluation on the device; there is no host reference"
	}
	f, host := float64(r.Best.F), float64(r.Best.FHost)
	difference := fmt.Sprintf("difference %.1g", math.Abs(f-host))
	if size := math.Abs(host); size >= 1 {
		difference = fmt.Sprintf("relative difference %.1g", math.Abs(f-host)/size)
	}
	return fmt.Sprintf("%s by the %s, %s", yes, r.Best.Confirmer, difference)
}

// Finish prints the result of a single run, which may be nil, and returns err.
func Finish(c *Call, s *flags.Settings, r *record.Result, err error) error {
	if r == nil {
		return err
	}
	c.Stored, c.Code = err == nil && !s.JSON, r.ExitCode
	if s.JSON {
		record.WriteLine(c.Stdout, r)
	} else {
		summary(c.Stdout, r, s.Restart, s.Allow())
	}
	return err
}
