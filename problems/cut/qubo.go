package cut

import (
	"math/big"
	"slices"
	"strconv"

	"github.com/clopt/clopt/internal/problems/input"
	"github.com/clopt/clopt/problems"
	"github.com/clopt/clopt/problems/graph"
)

// families are the names of the families, by the kind of their models.
var families = [...]string{graph.Sides: "maxcut", graph.Bits: "qubo", graph.Spins: "ising"}

// New returns the problem of a model. Variable i of a QUBO is y_i; variable i of an Ising problem is 1 where the spin
// s_i is 1. New takes over m, and may change the signs of its coefficients. The spec has the name of the family alone,
// which Parse refuses. An error names what is wrong with m (graph.Model.Validate).
func New(m *graph.Model) (*Cut, error) {
	if err := m.Validate(); err != nil {
		return nil, err
	}
	c := &Cut{spec: problems.Spec{Family: families[m.Kind]}, kind: m.Kind, names: m.Names, fixed: m.Fixed, n: m.N(),
		constraints: m.Rows,
		rest:        m.Rest, sign: 1}
	if m.Maximize {
		c.sign = -1
	}
	c.offset = new(big.Rat).Set(m.Offset)
	if m.Rest != nil {
		c.offset.Add(c.offset, m.Rest.Offset)
	}
	// The value that is minimized is a - b·cut with b > 0.
	sign := big.NewRat(int64(c.sign), 1)
	falls := (m.Scale.Sign() < 0) != m.Maximize // where the sum rises
	if falls != (m.Kind == graph.Sides) {
		m.Negate()
	}
	a, b := new(big.Rat).Mul(sign, m.Offset), new(big.Rat).Mul(sign, m.UnitScale())
	c.root = noRoot
	switch m.Kind {
	case graph.Sides: // the sum is the cut
		b.Neg(b)
		c.g = m.Pairs
		if m.Rooted {
			c.root = 0
		}
	case graph.Bits: // the sum is -cut/2, and y_i is 1 where i is not on the root's side, 0
		c.g, c.root = m.QUBO(), 0
		b.Mul(b, big.NewRat(1, 2))
	case graph.Spins: // the sum is constant - 2·cut
		var constant int64
		c.g, constant = m.Ising()
		if c.g.N() > c.n {
			c.root = 1
		}
		a.Add(a, new(big.Rat).Mul(b, big.NewRat(constant, 1)))
		b.Mul(b, big.NewRat(2, 1))
	}
	c.weigh()
	c.worth = newLine(a, b, c.total)
	return c, nil
}

// InWords returns what the problem is, its direction, how often the terms of a file count, and the constant that is
// added to their sum, such as "QUBO, maximized, pairs count once, constant 7200".
func (c *Cut) InWords() string {
	text := [...]string{graph.Sides: "cut of a graph", graph.Bits: "QUBO", graph.Spins: "Ising problem"}[c.kind]
	text += map[bool]string{true: ", maximized", false: ", minimized"}[c.sign < 0]
	if c.kind == graph.Sides && c.sign < 0 {
		text = "maximum cut"
	}
	if c.notes.Counts != "" {
		text += ", " + c.notes.Counts
	}
	switch n := len(c.constraints); {
	case n == 1:
		text += ", 1 constraint"
	case n > 1:
		text += ", " + strconv.Itoa(n) + " constraints"
	}
	if c.offset.Sign() != 0 && len(c.constraints) == 0 { // penalties have constants
		text += ", constant " + input.Decimal(c.offset)
	}
	return text
}

// NewMaxCut returns the Max-Cut problem of a graph in memory. It keeps g. Its spec is "maxcut", which Parse refuses. It
// panics unless g is valid, as graphs of package graph are; New returns an error instead.
func NewMaxCut(g *graph.Graph) *Cut {
	c, err := New(graph.NewModel(graph.Sides, graph.Quadratic{Pairs: g}))
	if err != nil {
		panic("cut: the graph is not valid; Graph.Validate says why")
	}
	return c
}

// Model returns the problem as a model of its kind, with all its variables, offset and names.
func (c *Cut) Model() (*graph.Model, error) {
	m := graph.NewModel(graph.Sides, graph.Quadratic{Pairs: c.g})
	m.Maximize = c.sign < 0
	m.Rooted = c.root != noRoot
	m.Names = c.names
	m.Fixed, m.Rest, m.Rows = c.fixed, c.rest, c.constraints
	sign := int64(c.sign)
	m.Offset.Mul(big.NewRat(sign, 1), c.worth.a)
	perUnit := new(big.Rat).Mul(big.NewRat(-sign, 1), c.worth.b)
	m.Scale.Mul(perUnit, new(big.Rat).SetFloat64(c.g.PerOne()))
	if c.root == 1 { // [x_i ≠ 1] = 1 - [x_i ≠ 0]
		g, sum := c.g.WithWeights(slices.Clone(c.g.Weights)), int64(0)
		for e := range g.Weights {
			if e >= g.Offsets[c.n] || int(g.Neighbors[e]) == c.n {
				g.Weights[e] = -g.Weights[e]
			}
			if e >= g.Offsets[c.n] {
				sum -= g.Weights[e]
			}
		}
		m.Pairs = g
		m.Offset.Add(m.Offset, perUnit.Mul(perUnit, big.NewRat(sum, 1)))
	}
	return m.To(c.kind)
}

// Coefficients returns the smallest and the largest coefficient of the terms of the model, but 0, or 0 if there are no
// terms.
func (c *Cut) Coefficients() (lo, hi float64) {
	m, err := c.Model()
	if err != nil { // the sums are too large for it
		return c.g.Scale(slices.Min(c.g.Weights)), c.g.Scale(slices.Max(c.g.Weights))
	}
	all := slices.DeleteFunc(slices.Concat(m.Linear, m.Pairs.Weights), func(c int64) bool { return c == 0 })
	if len(all) == 0 {
		return 0, 0
	}
	value := func(c int64) float64 {
		v, _ := new(big.Rat).Mul(m.UnitScale(), big.NewRat(c, 1)).Float64()
		return v
	}
	a, b := value(slices.Min(all)), value(slices.Max(all))
	return min(a, b), max(a, b)
}

// Maximized returns the QUBO or the Ising problem with its value to be maximised, and c itself if it is. It refuses a
// Max-Cut problem with an *input.Error.
func (c *Cut) Maximized() (problems.Problem, error) {
	if c.kind == graph.Sides {
		return nil, input.Errorf("", 0, 0, "%s is a maximization already; leave maximize out", c.spec)
	}
	if c.sign < 0 {
		return c, nil
	}
	m, err := c.Model()
	if err != nil {
		return nil, err
	}
	m.Maximize = true
	p, err := New(m)
	if err != nil {
		return nil, err
	}
	p.spec, p.notes = c.spec.With("maximize", "true"), c.notes
	return p, nil
}
