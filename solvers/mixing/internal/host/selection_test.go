package host

import (
	"math"
	"slices"
	"testing"

	"github.com/clopt/clopt/problems/rng"
	"github.com/clopt/clopt/test/graphtest"
)

// Selection makes a population of cuts 0 and 1 the Boltzmann distribution of the lower temperature, moves cuts and rows
// together, keeps what it copies in place, and never copies within a word or between islands. Of very different cuts
// few are replaced.
func TestSelect(t *testing.T) {
	var edges [][3]int
	const n, last, now = 9, 2., 1.6
	for u := range n {
		for v := range u {
			if (u+v)%4 != 0 {
				edges = append(edges, [3]int{u, v, 1})
			}
		}
	}
	a := NewAnnealing(ShapeOf(graphtest.Build(n, edges)), 20, rng.Key{Seed: 1})
	a.Temps[0], a.Temps[10] = last, now
	p := NewPopulation(0, 1<<15, 1)
	p.Allocate()
	for i := range p.N {
		p.F[i], p.Hash[i], p.Row(i)[0] = int64(i%2), uint64(i), uint64(i)
	}
	p.Swept = 10
	from := a.Select(p)
	p.Take(from)
	large := 0.
	for i, k := range from {
		if from[k] != k || p.F[i] != int64(k%2) || p.Hash[i] != uint64(k) || p.Row(i)[0] != uint64(k) {
			t.Fatalf("individual %d is %d with cut %d, hash %d, want %d", i, p.Row(i)[0], p.F[i], p.Hash[i], k)
		}
		large += float64(p.F[i]) / float64(p.N)
	}
	w := math.Exp(1/now - 1/last)
	if want := w / (1 + w); math.Abs(large-want) > 0.003 {
		t.Errorf("%.4f of the population have the larger cut, want %.4f", large, want)
	}
	for i := range p.N {
		p.F[i] = int64(1000 * rng.Int(a.Key.Words(uint32(i), 0, 0, rng.Check)[0], 100))
	}
	replaced := 0.
	for i, k := range a.Select(p) {
		if int(k) != i {
			replaced += 1 / float64(p.N)
		}
	}
	if replaced > mostReplaced || replaced < mostReplaced/2 {
		t.Errorf("%.3f of the population are replaced, want at most %v", replaced, mostReplaced)
	}
	for _, p.Island = range []int{32, p.N / 4} {
		copied := 0
		for i, k := range a.Select(p) {
			if int(k) != i {
				copied++
			}
			if int(k)/p.Island != i/p.Island {
				t.Fatalf("islands of %d: individual %d is copied to %d", p.Island, k, i)
			}
		}
		if copied < p.N/10 {
			t.Errorf("islands of %d: %d individuals of %d are replaced", p.Island, copied, p.N)
		}
	}
	word := NewPopulation(0, ChainsPerWord, 1)
	for i := range word.N {
		word.F[i] = int64(100 * i)
	}
	a.Sliced, a.Dense = &Sliced{}, nil
	word.Swept = 10
	if from := a.Select(word); !slices.IsSorted(from) {
		t.Errorf("chains of one word are copied: %d", from)
	}
}

// Populations are selected every tenth sweep or every 64th part, in slow annealing every fiftieth sweep or every 512th
// part, on dense graphs every 16th, before the last sweep above T = 0, and never on a graph of few edges.
func TestLeg(t *testing.T) {
	ends := func(a *Annealing) (all []int) {
		for p := (&Population{}); p.Swept < len(a.Temps); {
			if p.Swept = a.Leg(p); p.Swept < len(a.Temps) != a.Selects(p) {
				t.Errorf("annealing is interrupted after %d sweeps without a selection", p.Swept)
			}
			all = append(all, p.Swept)
		}
		return all
	}
	g := graphtest.Small()
	for _, c := range []struct {
		name   string
		sweeps int
		want   []int
	}{
		{"dense", 30, []int{10, 20, 130}},
		{"dense", 5, []int{105}},
		{"ring", 30, []int{130}},
	} {
		a := NewAnnealing(ShapeOf(g[c.name]), c.sweeps, rng.Key{})
		if got := ends(a); !slices.Equal(got, c.want) || len(got)-1 > a.Selections() {
			t.Errorf("%s, %d sweeps: legs end at %d, want %d; at most %d selections", c.name, c.sweeps, got, c.want,
				a.Selections())
		}
	}
	for _, c := range []struct {
		name         string
		sweeps, want int
	}{
		{"dense", 1 << 14, 16}, {"heavy", 640, 64}, {"heavy", 1280, 64}, {"heavy", 1 << 14, 328},
		{"heavy", 1 << 16, 512},
	} {
		a := NewAnnealing(ShapeOf(g[c.name]), c.sweeps, rng.Key{})
		if got := ends(a); len(got) != c.want || len(got)-1 > a.Selections() {
			t.Errorf("%s: %d legs of %d sweeps, want %d; at most %d selections", c.name, len(got), c.sweeps, c.want,
				a.Selections())
		}
	}
}
