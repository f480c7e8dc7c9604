package runs

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/clopt/clopt/internal/problems/input"
	"github.com/clopt/clopt/internal/problems/rescale"
	"github.com/clopt/clopt/internal/solvers/restart"
	"github.com/clopt/clopt/internal/solvers/runs/checkpoints"
	"github.com/clopt/clopt/internal/solvers/runs/exact"
	"github.com/clopt/clopt/internal/solvers/runs/record"
	"github.com/clopt/clopt/problems"
	"github.com/clopt/clopt/problems/cut"
	"github.com/clopt/clopt/solvers"
)

// abandon ends a run that has no result, and returns the error. It removes the folder if there is no sample in it.
func (s *Session) abandon(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		err = fmt.Errorf("%w before the first step; there is no result", context.Cause(ctx))
	}
	rec := s.recorder
	s.say(Logged, "%s", err)
	at := rec.now()
	stop := "error"
	last := (*solvers.Sample)(nil)
	if ctx.Err() != nil {
		stop = solvers.Cancelled.String()
	}
	if rec.have {
		last = &rec.last
	}
	rec.failed(err)
	rec.line(record.Failure(at, stop, last, rec.sign, s.run.code(nil, err)))
	rec.trace.close()
	if !rec.have && rec.trace.ready {
		os.RemoveAll(s.dir.Path) // this run made the folder
	}
	return err
}

// samplesName is the file of the best different points.
const samplesName = "samples.json"

// store writes the best point and the result, and ends the trace. ended is the error that Minimize returned together
// with the result.
func (s *Session) store(ctx context.Context, res *solvers.Result, ended error) (*record.Result, error) {
	r, rec := s.run, s.recorder
	out := s.result(res)
	var cause error
	switch res.Status {
	case solvers.Cancelled:
		cause = causeOf(ctx)
	case solvers.Failed:
		cause = ended
	}
	out.Stop.Detail = input.Printable(stopDetail(res, r.Budget, rec.sign, cause), "")

	var failed error
	if name, sum, err := writePoint(s.dir, r.Format, res); err != nil {
		failed = err
	} else if name != "" {
		out.Best.XFile, out.Best.XSHA256 = &name, &sum
	}
	if r.Problem.Domain().Binary && failed == nil {
		name := "best.sol"
		_, failed = s.dir.write(name, func(w io.Writer) error {
			return cut.WriteBinaryPoint(w, r.Problem.Domain(), res.X)
		})
		out.Best.SolFile = &name
		out.Best.Assignment = record.AssignmentOf(r.Problem.Domain(), res.X)
	}
	if r.Keep.Points > 0 && res.Kept != nil && failed == nil {
		name := samplesName
		_, failed = s.dir.write(name, func(w io.Writer) error {
			_, err := w.Write(record.SampleSet(r.Problem, res.Kept))
			return err
		})
		out.Best.SamplesFile = &name
		out.Best.Kept = record.KeptOf(r.Problem, res.Kept)
	}
	rec.trace.find(s.dir)
	out.ExitCode = r.code(res, cause)
	unwritten := r.code(nil, fault(Output, "not written"))
	if (failed != nil || rec.trace.err != nil) && out.ExitCode == 0 {
		out.ExitCode = unwritten
	}
	if !res.Confirmed {
		s.say(Note, "! %s", advised(unconfirmed(res, rec.sign, ended), " ", r.Advice.Unconfirmed))
	}
	if res.Status == solvers.Time && res.Steps == 0 {
		s.say(Note, "! the time was over in the first step, so the result is a start point, or little more. Give the "+
			"run more time.")
	}
	if b := out.Best; b.Sampled != nil && b.Sampled.Better {
		advice := r.Advice.Worse
		if res.Status == solvers.Target {
			advice = r.Advice.Easy
		}
		s.say(Note, "! %s", advised(fmt.Sprintf("the best of %d uniform points, %g, is better than the result, %g.",
			b.Sampled.Points, float64(b.Sampled.Best), float64(b.F)), " ", advice))
	}
	rec.trace.write(rec.later(out.End()))
	if rec.trace.err == nil {
		out.TraceSHA256 = new(rec.trace.sum().SHA256)
	}
	failed = errors.Join(failed, rec.trace.close(), s.dir.writeResult(out))
	if failed == nil {
		s.dir.RemoveIfExists(earlierName) // if that fails, the newer result counts
	}
	if failed != nil {
		s.say(Failure, "%s", failed)
		if out.ExitCode == 0 {
			out.ExitCode = unwritten
		}
	}
	if r.Discard && failed == nil && res.Status != solvers.Cancelled {
		s.dir.RemoveAll(checkpoints.Name)
		out.Resumable = false
	}
	r.observer().Line(out.End())
	out.Folder = s.dir.Path
	return out, failed
}

