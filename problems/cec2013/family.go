package cec2013

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/clopt/clopt/internal/problems/input"
	"github.com/clopt/clopt/problems"
)

const (
	name      = "cec2013"
	reference = "X. Li, K. Tang, M. N. Omidvar, Z. Yang, K. Qin: Benchmark Functions for the CEC'2013 Special " +
		"Session and Competition on Large-Scale Global Optimization, RMIT University, 2013"
)

// Family is the suite: cec2013/f1 to cec2013/f15.
var Family = problems.Family{
	Name: name, Title: "CEC'2013 large-scale global optimization", Keys: []string{"mode", "transform"},
	Parse: parse, List: entries, Describe: describe,
}

func entries() (all []problems.Entry) {
	for f := 1; f <= 15; f++ {
		kind := kinds[f]
		all = append(all, problems.Entry{
			Name: fmt.Sprintf("%s/f%d", name, f), Title: kind.Title, Dim: defaultDim(f), Modes: slices.Clone(modes),
			Lo: -kind.Box, Hi: kind.Box, References: []string{reference},
		})
	}
	return all
}

func parse(s problems.Spec, data string) (problems.Problem, error) {
	f, err := strconv.Atoi(strings.TrimPrefix(s.Name, "f"))
	if err != nil {
		return nil, input.Errorf("", 0, 0, "cec2013 has functions f1 to f15, not %s", s.Name)
	}
	n, err := s.Dim()
	if err != nil {
		return nil, err
	}
	mode, _ := s.Get("mode")
	var d *Data
	if data == "" {
		d = Generate(f)
	} else if d, err = Load(data, f); err != nil {
		return nil, err
	}
	c, err := New(f, n, strings.ToLower(mode), d)
	if err != nil {
		return nil, err
	}
	switch transform, ok := s.Get("transform"); {
	case !ok:
		return c, nil
	case transform != "none":
		return nil, input.Errorf("", 0, 0, "cec2013/f%d: transform is %q; only none can be given", f, transform)
	}
	if c, err = c.withoutTransforms(); err != nil {
		return nil, err
	}
	return c, nil
}

func describe(e problems.Entry) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s  %s\n", e.Name, e.Title)
	fmt.Fprintf(&b, "  n      default %d; a multiple of 1000", e.Dim)
	if e.Dim == overlapVars {
		fmt.Fprintf(&b, ", or %d", overlapVars)
	}
	fmt.Fprintf(&b, "\n  box    [%g, %g]\n", e.Lo, e.Hi)
	fmt.Fprintf(&b, "  mode   %s (default): sum over blocks of 1000 variables, all with the same data\n", ModeBlocks)
	fmt.Fprintf(&b, "         %s: no shift; f1, f2, f3 and f12 over all variables, any n from 2 on\n", ModePaper)
	fmt.Fprintf(&b, "         %s: blocks, each with a shift of its own\n", ModeDistinct)
	if f, err := strconv.Atoi(strings.TrimPrefix(e.Name, name+"/f")); err == nil && kinds[f].base == cecAckley {
		fmt.Fprint(&b, "  transform  none: without the transformations of the benchmark, a far easier function\n")
	}
	for _, r := range e.References {
		fmt.Fprintf(&b, "  from   %s\n", r)
	}
	return b.String()
}
