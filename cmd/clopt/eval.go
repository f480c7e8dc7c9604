package main

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/clopt/clopt/cmd/clopt/internal/exit"
	"github.com/clopt/clopt/cmd/clopt/internal/flags"
	"github.com/clopt/clopt/cmd/clopt/internal/job"
	"github.com/clopt/clopt/internal/problems/input"
	"github.com/clopt/clopt/internal/shard/trial"
	"github.com/clopt/clopt/internal/solvers/runs/exact"
	"github.com/clopt/clopt/problems"
	"github.com/clopt/clopt/problems/catalog"
	"github.com/clopt/clopt/problems/opencl"
	"github.com/clopt/clopt/shard"
)

// evalOptions are the flags of "clopt eval".
var evalOptions = slices.Concat([]flags.Option{
	{Group: "what", Name: "x", Arg: "FILE", Usual: true, NoEnv: true,
		Help: "points: text with one per line, or .npy; for graphs assignments of 0/1, -1/1 or 1/2; " +
			"- reads standard input"},
	{Group: "what", Name: "dim", Short: "n", Arg: "N", Usual: true,
		Help: "number of variables; default: that of the problem, or the number of columns in the file"},
	flags.DataOption,
	{Group: "what", Name: "set", Arg: "K=V", Usual: true, List: true, NoEnv: true,
		Help: "parameter of the problem (repeatable), as in NAME:K=V"},
}, flags.Usual("drop-loops", "merge-edges", "sign", "pairs", "fix", "maximize", "minimize"), []flags.Option{
	{Group: "numbers", Name: "host", Usual: true, NoEnv: true,
		Help: "use the float64 reference of the host, or the text of an objective as the host reads it, instead of " +
			"devices"},
	{Group: "numbers", Name: "precision", Arg: "fp64|fp32", Def: "fp64", Usual: true,
		Help: "variables and arithmetic on the devices"},
	{Group: "devices", Name: "devices", Short: "d", Arg: "SELECTOR", Usual: true, Help: "as in clopt run"},
	{Group: "devices", Name: "trial-time", Arg: "DURATION", Def: "30s", Help: "as in clopt run"},
	{Group: "output", Name: "json", Usual: true, NoEnv: true, Help: "print one JSON object"},
})

func evalCommand(call *job.Call) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "eval PROBLEM --x FILE",
		Short: "Print the values of given points, one per line",
		Args:  flags.OneArg("PROBLEM"), ValidArgsFunction: flags.CompleteProblem,
		RunE: func(cmd *cobra.Command, args []string) error {
			return runEval(cmd.Context(), call, flags.New(evalOptions, cmd.Flags(), call.Getenv, nil), args[0])
		},
	}
	flags.SetOptions(call.Stdout, cmd, append(evalOptions, flags.HostOptions()...))
	return cmd
}

// evaluation is what the flags of eval say.
type evaluation struct {
	spec, file, devices string
	opt                 problems.Options
	prec                problems.Precision
	host, json          bool
	trialTime           time.Duration
}

// newEvaluation parses the flags. The error joins all complaints.
func newEvaluation(c *flags.Config, spec string) (evaluation, error) {
	e := evaluation{
		spec: withKeys(spec, c.Values["set"].Vals), file: c.Text("x"), devices: c.Text("devices"),
		opt: flags.ReadProblemOptions(c), prec: flags.Read(c, "precision", problems.ParsePrecision),
		host: flags.Read(c, "host", flags.ParseSwitch), json: flags.Read(c, "json", flags.ParseSwitch),
		trialTime: flags.Read(c, "trial-time", flags.ParseDuration),
	}
	if e.file == "" {
		c.Complain("x", c.Values["x"], "is missing: give a file of points, or - for standard input")
	}
	if _, err := flags.ParseSet(c.Values["set"].Vals); err != nil {
		c.Complain("set", c.Values["set"], "%v", err)
	}
	if e.host && c.Values["devices"].Origin == "flag" { // CLOPT_DEVICES is for all commands
		c.Complain("host", c.Values["host"], "cannot be combined with --devices")
	}
	return e, c.Err()
}