// result returns the contents of result.json, except for files and the exit code.
func (s *Session) result(res *solvers.Result) *record.Result {
	r := s.run
	rec := s.recorder
	keeper := s.keeper
	kinds := keeper.manifest.Kinds
	repeats := len(kinds) == 1
	if problems.CallOf(r.Problem) != nil {
		kinds, repeats = []string{}, res.Confirmed
	}
	out := &record.Result{
		Task: s.task, Dim: r.Problem.Domain().N, Best: record.BestOf(r.Problem, res),
		Effort: record.EffortOf(res), Start: s.start,
		Ending: record.Ending{
			Limits: record.LimitsOf(r.Budget, rec.sign), Stop: record.Stop{Reason: res.Status.String()},
			Events: record.Events{Lost: keeper.manifest.Lost, NonFinite: res.NonFinite, Resumed: keeper.resumed},
		},
		Place: record.Place{
			Devices:     s.devices,
			Determinism: record.Determinism{Kinds: kinds, Repeat: repeats && !byClock(res.Status, r.Budget)},
		},
		Command: input.Printable(r.Command, ""), Cell: r.Cell,
	}
	if note := rescale.Note(r.Problem.Domain()); note != "" {
		out.Notes = []string{note}
	}
	if res.Confirmer == record.ByFunction && !res.Confirmed {
		out.Notes = append(out.Notes, "not repeatable: a second call at the best point gave another value")
	}
	ended := res.Status == solvers.Optimal ||
		res.Status == solvers.Finished && !restart.Can(r.Solver, r.Problem, r.Precision)
	out.Resumable = keeper.final && !ended && !out.Best.Optimal() ||
		res.Status == solvers.Failed && keeper.store.Any()
	if r.Problem.Spec().Family == problems.OpenCL {
		out.Name = r.Problem.Info().Title
	}
	return out
}

// stopDetail describes how a run ended. cause is the reason for cancelling it, or the error of a failed run.
func stopDetail(res *solvers.Result, b solvers.Budget, sign float64, cause error) string {
	switch res.Status {
	case solvers.Evaluations:
		return fmt.Sprintf("no further step fits into %d evaluations", b.Evaluations)
	case solvers.Moves:
		return fmt.Sprintf("no further step fits into %d moves", b.Moves)
	case solvers.Finished:
		return "the method came to the end of its schedule"
	case solvers.Time:
		return fmt.Sprintf("the time of %v is over", b.Time)
	case solvers.Target:
		return fmt.Sprintf("the target %g is met", sign**b.Target)
	case solvers.Flat:
		return fmt.Sprintf("the slope is %.2g, at most %g", res.Slope.Norm, b.GTol)
	case solvers.Optimal:
		return "no value is better than the best one, which is proven"
	case solvers.Stall:
		if b.Stall > 0 {
			return fmt.Sprintf("no better value for %v", b.Stall)
		}
		return fmt.Sprintf("no gain in %d evaluations", b.StallEvaluations)
	case solvers.Failed:
		return firstLine(cause.Error())
	case solvers.Cancelled:
		if cause != nil {
			return cause.Error()
		}
		return "cancelled"
	}
	return ""
}

// causeOf returns the reason that was given for cancelling ctx, or nil if there was none.
func causeOf(ctx context.Context) error {
	if cause := context.Cause(ctx); cause != ctx.Err() {
		return cause
	}
	return nil
}

// unconfirmed says why a result is not confirmed.
func unconfirmed(res *solvers.Result, sign float64, ended error) string {
	if e, ok := errors.AsType[*solvers.ConfirmError](ended); ok {
		return strings.TrimSuffix(e.Error(), ".") + "."
	} else if res.Confirmer == record.ByFunction {
		return fmt.Sprintf("the function is not repeatable: at the best point it was %s, and at a second call %s.",
			exact.Format(sign*res.F), exact.Format(sign*res.Again))
	}
	return fmt.Sprintf("the best value is not confirmed: devices %s, %s %s, tolerance %.2g.",
		exact.Format(sign*res.F), res.Confirmer, exact.Format(sign*res.Again), res.Tolerance)
}

// advised returns a text followed by advice, if there is any.
func advised(text, between, advice string) string {
	if advice == "" {
		return text
	}
	return text + between + advice
}

// byClock reports whether the end of a run depended on the clock, so that a repeated run may end at another step.
func byClock(s solvers.Status, b solvers.Budget) bool {
	switch s {
	case solvers.Evaluations, solvers.Moves, solvers.Target, solvers.Flat, solvers.Optimal,
		solvers.Finished:
		return false
	case solvers.Stall:
		return b.Stall > 0
	}
	return true
}
