package graph

import (
	"bufio"
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"math/big"
	"slices"
	"strconv"

	"github.com/clopt/clopt/internal/problems/input"
)

// Kind says which two values the variables of a Model have.
type Kind int

// The kinds of models. S is the sum that a Model scales.
const (
	Sides Kind = iota // S is a cut: a pair counts where its vertices are on different sides
	Bits              // S is a Quadratic of variables 0 and 1
	Spins             // S is a Quadratic of variables -1 and 1
)

func (k Kind) String() string {
	if k.Validate() != nil {
		return fmt.Sprintf("Kind(%d)", int(k))
	}
	return [...]string{"a graph", "a QUBO", "an Ising problem"}[k]
}

// Validate returns an error unless k is one of the kinds.
func (k Kind) Validate() error {
	if k < Sides || k > Spins {
		return fmt.Errorf("kind is %d; use Sides, Bits or Spins", int(k))
	}
	return nil
}

// Model is a problem as a file holds it: the function Offset + Scale·S·Unit + Rest of variables with two values each. S
// is a sum of Linear and Pairs, which has the Unit. The sum of all |coefficients| is below 2^60, or 2^62 for Sides.
type Model struct {
	Kind Kind
	Quadratic
	Rooted   bool // the last vertex of Sides is no variable; its side is 0
	Offset   *big.Rat
	Scale    *big.Rat // not 0
	Rest     *Rest    // is added to the function; nil: no coefficient has been rounded
	Maximize bool
	Names    []string           // of the variables; nil: they are numbered from 0
	Rows     []input.Constraint // of the file, of which the sum has penalties
	Fixed    []input.Fixed      // variables of the file that are none of the model; if there are any, all have names
}

// NewModel returns the model of a sum without an offset.
func NewModel(kind Kind, q Quadratic) *Model {
	return &Model{Kind: kind, Quadratic: q.paired(), Offset: new(big.Rat), Scale: big.NewRat(1, 1),
		Maximize: kind == Sides}
}

// Validate returns an error that names the first fault of a model that a program has made.
func (m *Model) Validate() error {
	switch {
	case m == nil:
		return errors.New("graph: the model is nil")
	case m.Kind.Validate() != nil:
		return fmt.Errorf("graph: Model.Kind: %w", m.Kind.Validate())
	case m.Pairs == nil:
		return errors.New("graph: Model.Pairs is nil; NewModel sets it")
	case m.Offset == nil || m.Scale == nil || m.Scale.Sign() == 0:
		return fmt.Errorf("graph: Model.Offset is %v and Model.Scale is %v; NewModel sets them to 0 and 1", m.Offset,
			m.Scale)
	}
	if err := m.Pairs.Validate(); err != nil {
		return err
	}
	switch n := m.N(); {
	case m.Rooted && m.Kind != Sides:
		return fmt.Errorf("graph: Model.Rooted is true, and Model.Kind is %v", m.Kind)
	case n < 1:
		return fmt.Errorf("graph: a model of %d variables", n)
	case m.Kind == Sides && len(m.Linear) > 0:
		return fmt.Errorf("graph: Model.Linear has %d numbers, and a cut has none", len(m.Linear))
	case m.Kind != Sides && len(m.Linear) != n:
		return fmt.Errorf("graph: Model.Linear has %d numbers for %d variables", len(m.Linear), n)
	case len(m.Names) != 0 && len(m.Names) != n:
		return fmt.Errorf("graph: Model.Names has %d names for %d variables", len(m.Names), n)
	}
	if m.Kind == Sides {
		return nil
	}
	sum := uint64(0)
	for _, a := range m.Linear {
		if sum += magnitude(a); max(magnitude(a), sum) >= input.MaxTerms {
			return errSum(m.Kind)
		}
	}
	if m.Sum() >= input.MaxTerms {
		return errSum(m.Kind)
	}
	return nil
}

// N returns the number of variables.
func (m *Model) N() int {
	if m.Rooted {
		return m.Pairs.N() - 1
	}
	return m.Pairs.N()
}

