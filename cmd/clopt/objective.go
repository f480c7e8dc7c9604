package main

import (
	"context"
	"errors"
	"fmt"
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
	"github.com/clopt/clopt/solvers/runs"
)

// describeObjective describes what an objective file says.
func describeObjective(p problems.Problem) (d description, err error) {
	text, err := p.Text(problems.FP64, problems.Item)
	if err != nil {
		return d, err
	}
	i, s := p.Info(), p.Structure()
	d = description{kind: "objective", name: p.Spec().String()}
	add := func(label, text, key string, value any) { d.facts = append(d.facts, fact{label, text, key, value}) }
	lo, hi := p.Domain().Box()
	add("name", i.Title, "title", i.Title)
	add("variables", boxInWords(p.Domain()), "variables", p.Domain().N)
	add("", "", "bounds", []float64{lo, hi})
	add("components", fmt.Sprintf("%d, which read: %s", s.Components(), readsInWords(s)), "components", s.Components())
	add("", "", "reads", readsInWords(s))
	add("sums", fmt.Sprint(p.Accumulators()), "sums", p.Accumulators())
	for j, label := range i.Sums {
		if label != "" {
			add("", fmt.Sprintf("s%d is %s", j, label), fmt.Sprintf("s%d", j), label)
		}
	}
	if n := s.Inner(); n > 0 {
		add("inner sums", fmt.Sprintf("%d of each component", n), "inner_sums", n)
	}
	if n := s.Squares(0); n > 0 {
		add("squares", fmt.Sprintf("%d of each component", n), "squares", n)
	}
	sense := runs.Minimize
	if i.Maximize {
		sense = runs.Maximize
	}
	add("sense", string(sense), "sense", sense)
	d.facts = append(d.facts, bestKnown(p))
	if i.Target != nil {
		add("target", fmt.Sprint(i.Sign()**i.Target), "target", i.Sign()**i.Target)
	}
	for _, t := range text.Tables {
		kind := "real"
		if t.Uint != nil {
			kind = "uint"
		}
		n := max(len(t.Real), len(t.Uint))
		add("table", fmt.Sprintf("d.%s, %d numbers, %s", t.Name, n, kind), "d."+t.Name, n)
	}
	var sizes []string
	for _, n := range text.Numbers {
		if !strings.HasSuffix(n.Name, "_len") {
			sizes = append(sizes, fmt.Sprintf("d.%s = %d", n.Name, n.Value))
		}
	}
	add("sizes", strings.Join(sizes, ", "), "", nil)
	add("files", strings.Join(i.Files, " "), "files", i.Files)
	method, reason := methods.Auto(p, problems.FP64, solvers.Budget{})
	add("method", fmt.Sprintf("%s, because %s", method.Name(), reason), "method", method.Name())
	add("", "", "reason", reason)
	return d, nil
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
