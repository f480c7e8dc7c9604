package cut

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/clopt/clopt/problems"
	"github.com/clopt/clopt/problems/graph"
	"github.com/clopt/clopt/problems/input"
)

// generateCut returns the cut of a generated graph.
func generateCut(kind string, spec problems.Spec) (*Cut, error) {
	sides, err := parseSides(kind, value(spec, kind))
	if err != nil {
		return nil, err
	}
	seed, err := uint64(1), error(nil)
	if text, ok := spec.Get("seed"); ok {
		if seed, err = strconv.ParseUint(text, 10, 32); err != nil {
			return nil, input.Errorf("", 0, 0, "seed is %s; use a whole number from 0 to %d", input.Shown([]byte(text)),
				uint32(math.MaxUint32))
		}
	}
	p := 0.5
	if text, ok := spec.Get("p"); ok {
		if p, err = input.ParseDecimal(text); err != nil {
			return nil, input.Errorf("", 0, 0, "p: %v; use a probability from 0 to 1", err)
		}
	} else if kind == "gnp" {
		return nil, input.Errorf("", 0, 0, "gnp needs the probability of an edge, as in maxcut:gnp=1e4,p=0.01")
	}
	law, name, err := parseWeights(kind, value(spec, "weights"))
	if err != nil {
		return nil, err
	}
	var in *graph.Instance
	s := uint32(seed)
	switch kind {
	case "tile":
		in, err = graph.Tile(sides[0], sides[1], p, s)
	case "torus":
		in, err = graph.Torus(sides, law, s)
	case "gnp":
		in, err = graph.GNP(sides[0], p, law, s)
	case "complete":
		in, err = graph.Complete(sides[0], law, s)
	case "cliques":
		in, err = graph.Cliques(sides[0], sides[1], law, s)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", kind, err)
	}
	c := NewMaxCut(in.Graph)
	if in.Known {
		f := c.Value(in.Best)
		c.best, c.side = &f, in.Side
	}
	text := make([]string, len(sides))
	for i, l := range sides {
		text[i] = strconv.Itoa(l)
	}
	c.spec = c.spec.With(kind, strings.Join(text, "x"))
	if kind == "tile" || kind == "gnp" {
		c.spec = c.spec.With("p", fmt.Sprint(p))
	}
	if kind != "tile" {
		c.spec = c.spec.With("weights", name)
	}
	c.spec = c.spec.With("seed", strconv.FormatUint(seed, 10))
	return c, nil
}

// parseSides reads "500" or "40x40", with as many numbers as the kind needs.
func parseSides(kind, text string) ([]int, error) {
	form := map[string]string{"tile": "40x40", "torus": "100x100 or 20x20x20", "gnp": "1e4", "complete": "500",
		"cliques": "100x5"}[kind]
	var sides []int
	for part := range strings.SplitSeq(strings.ToLower(text), "x") {
		v, err := input.ParseCount(strings.TrimSpace(part))
		if err != nil || v < 1 || v > math.MaxInt32 {
			return nil, input.Errorf("", 0, 0, "%s is %s; use for example %s=%s", kind, input.Shown([]byte(text)), kind, form)
		}
		sides = append(sides, int(v))
	}
	want := map[string][]int{"tile": {2}, "torus": {2, 3}, "gnp": {1}, "complete": {1}, "cliques": {2}}[kind]
	if !slices.Contains(want, len(sides)) {
		return nil, input.Errorf("", 0, 0, "%s is %s; use for example %s=%s", kind, input.Shown([]byte(text)), kind, form)
	}
	return sides, nil
}

// parseWeights reads unit, pm1 or LO..HI; "" means the default of the kind. name is the canonical form.
func parseWeights(kind, text string) (law graph.Weights, name string, err error) {
	if text == "" {
		text = map[string]string{"torus": "pm1", "gnp": "unit"}[kind]
		if text == "" {
			text = "1..5"
		}
	}
	switch strings.ToLower(text) {
	case "unit", "1", "1..1":
		return graph.Unit, "unit", nil
	case "pm1":
		return graph.PM1, "pm1", nil
	}
	left, right, ok := strings.Cut(text, "..")
	lo, err1 := strconv.ParseInt(left, 10, 32)
	hi, err2 := strconv.ParseInt(right, 10, 32)
	if !ok || err1 != nil || err2 != nil || lo > hi {
		return law, "", input.Errorf("", 0, 0, "weights is %s; use unit, pm1 or LO..HI, such as 1..5",
			input.Shown([]byte(text)))
	}
	return graph.Weights{Lo: lo, Hi: hi}, fmt.Sprintf("%d..%d", lo, hi), nil
}