// Value returns the exact value of a point: x has 0 or 1 for each variable, 0 for the spin -1.
func (m *Model) Value(x []uint8) *big.Rat {
	sum := new(big.Int)
	switch m.Kind {
	case Sides:
		side := x
		if m.Rooted {
			side = append(append([]uint8{}, x...), 0)
		}
		sum.SetInt64(m.Pairs.Cut(side))
	default:
		z := func(i int) int64 {
			if m.Kind == Spins {
				return 2*int64(x[i]) - 1
			}
			return int64(x[i])
		}
		total := int64(0)
		for i, a := range m.Linear {
			total += a * z(i)
		}
		for i := range m.Pairs.N() {
			for e := m.Pairs.Offsets[i]; e < m.Pairs.Offsets[i+1]; e++ {
				if j := int(m.Pairs.Neighbors[e]); j > i {
					total += m.Pairs.Weights[e] * z(i) * z(j)
				}
			}
		}
		sum.SetInt64(total)
	}
	v := new(big.Rat).SetInt(sum)
	if v.Mul(v, m.UnitScale()).Add(v, m.Offset); m.Rest != nil {
		v.Add(v, m.Rest.Value(x))
	}
	return v
}

// UnitScale returns Scale·Unit: what a unit of the sum adds to the value.
func (m *Model) UnitScale() *big.Rat {
	return new(big.Rat).Mul(m.Scale, big.NewRat(1, input.Pow10[m.Pairs.Digits()]))
}

// To returns the same function of the same variables as a model of another kind. It returns m if it has that kind.
// Where the sum of all |coefficients| is too large for that, they are rounded to units with which it is below
// 2^56, and Rest has the rest. The models may share memory.
func (m *Model) To(kind Kind) (*Model, error) {
	if err := cmp.Or(m.Validate(), kind.Validate()); err != nil || m.Kind == kind {
		return m, err
	}
	if m.Sum() >= input.MaxConverted {
		if m = m.primitive(); m.Sum() >= input.MaxConverted {
			m = m.rounded()
		}
	}
	to := m.bits()
	switch kind {
	case Spins:
		to = to.spins()
	case Sides:
		to = to.sides()
	}
	to.reduce()
	return to, nil
}

// primitive returns the model with coefficients that have no common factor, which is in Scale. Quarters with two more
// decimals, as those of Ising problems that come from a QUBO, have the factor 25.
func (m *Model) primitive() *Model {
	common := uint64(0)
	for _, list := range [][]int64{m.Linear, m.Pairs.Weights} {
		for _, c := range list {
			common = gcd(common, magnitude(c))
		}
	}
	if common <= 1 {
		return m
	}
	to := *m
	to.Linear, to.Pairs = slices.Clone(m.Linear), m.Pairs.WithWeights(slices.Clone(m.Pairs.Weights))
	for _, list := range [][]int64{to.Linear, to.Pairs.Weights} {
		for i := range list {
			list[i] /= int64(common)
		}
	}
	to.Scale = new(big.Rat).Mul(m.Scale, new(big.Rat).SetInt64(int64(common)))
	return &to
}

// with returns a model of another kind, whose S is scale·(the old S) + offset.
func (m *Model) with(kind Kind, q Quadratic, scale, offset *big.Rat) *Model {
	to := *m
	to.Kind = kind
	to.Quadratic = q
	to.Rooted = false
	to.Scale = new(big.Rat).Quo(m.Scale, scale)
	shift := new(big.Rat).Mul(offset, to.UnitScale())
	to.Offset = new(big.Rat).Sub(m.Offset, shift)
	return &to
}

// bits turns sides and spins into bits: [y_i≠y_j] = y_i + y_j - 2·y_i·y_j, and s_i = 2·y_i - 1.
func (m *Model) bits() *Model {
	if m.Kind == Bits {
		return m
	}
	n := m.N()
	pair := int64(-2)
	ends := int64(1)
	if m.Kind == Spins {
		pair, ends = 4, -2
	}
	linear := make([]int64, n)
	constant := int64(0)
	for i, h := range m.Linear { // of spins
		linear[i] += 2 * h
		constant -= h
	}
	g := &Graph{Offsets: []int{0}, Unit: m.Pairs.Unit}
	for v := range n {
		for e := m.Pairs.Offsets[v]; e < m.Pairs.Offsets[v+1]; e++ {
			u, w := m.Pairs.Neighbors[e], m.Pairs.Weights[e]
			linear[v] += ends * w
			if int(u) == n { // the root is 0
				continue
			}
			g.Neighbors, g.Weights = append(g.Neighbors, u), append(g.Weights, pair*w)
			if m.Kind == Spins && int(u) > v {
				constant += w
			}
		}
		g.Offsets = append(g.Offsets, len(g.Neighbors))
	}
	return m.with(Bits, Quadratic{linear, g}, big.NewRat(1, 1), big.NewRat(-constant, 1))
}

