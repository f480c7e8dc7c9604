package masw

import (
	"math"
	"slices"
	"testing"

	"github.com/clopt/clopt/internal/solvers/host"
	"github.com/clopt/clopt/problems/rng"
)

// some returns a function that draws whole numbers below n from a seeded stream.
func some(seed uint32) func(n int) int {
	i := uint32(0)
	return func(n int) int {
		i++
		return int(rng.Int(rng.Key{Seed: seed}.Word(i, 0, 0, rng.Check), uint32(n)))
	}
}

var (
	nan = math.NaN()
	inf = math.Inf(1)
)

func TestBetter(t *testing.T) {
	order := []float64{-1e308, -1, 0, 5e-324, 1, math.MaxFloat64}
	for i, a := range order {
		for j, b := range order {
			if host.Better(a, b) != (i < j) {
				t.Errorf("better(%g, %g) is %v", a, b, i >= j)
			}
		}
		for _, b := range []float64{nan, inf, -inf} {
			if !host.Better(a, b) || host.Better(b, a) || host.Better(b, b) || host.Better(b, nan) ||
				host.Better(nan, b) {
				t.Errorf("%g and %g: values that are not finite must rank last and be equal", a, b)
			}
		}
	}
}

// survivors is survive in the simplest form: the rank of a point is the number of points before it.
func survivors(parents, children []float64) []uint32 {
	type one struct {
		v     float64
		child bool
		i     int
	}
	var all []one
	for i, v := range parents {
		all = append(all, one{v, false, i})
	}
	for i, v := range children {
		all = append(all, one{v, true, i})
	}
	before := func(a, b one) bool {
		fa, fb := host.Finite(a.v), host.Finite(b.v)
		switch {
		case fa != fb:
			return fa
		case fa && a.v != b.v:
			return a.v < b.v
		case a.child != b.child:
			return !a.child
		}
		return a.i < b.i
	}
	var slots, born []int
	for _, a := range all {
		rank := 0
		for _, b := range all {
			if before(b, a) {
				rank++
			}
		}
		switch {
		case a.child && rank < len(parents):
			born = append(born, a.i)
		case !a.child && rank >= len(parents):
			slots = append(slots, a.i)
		}
	}
	var swaps []uint32
	for k := range slots {
		swaps = append(swaps, uint32(slots[k]), uint32(born[k]))
	}
	return swaps
}

func TestSurvive(t *testing.T) {
	for _, c := range []struct {
		parents, children []float64
		want              []uint32
	}{
		{[]float64{1, 2, 3, 4}, []float64{1, 2, 3, 4}, []uint32{2, 0, 3, 1}}, // ties keep the parent
		{[]float64{4, 3, 2, 1}, []float64{5, 5, 5, 0}, []uint32{0, 3}},
		// the last of the parents that are not finite is removed
		{[]float64{nan, 1, inf, 2}, []float64{nan, nan, 3, -inf}, []uint32{2, 2}},
		{[]float64{nan, nan}, []float64{nan, inf}, nil},
		{[]float64{2, 2}, []float64{1, 1}, []uint32{0, 0, 1, 1}},
	} {
		if got := new(selection).survive(nil, c.parents, c.children); !slices.Equal(got, c.want) {
			t.Errorf("survive(%v, %v) = %v, want %v", c.parents, c.children, got, c.want)
		}
	}
	pick := some(1)
	values := []float64{nan, inf, -inf, 0, 1, 2, 3, 4, 5, -7}
	var kept selection
	for range 3000 {
		parents, children := make([]float64, 1+pick(9)), []float64(nil)
		for i := range parents {
			parents[i] = values[pick(len(values))]
			children = append(children, values[pick(len(values))])
		}
		if got, want := kept.survive(nil, parents, children), survivors(parents, children); !slices.Equal(got, want) {
			t.Fatalf("survive(%v, %v) = %v, want %v", parents, children, got, want)
		}
	}
}

// solisWets is the step of Solis and Wets (1981), as published, on one variable without bounds. f reports
// whether a point is accepted; noise draws from N(0,1).
type solisWets struct {
	x, b, rho float64
	ok, bad   int
}

func (s *solisWets) step(accept func(y float64) bool, noise func() float64) {
	d := s.rho * noise()
	switch {
	case accept(s.x + (s.b + d)):
		s.x += s.b + d
		s.b = 0.2*s.b + 0.4*(d+s.b)
		s.ok++
		s.bad = 0
	case accept(s.x - (s.b + d)):
		s.x -= s.b + d
		s.b -= 0.4 * (d + s.b)
		s.ok++
		s.bad = 0
	default:
		s.b *= 0.5
		s.bad++
		s.ok = 0
	}
	if s.ok >= 5 {
		s.ok = 0
		s.rho *= 2
	} else if s.bad >= 3 {
		s.bad = 0
		s.rho /= 2
	}
}

func TestChain(t *testing.T) {
	key := rng.Key{Seed: 3}
	normal := func(when uint32) float64 { return float64(rng.Normal(key.Words(0, 0, when, rng.Step), 0)) }
	for chance := range 11 { // of acceptance, in tenths
		pick := some(uint32(100 + chance))
		var said []bool
		verdict := func(i int) bool {
			for len(said) <= i {
				said = append(said, pick(10) < chance)
			}
			return said[i]
		}

		const steps = 400
		var want []float64
		ref := solisWets{x: 1, rho: 0.5}
		for len(want) < steps {
			now := uint32(len(want)) // the counter of a deviation is that of its forward step
			ref.step(func(y float64) bool {
				want = append(want, y)
				return verdict(len(want) - 1)
			}, func() float64 { return normal(now) })
		}

		c, x, stored := chain{Started: true, Rho: 0.5}, 1.0, nan
		for i := range len(want) {
			m := c.propose(uint32(i))
			d, b := m.rho*normal(m.when), 0.0
			if m.scale != 0 {
				b = m.scale * stored
			}
			y := x + m.sign*(b+d)
			if y != want[i] {
				t.Fatalf("chance %d, candidate %d is %v, want %v (%+v)", chance, i, y, want[i], c)
			}
			ok := verdict(i)
			if ok {
				x = y
				if m.sign > 0 {
					stored = 0.2*b + 0.4*(d+b)
				} else {
					stored = b - 0.4*(d+b)
				}
			}
			c.outcome(m, ok)
		}
		if c.Rho != ref.rho || c.Ok != ref.ok || c.Bad != ref.bad || c.Pending || x != ref.x {
			t.Errorf("chance %d: ends with %+v at %v, want %+v", chance, c, x, ref)
		}
	}
}
