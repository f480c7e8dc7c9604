package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"github.com/clopt/clopt/problems"
	"github.com/clopt/clopt/problems/catalog"
	"github.com/clopt/clopt/problems/input"
	"github.com/clopt/clopt/shard"
)

func (a *app) evalCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "eval PROBLEM --x FILE",
		Short: "Print the values of given points, one a line",
		Args:  oneArg("PROBLEM"), ValidArgsFunction: completeProblem,
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.eval(cmd.Context(), newConfig(evalOptions, cmd.Flags(), a.getenv, nil), args[0])
		},
	}
	addOptions(cmd.Flags(), evalOptions)
	a.optionUsage(cmd, evalOptions)
	return cmd
}

func (a *app) eval(ctx context.Context, c *config, spec string) error {
	dim := int(read(c, "dim", parseDim))
	prec := read(c, "precision", problems.ParsePrecision)
	host := read(c, "host", parseSwitch)
	file := c.text("x")
	if file == "" {
		c.complain("x", c.values["x"], "is missing: give a file of points, or - for standard input")
	}
	if _, err := parseSet(c.values["set"].vals); err != nil {
		c.complain("set", c.values["set"], "%v", err)
	}
	if host && c.values["devices"].origin == "flag" { // a variable is for all commands
		c.complain("host", c.values["host"], "goes not with --devices")
	}
	if err := c.err(); err != nil {
		return err
	}
	opt := readGraphFlags(c).into(problems.Options{Dim: dim, Data: c.path("data")})
	if err := c.err(); err != nil {
		return err
	}
	p, points, err := a.evalInput(ctx, withKeys(spec, c.values["set"].vals), file, opt, prec, host)
	if err != nil {
		return err
	}
	for _, note := range p.Info().Notes {
		fmt.Fprintf(a.stderr, "%s: %s\n", p.Spec(), note)
	}
	if p.Info().Data == "generated" {
		fmt.Fprintln(a.stderr, "data=generated")
	}
	var values []float64
	if host {
		h, ok := p.(problems.Referenced)
		if !ok {
			return usagef("--host: %s has no host reference. Leave --host out to evaluate it on a device.", spec)
		}
		for _, x := range points {
			f, err := problems.Eval(h, x)
			if err != nil {
				return err
			}
			values = append(values, f)
			if ctx.Err() != nil {
				return context.Cause(ctx)
			}
		}
	} else {
		chosen, err := selectDevices(c.text("devices"), prec, nil)
		if err != nil {
			return err
		}
		if err := trial(ctx, p, prec, chosen.infos[0]); err != nil {
			return err
		}
		g, err := chosen.open(shard.Options{})
		if err != nil {
			return err
		}
		defer g.Close()
		values, err = shard.Evaluate(ctx, g, p, prec, points)
		if err != nil {
			if ctx.Err() != nil {
				return context.Cause(ctx)
			}
			return err
		}
	}
	for _, f := range values {
		fmt.Fprintln(a.stdout, formatValue(p.Info().Sign()*f))
	}
	return nil
}

// evalInput reads the points and the problem. The number of variables is that
// of the problem where -n or the spec gives one, or a graph has it, else the
// file's columns.
func (a *app) evalInput(ctx context.Context, spec, file string, opt problems.Options, prec problems.Precision, host bool) (problems.Problem, [][]float64, error) {
	shown := file
	if file == "-" {
		path, err := a.spool(ctx)
		if err != nil {
			return nil, nil, err
		}
		defer os.Remove(path)
		file, shown = path, "stdin"
	}
	rename := func(err error) error {
		if e, ok := errors.AsType[*input.Error](err); ok && e.File == file {
			e.File = shown
		}
		return coded(exitUsage, err)
	}
	s, err := catalog.Spec(spec)
	if err != nil {
		return nil, nil, coded(exitUsage, err)
	}
	if n, err := s.Dim(); opt.Dim == 0 && n == 0 && err == nil && !isGraph(s) {
		points, err := input.ReadPoints(file, 0)
		if err != nil {
			return nil, nil, rename(err)
		}
		opt.Dim = points.Dim
		p, err := parseProblem(spec, opt, prec, host)
		return p, points.X, err
	}
	p, err := parseProblem(spec, opt, prec, host)
	if err != nil {
		return nil, nil, err
	}
	points, err := readPoints(file, p)
	if err != nil {
		return nil, nil, rename(err)
	}
	return p, points.X, nil
}

// spool copies standard input to a file: points are read with their size. A
// signal ends the wait for input.
func (a *app) spool(ctx context.Context) (string, error) {
	f, err := os.CreateTemp("", "clopt-points-")
	if err != nil {
		return "", fail(exitOutput, "standard input: %w", err)
	}
	copied := make(chan error, 1)
	go func() {
		_, err := io.Copy(f, a.stdin)
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
		return "", usagef("standard input: %w", err)
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

// formatValue writes a value with all its digits.
func formatValue(f float64) string {
	switch {
	case math.IsNaN(f):
		return "NaN"
	case f == 0:
		return "0" // also of -0, which a sign makes
	case math.IsInf(f, 0):
		return fmt.Sprintf("%+v", f) // +Inf or -Inf
	}
	return fmt.Sprintf("%.17g", f)
}
