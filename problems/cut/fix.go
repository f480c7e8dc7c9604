package cut

import (
	"math/big"
	"strconv"

	"github.com/clopt/clopt/internal/problems/input"
	"github.com/clopt/clopt/problems/graph"
)

// fix returns the model in which variables have one value. Variables without names are called by their numbers in the
// file, which begin with first. A cut becomes a quadratic function of bits, with the same values.
func fix(m *graph.Model, fixed []input.Fixed, first int) (*graph.Model, error) {
	if m.Names == nil {
		m.Names = make([]string, m.N())
		for i := range m.Names {
			m.Names[i] = strconv.Itoa(i + first)
		}
	}
	of := make(map[string]int, m.N())
	for i, name := range m.Names {
		of[name] = i
	}
	values := map[int]*big.Rat{}
	for _, f := range fixed {
		v, ok := of[f.Name]
		if !ok {
			return nil, unknown(m, f)
		}
		value, err := strconv.Atoi(f.Value.String())
		switch {
		case err != nil || m.Kind != graph.Spins && value < 0:
			return nil, input.Errorf("", 0, 0, "%s is fixed to %s; it can be 0 or 1", input.Shown([]byte(f.Name)),
				f.Value)
		case m.Kind == graph.Spins && value == 0:
			value = -1
		}
		r := big.NewRat(int64(value), 1)
		if before := values[v]; before != nil && before.Cmp(r) != 0 {
			return nil, input.Errorf("", 0, 0, "%s is fixed to 0 and to 1; give one value", input.Shown([]byte(f.Name)))
		}
		values[v] = r
	}
	if len(values) == m.N() {
		return nil, input.Errorf("", 0, 0, "all %d variables are fixed; clopt eval has the value of a point", m.N())
	}
	if m.Kind == graph.Sides {
		var err error
		if m, err = m.To(graph.Bits); err != nil {
			return nil, input.AsError(err)
		}
	}
	before := len(m.Fixed)
	m, _ = m.Fix(values)
	for i := range m.Fixed[before:] {
		if f := &m.Fixed[before+i]; f.Value == "-1" { // as in assignments
			f.Value = "0"
		}
	}
	return m, nil
}

// unknown returns the error for a variable that is not in the model, or that the file fixes.
func unknown(m *graph.Model, f input.Fixed) error {
	for _, g := range m.Fixed {
		if g.Name == f.Name {
			return input.Errorf("", 0, 0, "%s has the value %s in the file, so it cannot be fixed",
				input.Shown([]byte(f.Name)), g.Value)
		}
	}
	near := input.Nearest(f.Name, m.Names)
	return input.Errorf("", 0, 0, "there is no variable %s to fix; the nearest is %s", input.Shown([]byte(f.Name)),
		input.Shown([]byte(near)))
}