// runEval executes "clopt eval".
func runEval(ctx context.Context, call *job.Call, c *flags.Config, spec string) error {
	e, err := newEvaluation(c, spec)
	if err != nil {
		return err
	}
	p, points, err := e.input(ctx, call)
	if err != nil {
		return err
	}
	for _, note := range p.Info().Notes {
		fmt.Fprintf(call.Stderr, "%s: %s\n", p.Spec(), note)
	}
	for _, warning := range p.Info().Warnings {
		fmt.Fprintln(call.Stderr, warning)
	}
	if data := p.Info().Data; data == "generated" {
		fmt.Fprintf(call.Stderr, "%s: %s; --data DIR reads the official one\n", p.Spec(), problems.DataInWords(data))
	}
	inside, outside := evalBounds(p.Domain(), points)
	if outside != "" {
		fmt.Fprintf(call.Stderr, "%s: %s\n", p.Spec(), outside)
	}
	evaluate := e.onDevices
	if e.host {
		evaluate = e.onHost
	}
	values, err := evaluate(ctx, call, p, points)
	if ctx.Err() != nil {
		return context.Cause(ctx)
	} else if err != nil {
		return err
	}
	for i, x := range points {
		values[i] = problems.Reported(p, x, values[i])
	}
	if e.json {
		shown := make([]any, len(values))
		for i, f := range values {
			f *= p.Info().Sign()
			if digits := problems.Digits(p, points[i], f); digits != "" {
				shown[i] = json.Number(digits)
			} else {
				shown[i] = exact.Number(f)
			}
		}
		return json.NewEncoder(call.Stdout).Encode(map[string]any{"problem": p.Spec().String(), "values": shown,
			"inside": inside})
	}
	for i, f := range values {
		f *= p.Info().Sign()
		fmt.Fprintln(call.Stdout, cmp.Or(problems.Digits(p, points[i], f), exact.Format(f)))
	}
	return nil
}

// evalBounds reports which points are inside the bounds, and describes those that are not; "" if there are none.
func evalBounds(d problems.Domain, points [][]float64) (inside []bool, outside string) {
	first, n := "", 0
	for i, x := range points {
		where := flags.Outside(d, x)
		if inside = append(inside, where == ""); where != "" {
			if n++; n == 1 {
				first = fmt.Sprintf("point %d, %s", i+1, where)
			}
		}
	}
	if n > 1 {
		first = fmt.Sprintf("%d of %d points are outside the bounds, the first is %s", n, len(points), first)
	}
	return inside, first
}

// onHost returns the values of points by the reference of the host, or by the text of an objective, which the host
// reads.
func (e evaluation) onHost(ctx context.Context, _ *job.Call, p problems.Problem, points [][]float64) (values []float64,
	err error) {
	h, ok := p.(problems.Referenced)
	if !ok {
		return e.ofText(ctx, p, points)
	}
	for _, x := range points {
		f, err := problems.Eval(h, x)
		if err != nil || ctx.Err() != nil {
			return nil, err
		}
		values = append(values, f)
	}
	return values, nil
}

// mostOnHost is how many operations a value may take on the host, some minutes.
const mostOnHost = 1 << 37

// ofText returns the values of points by the text of an objective on the host.
func (e evaluation) ofText(ctx context.Context, p problems.Problem, points [][]float64) (values []float64, err error) {
	h, err := problems.OnHost(p, problems.FP64)
	if err != nil {
		return nil, exit.Usagef("--host: %s has no host reference: %w. Leave --host out to evaluate it on a device.",
			e.spec, err)
	}
	for _, x := range points {
		sums, _, err := h.Sum(p.Tiling().M, x, mostOnHost)
		if ctx.Err() != nil {
			return nil, err
		} else if err != nil {
			return nil, exit.With(exit.Usage, err)
		}
		values = append(values, p.Objective(sums))
	}
	return values, nil
}

// mostWatched is the largest number of points of an objective at which every read is watched.
const mostWatched = 16

