package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/clopt/clopt/cl"
	"github.com/clopt/clopt/cmd/clopt/internal/exit"
	"github.com/clopt/clopt/cmd/clopt/internal/job"
	"github.com/clopt/clopt/problems"
	"github.com/clopt/clopt/shard"
	"github.com/clopt/clopt/shard/trial"
	"github.com/clopt/clopt/solvers"
	"github.com/clopt/clopt/solvers/methods"
)

// printObjective prints what an objective file says.
func printObjective(w io.Writer, p problems.Problem) error {
	text, err := p.Text(problems.FP64, problems.Item)
	if err != nil {
		return err
	}
	line := func(what, format string, args ...any) {
		fmt.Fprintf(w, "  %-12s%s\n", what, fmt.Sprintf(format, args...))
	}
	i, s := p.Info(), p.Structure()
	fmt.Fprintln(w, p.Spec())
	line("name", "%s", i.Title)
	line("variables", "%s", boxInWords(p.Domain()))
	line("components", "%d, which read: %s", s.Components(), readsInWords(s))
	line("sums", "%d", p.Accumulators())
	for j, label := range i.Sums {
		if label != "" {
			line("", "s%d is %s", j, label)
		}
	}
	if n := s.Inner(); n > 0 {
		line("inner sums", "%d of each component", n)
	}
	if n := s.Squares(0); n > 0 {
		line("squares", "%d of each component", n)
	}
	if i.Maximize {
		line("sense", "maximize")
	}
	if f, ok := i.BestKnown(); ok {
		line("best known", "%v", i.Sign()*f)
	}
	if i.Target != nil {
		line("target", "%v", i.Sign()**i.Target)
	}
	for _, t := range text.Tables {
		kind := "real"
		if t.Uint != nil {
			kind = "uint"
		}
		line("table", "d.%s, %d numbers, %s", t.Name, max(len(t.Real), len(t.Uint)), kind)
	}
	var sizes []string
	for _, n := range text.Numbers {
		if !strings.HasSuffix(n.Name, "_len") {
			sizes = append(sizes, fmt.Sprintf("d.%s = %d", n.Name, n.Value))
		}
	}
	if sizes != nil {
		line("sizes", "%s", strings.Join(sizes, ", "))
	}
	line("files", "%s", strings.Join(i.Files, " "))
	method, reason := methods.Auto(p, problems.FP64, solvers.Budget{})
	line("method", "%s, because %s", method.Name(), reason)
	return nil
}

// boxInWords says how many variables there are and where.
func boxInWords(d problems.Domain) string {
	lo, hi := d.Box()
	if d.OneBox() {
		return fmt.Sprintf("%d in [%g, %g]", d.N, lo, hi)
	}
	fixed := 0
	for i := range d.N {
		if lo, hi := d.Interval(i); lo == hi {
			fixed++
		}
	}
	return fmt.Sprintf("%d, each with bounds of its own within [%g, %g]; %d are fixed", d.N, lo, hi, fixed)
}

// tryObjective builds an objective for the first of the chosen devices and evaluates it once. The device is "" if there
// is none.
func tryObjective(ctx context.Context, p problems.Problem, devices string, limit time.Duration) (device string,
	err error) {
	chosen, err := shard.Select(devices, problems.FP64)
	if _, none := errors.AsType[*cl.NoDeviceError](err); none {
		return "", nil
	} else if err != nil {
		return "", err
	}
	device = chosen[0].String()
	if err := job.Trial(ctx, p, problems.FP64, chosen[0], limit); err != nil {
		return device, err
	}
	g, err := shard.Open(chosen[:1], shard.Options{})
	if err != nil {
		return device, exit.With(exit.NoDevice, err)
	}
	defer g.Close()
	return device, trial.Run(ctx, g, p, problems.FP64)
}
