package runs

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"os"

	"github.com/clopt/clopt/problems"
	"github.com/clopt/clopt/problems/cut"
	"github.com/clopt/clopt/problems/input"
	"github.com/clopt/clopt/solvers"
	"github.com/clopt/clopt/solvers/runs/checkpoints"
	"github.com/clopt/clopt/solvers/runs/exact"
)

// abandon ends a run that has no result, and returns the error. It removes the folder if there is no sample in it.
func (s *Session) abandon(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		err = fmt.Errorf("%w before the first step; there is no result", context.Cause(ctx))
	}
	rec := s.recorder
	s.say(Logged, "%s", err)
	t := rec.now()
	end := EndLine{
		Type: "end", V: 1, T: t, Evals: rec.last.Evaluations, Best: exact.Number(math.NaN()), Stop: "error",
		ExitCode: s.run.code(nil, err),
	}
	if rec.have {
		end.Best = exact.Number(rec.sign * rec.last.Best)
	}
	if ctx.Err() != nil {
		end.Stop = solvers.Cancelled.String()
	}
	rec.failed(err)
	rec.line(end)
	rec.trace.close()
	if !rec.have && rec.trace.ready {
		os.RemoveAll(s.dir.Path) // this run made the folder
	}
	return err
}

// store writes the best point and the result, and ends the trace. ended is the error that Minimize returned together
// with the result.
func (s *Session) store(ctx context.Context, res *solvers.Result, ended error) (*Result, error) {
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
	}
	out.ExitCode = r.code(res, cause)
	unwritten := r.code(nil, fault(Output, "not written"))
	if (failed != nil || rec.trace.err != nil) && out.ExitCode == 0 {
		out.ExitCode = unwritten
	}
	if !res.Confirmed {
		s.say(Note, "! %s", advised(unconfirmed(res, rec.sign, ended), " ", r.Advice.Unconfirmed))
	}
	end := EndLine{
		Type: "end", V: 1, T: out.Seconds, Evals: out.Evaluations, Best: out.Best.F, Stop: out.Stop.Reason,
		ExitCode: out.ExitCode,
	}
	rec.trace.write(end)
	if rec.trace.err == nil {
		out.TraceSHA256 = new(rec.trace.sum().SHA256)
	}
	failed = errors.Join(failed, rec.trace.close(), out.write(s.dir))
	if failed != nil {
		s.say(Failure, "%s", failed)
		if out.ExitCode == 0 {
			out.ExitCode, end.ExitCode = unwritten, unwritten
		}
	}
	if r.Discard && failed == nil && res.Status != solvers.Cancelled {
		s.dir.RemoveAll(checkpoints.Name)
		out.Resumable = false
	}
	r.observer().Line(end)
	out.Folder = s.dir.Path
	return out, failed
}

// result returns the contents of result.json, except for files and the exit code.
func (s *Session) result(res *solvers.Result) *Result {
	r, rec, kinds := s.run, s.recorder, s.keeper.manifest.Kinds
	out := &Result{
		Problem: r.Problem.Spec().String(), Dim: r.Problem.Domain().N, Data: r.Problem.Info().Data,
		Sense: senseOf(rec.sign), Algorithm: r.Algorithm(),
		Seed: r.Seed, Run: s.number, Precision: r.Precision.String(),
		Determinism: determinism{Kinds: kinds, Repeat: len(kinds) == 1 && !byClock(res.Status)},
		Best: Best{
			F: exact.Number(rec.sign * res.F), FHost: exact.Number(rec.sign * res.HostF), Confirmed: res.Confirmed,
			Confirmer: res.Confirmer, Tolerance: exact.Number(res.Tolerance),
		},
		Evaluations: res.Evaluations, Work: exact.Number(res.Work), Steps: res.Steps, Seconds: Seconds(res.Elapsed),
		StartUp: Seconds(res.StartUp), Limits: limitsOf(r.Budget, rec.sign), Searches: searchesOf(res.Searches),
		Stop:    Stop{Reason: res.Status.String()},
		Devices: s.devices, Events: Events{Lost: s.keeper.manifest.Lost, NonFinite: res.NonFinite,
			Resumed: s.keeper.resumed},
		Command: input.Printable(r.Command, ""), Cell: r.Cell,
		Resumable: s.keeper.final && res.Status != solvers.Finished ||
			res.Status == solvers.Failed && s.keeper.store.Any(),
	}
	out.Best.measure(r.Problem, res.Again, res.X)
	out.Best.Sums = labelled(r.Problem, res.Sums)
	if r.Problem.Spec().Family == problems.OpenCL {
		out.Name = r.Problem.Info().Title
	}
	return out
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
		return e.Error() + "."
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
func byClock(s solvers.Status) bool {
	return s != solvers.Evaluations && s != solvers.Target && s != solvers.Finished
}