// onDevices returns the values of points by devices.
func (e evaluation) onDevices(ctx context.Context, call *job.Call, p problems.Problem,
	points [][]float64) ([]float64, error) {
	chosen, err := shard.Select(e.devices, e.prec)
	if err != nil {
		return nil, err
	}
	found, err := job.Trial(ctx, p, e.prec, chosen[0], e.trialTime)
	if err != nil {
		return nil, err
	}
	if warning := job.Unread(p, found.Seen); warning != "" {
		fmt.Fprintln(call.Stderr, warning)
	}
	if call.Ranks != nil {
		return call.Ranks.Evaluate(ctx, e.devices, p, e.prec, e.opt.Data, points)
	}
	g, err := shard.Open(chosen, shard.Options{})
	if err != nil {
		return nil, exit.With(exit.NoDevice, err)
	}
	defer g.Close()
	if found.Clean {
		trial.Passed(g, p)
	}
	if err := trial.Try(ctx, g, p, e.prec); err != nil {
		return nil, err
	}
	defer call.OnCrash(p, chosen)()
	if p.Spec().Family == problems.OpenCL { // a text may be wrong in a branch that is taken only here
		for _, x := range points[:min(len(points), mostWatched)] {
			if _, err := trial.At(ctx, g, p, e.prec, x); err != nil {
				return nil, err
			}
		}
		if len(points) > mostWatched {
			fmt.Fprintf(call.Stderr, "%s: what components read was watched at the first %d of %d points only\n",
				p.Spec(), mostWatched, len(points))
		}
	}
	return shard.Evaluate(ctx, g, p, e.prec, points)
}

// sized reports whether a spec is a file of an objective that gives its number of variables.
func sized(s problems.Spec) bool {
	if s.Family != problems.OpenCL {
		return false
	}
	_, sized, err := opencl.Declared(s.Name)
	return err == nil && sized
}

// input reads the problem and the points. If neither -n nor the problem gives the number of variables, it is the number
// of columns in the file.
func (e evaluation) input(ctx context.Context, call *job.Call) (problems.Problem, [][]float64, error) {
	file, opt := e.file, e.opt
	shown := file
	if file == "-" {
		path, err := spool(ctx, call)
		if err != nil {
			return nil, nil, err
		}
		call.Undo(func() { os.Remove(path) })
		defer os.Remove(path)
		file, shown = path, "stdin"
	}
	rename := func(err error) error {
		if e, ok := errors.AsType[*input.Error](err); ok && e.File == file {
			e.File = shown
		}
		return exit.With(exit.Usage, err)
	}
	s, err := catalog.Spec(e.spec)
	if err != nil {
		return nil, nil, exit.With(exit.Usage, err)
	}
	if n, err := s.Dim(); opt.Dim == 0 && n == 0 && err == nil && !flags.IsGraph(s) && !sized(s) {
		points, err := input.ReadPoints(file, 0)
		if err != nil {
			return nil, nil, rename(err)
		}
		opt.Dim = points.Dim
		p, err := flags.ParseProblem(e.spec, opt, e.prec, e.host)
		if err != nil && !s.File {
			err = fmt.Errorf("%s has points of %d variables: %w", shown, points.Dim, err)
		}
		return p, points.X, err
	}
	p, err := flags.ParseProblem(e.spec, opt, e.prec, e.host)
	if err != nil {
		return nil, nil, err
	}
	points, err := flags.ReadPoints(file, p)
	if err != nil {
		return nil, nil, rename(err)
	}
	return p, points.X, nil
}

// spool copies standard input to a file, since the size of the input must be known. A signal ends the wait for input.
func spool(ctx context.Context, call *job.Call) (string, error) {
	f, err := os.CreateTemp("", "clopt-points-")
	if err != nil {
		return "", exit.Failf(exit.Output, "standard input: %w", err)
	}
	copied := make(chan error, 1)
	go func() {
		_, err := io.Copy(f, call.Stdin)
		copied <- err
	}()
	select {
	case err = <-copied:
	case <-ctx.Done():
		f.Close() // the copy ends at its next write, or with the process
		os.Remove(f.Name())
		return "", context.Cause(ctx)
	}
	if err = errors.Join(err, f.Close()); err != nil {
		os.Remove(f.Name())
		return "", exit.Usagef("standard input: %w", err)
	}
	return f.Name(), nil
}

// withKeys adds key=value parameters to a spec.
func withKeys(spec string, keys []string) string {
	for _, kv := range keys {
		if strings.Contains(spec, ":") {
			spec += "," + kv
		} else {
			spec += ":" + kv
		}
	}
	return spec
}