// spins turns bits into spins: 4·S = Σ 2a_i(s_i+1) + Σ q_ij(s_i+1)(s_j+1).
func (m *Model) spins() *Model {
	linear := make([]int64, len(m.Linear))
	constant := int64(0)
	for i, a := range m.Linear {
		linear[i] = 2 * a
		constant += 2 * a
		for e := m.Pairs.Offsets[i]; e < m.Pairs.Offsets[i+1]; e++ {
			linear[i] += m.Pairs.Weights[e]
			if int(m.Pairs.Neighbors[e]) > i {
				constant += m.Pairs.Weights[e]
			}
		}
	}
	pairs := m.Pairs.WithWeights(slices.Clone(m.Pairs.Weights))
	return m.with(Spins, Quadratic{linear, pairs}, big.NewRat(4, 1), big.NewRat(-constant, 1))
}

// sides turns bits into sides, with a root if it has an edge: 2·S = -cut (see Quadratic.QUBO).
func (m *Model) sides() *Model {
	g := m.QUBO()
	to := m.with(Sides, Quadratic{Pairs: g}, big.NewRat(-2, 1), new(big.Rat))
	if n := len(m.Linear); g.Offsets[n] == g.Offsets[n+1] {
		g.Offsets = g.Offsets[:n+1]
	} else {
		to.Rooted = true
	}
	return to
}

// reduce divides all coefficients by what they have in common with the denominator of Scale.
func (m *Model) reduce() {
	common := uint64(0)
	for _, list := range [][]int64{m.Linear, m.Pairs.Weights} {
		for _, c := range list {
			common = gcd(common, magnitude(c))
		}
	}
	shared := new(big.Int).GCD(nil, nil, new(big.Int).SetUint64(common), m.Scale.Denom())
	if !shared.IsInt64() { // all are 0
		return
	}
	common = shared.Uint64()
	for _, list := range [][]int64{m.Linear, m.Pairs.Weights} {
		for i := range list {
			list[i] /= int64(common)
		}
	}
	m.Scale = new(big.Rat).Mul(m.Scale, big.NewRat(int64(common), 1))
}

// Primitive returns the graph whose weights are whole numbers without a common factor, and the factor of the weights of
// g in their units. It returns g and 1 if g is such a graph.
func (g *Graph) Primitive() (primitive *Graph, factor int64) {
	common := uint64(0)
	for _, w := range g.Weights {
		common = gcd(common, magnitude(w))
	}
	if common <= 1 && g.Unit == 1 {
		return g, 1
	}
	to := g.WithWeights(slices.Clone(g.Weights))
	to.Unit = 1
	common = max(common, 1)
	for i := range to.Weights {
		to.Weights[i] /= int64(common)
	}
	return to, int64(common)
}

func gcd(a, b uint64) uint64 {
	for b != 0 {
		a, b = b, a%b
	}
	return a
}

// Negate changes the signs of all coefficients and of Scale, which leaves the function as it is.
func (m *Model) Negate() {
	m.Negated()
	m.Scale = new(big.Rat).Neg(m.Scale)
}

// Hash returns the SHA-256 of the sorted list of all edges, in hexadecimal. An edge is a line "i j w" with i < j,
// counting
// from 1; w is a decimal number.
func (g *Graph) Hash() string {
	h := sha256.New()
	out := bufio.NewWriterSize(h, 1<<16) // a hash returns no errors
	digits := g.Digits()
	var line []byte
	for u := range g.N() {
		for e := g.Offsets[u]; e < g.Offsets[u+1]; e++ {
			if v := int(g.Neighbors[e]); v > u {
				line = strconv.AppendInt(line[:0], int64(u+1), 10)
				line = strconv.AppendInt(append(line, ' '), int64(v+1), 10)
				line = input.AppendExact(append(line, ' '), g.Weights[e], digits)
				out.Write(append(line, '\n'))
			}
		}
	}
	out.Flush()
	return hex.EncodeToString(h.Sum(nil))
}
