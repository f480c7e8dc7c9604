package cut

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/clopt/clopt/internal/problems/input"
	"github.com/clopt/clopt/problems"
	"github.com/clopt/clopt/problems/graph"
)

// generator describes one kind of generated graphs.
type generator struct {
	example string // of its key
	sides   []int  // how many numbers the key may have
	p       string // "" if it takes no key p; else the default, or required
	weights string // "" if it takes no key weights; else the default
	make    func(sides []int, p float64, law graph.Weights, seed uint32) (*graph.Instance, error)
}

// required is the default of a key that has none.
const required = "required"

// generators are the kinds of generated graphs, by the key that begins their spec.
var generators = map[string]generator{
	"tile": {"40x40", []int{2}, "0.5", "", func(l []int, p float64, _ graph.Weights,
		seed uint32) (*graph.Instance, error) {
		return graph.Tile(l[0], l[1], p, seed)
	}},
	"torus": {"100x100 or 20x20x20", []int{2, 3}, "", "pm1", func(l []int, _ float64, law graph.Weights,
		seed uint32) (*graph.Instance, error) {
		return graph.Torus(l, law, seed)
	}},
	"gnp": {"1e4", []int{1}, required, "unit", func(l []int, p float64, law graph.Weights,
		seed uint32) (*graph.Instance, error) {
		return graph.GNP(l[0], p, law, seed)
	}},
	"complete": {"500", []int{1}, "", "1..5", func(l []int, _ float64, law graph.Weights,
		seed uint32) (*graph.Instance, error) {
		return graph.Complete(l[0], law, seed)
	}},
	"cliques": {"100x5", []int{2}, "", "1..5", func(l []int, _ float64, law graph.Weights,
		seed uint32) (*graph.Instance, error) {
		return graph.Cliques(l[0], l[1], law, seed)
	}},
}

// keys returns the keys of a spec of this kind.
func (g generator) keys(kind string) []string {
	keys := []string{kind}
	if g.p != "" {
		keys = append(keys, "p")
	}
	if g.weights != "" {
		keys = append(keys, "weights")
	}
	return append(keys, "seed")
}

// generateCut returns the cut of a generated graph.
func generateCut(kind string, spec problems.Spec) (*Cut, error) {
	g := generators[kind]
	sides, err := g.parseSides(kind, value(spec, kind))
	if err != nil {
		return nil, err
	}
	seed, err := parseSeed(spec)
	if err != nil {
		return nil, err
	}
	p := 0.0
	if g.p != "" {
		text, ok := spec.Get("p")
		if !ok {
			text = g.p
		}
		if text == required {
			return nil, input.Errorf("", 0, 0, "%s needs the probability of an edge, as in maxcut:%s=%s,p=0.01", kind,
				kind, g.example)
		}
		if p, err = input.ParseDecimal(text); err != nil {
			return nil, input.Errorf("", 0, 0, "p: %v; use a probability from 0 to 1", err)
		}
	}
	law, name, err := parseWeights(cmp.Or(value(spec, "weights"), g.weights))
	if err != nil {
		return nil, err
	}
	in, err := g.make(sides, p, law, seed)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", kind, err)
	}
	c := NewMaxCut(in.Graph)
	if in.Known {
		f := c.Value(in.Best)
		c.best, c.proven = &f, true
		if in.Side != nil {
			c.optimum = make([]float64, c.n)
			c.Point(in.Side, c.optimum)
		}
	}
	text := make([]string, len(sides))
	for i, l := range sides {
		text[i] = strconv.Itoa(l)
	}
	c.spec = c.spec.With(kind, strings.Join(text, "x"))
	if g.p != "" {
		c.spec = c.spec.With("p", fmt.Sprint(p))
	}
	if g.weights != "" {
		c.spec = c.spec.With("weights", name)
	}
	c.spec = c.spec.With("seed", fmt.Sprint(seed))
	return c, nil
}

// parseSides reads "500" or "40x40", with as many numbers as the kind needs.
func (g generator) parseSides(kind, text string) (sides []int, err error) {
	for part := range strings.SplitSeq(strings.ToLower(text), "x") {
		v, err := input.ParseCount(strings.TrimSpace(part))
		if err != nil || v < 1 || v > math.MaxInt32 {
			sides = nil
			break
		}
		sides = append(sides, int(v))
	}
	if !slices.Contains(g.sides, len(sides)) {
		return nil, input.Errorf("", 0, 0, "%s is %s; use for example %s=%s", kind, input.Shown([]byte(text)), kind,
			g.example)
	}
	return sides, nil
}

// parseWeights reads unit, pm1 or LO..HI, and returns the canonical form as name. "" is for graphs without weights.
func parseWeights(text string) (law graph.Weights, name string, err error) {
	switch strings.ToLower(text) {
	case "":
		return law, "", nil
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

// parseSeed returns the seed of a spec, 1 if it has none.
func parseSeed(s problems.Spec) (uint32, error) {
	text, ok := s.Get("seed")
	if !ok {
		return 1, nil
	}
	seed, err := strconv.ParseUint(text, 10, 32)
	if err != nil {
		return 0, input.Errorf("", 0, 0, "seed is %s; use a whole number from 0 to %d", input.Shown([]byte(text)),
			uint32(math.MaxUint32))
	}
	return uint32(seed), nil
}

// palubeckisKeys are the keys of a generated QUBO.
var palubeckisKeys = []string{"palubeckis", "density", "seed"}

// palubeckis returns the QUBO of a spec such as palubeckis=5000,density=50,seed=51000.
func palubeckis(s problems.Spec) (*Cut, error) {
	numbers := [2]int64{1: 100}
	for i, key := range palubeckisKeys[:2] {
		text, ok := s.Get(key)
		if !ok && i == 1 {
			continue
		}
		v, err := input.ParseCount(text)
		if err != nil || v > input.MaxIndex {
			return nil, input.Errorf("", 0, 0, "%s is %s; use for example palubeckis=5000,density=50,seed=51000", key,
				input.Shown([]byte(text)))
		}
		numbers[i] = v
	}
	seed, err := parseSeed(s)
	if err != nil {
		return nil, err
	}
	q, err := graph.Palubeckis(int(numbers[0]), int(numbers[1]), seed)
	if err != nil {
		return nil, fmt.Errorf("palubeckis: %w", err)
	}
	m := graph.NewModel(graph.Bits, q)
	m.Maximize = true
	c, err := New(m)
	if err != nil {
		return nil, fmt.Errorf("palubeckis: %w", err)
	}
	c.spec = c.spec.With("palubeckis", fmt.Sprint(numbers[0])).With("density", fmt.Sprint(numbers[1]))
	c.spec = c.spec.With("seed", fmt.Sprint(seed))
	return c, nil
}
