package graph

import (
	"fmt"
	"math"
	"testing"
)

// most tries all cuts of a graph of up to 20 vertices.
func most(g *Graph) int64 {
	best, side := int64(0), make([]uint8, g.N())
	for cut := range 1 << (g.N() - 1) {
		for v := range side {
			side[v] = uint8(cut >> v & 1)
		}
		best = max(best, g.Cut(side))
	}
	return best
}

// checkInstance checks the form, the value of the partition, and by enumeration
// that no cut is larger.
func checkInstance(t *testing.T, name string, in *Instance, err error, n, m int, known bool) {
	t.Helper()
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	g := in.Graph
	if err := g.Validate(); err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	if g.N() != n || g.M() != m {
		t.Errorf("%s: %d vertices, %d edges", name, g.N(), g.M())
	}
	if in.Known != known {
		t.Errorf("%s: known %v", name, in.Known)
	}
	if in.Known && (in.Side == nil || g.Cut(in.Side) != in.Best) {
		t.Errorf("%s: optimum %d, its partition has %d", name, in.Best, g.Cut(in.Side))
	}
	if in.Known && n <= 20 {
		if b := most(g); b != in.Best {
			t.Errorf("%s: optimum %d, by enumeration %d", name, in.Best, b)
		}
	}
}

func TestTile(t *testing.T) {
	for _, c := range []struct {
		rows, cols int
		p          float64
	}{{4, 4, 0.5}, {4, 4, 0}, {4, 4, 1}, {4, 6, 0.3}, {40, 40, 0.5}, {10, 100, 0.8}} {
		for seed := range uint32(3) {
			in, err := Tile(c.rows, c.cols, c.p, seed)
			name := fmt.Sprint("tile ", c, seed)
			checkInstance(t, name, in, err, c.rows*c.cols, 2*c.rows*c.cols, true)
		}
	}
}

func TestTorus(t *testing.T) {
	for _, c := range []struct {
		sides []int
		law   Weights
		known bool
	}{
		{[]int{4, 4}, Unit, true}, {[]int{3, 4}, Unit, true}, {[]int{3, 3}, Unit, true}, {[]int{5, 3}, Unit, true},
		{[]int{40, 50}, Weights{Lo: 1, Hi: 5}, true},
		{[]int{25, 120}, Unit, true}, {[]int{3, 3, 3}, PM1, false}, {[]int{7, 8, 9}, Unit, true}, {[]int{10, 10}, PM1,
			false}, {[]int{4, 5}, Weights{Lo: -3, Hi: -1}, true},
	} {
		n := 1
		for _, l := range c.sides {
			n *= l
		}
		in, err := Torus(c.sides, c.law, 1)
		checkInstance(t, fmt.Sprint("torus ", c), in, err, n, n*len(c.sides), c.known)
		for v := range n {
			if d := in.Graph.Offsets[v+1] - in.Graph.Offsets[v]; d != 2*len(c.sides) {
				t.Errorf("torus %v: vertex %d has degree %d", c, v, d)
			}
		}
	}
	// As published for the 25 x 120 torus of unit weights.
	if in, _ := Torus([]int{25, 120}, Unit, 0); in.Best != 5880 {
		t.Errorf("25 x 120: %d", in.Best)
	}
}

func TestGNP(t *testing.T) {
	for _, c := range []struct {
		n int
		p float64
	}{{1000, 0.01}, {2000, 0.5}, {100_000, 1e-5}, {10, 0}, {1, 0.5}, {30, 1}} {
		in, err := GNP(c.n, c.p, Unit, 1)
		if err != nil {
			t.Fatal(err)
		}
		if err := in.Graph.Validate(); err != nil {
			t.Fatalf("%v: %v", c, err)
		}
		pairs := float64(c.n) * float64(c.n-1) / 2
		if m, want := float64(in.Graph.M()), pairs*c.p; math.Abs(m-want) > 4*math.Sqrt(want*(1-c.p)) {
			t.Errorf("%v: %g edges, expected %g", c, m, want)
		}
	}
	// All pairs are equally likely: over many seeds, each of them is joined as often.
	count := map[[2]int]int{}
	const seeds = 4000
	for seed := range uint32(seeds) {
		in, _ := GNP(6, 0.3, Unit, seed)
		for u := range 6 {
			for e := in.Graph.Offsets[u]; e < in.Graph.Offsets[u+1]; e++ {
				count[[2]int{u, int(in.Graph.Neighbors[e])}]++
			}
		}
	}
	for pair, k := range count {
		if math.Abs(float64(k)-0.3*seeds) > 4*math.Sqrt(0.3*0.7*seeds) {
			t.Errorf("pair %v: %d of %d", pair, k, seeds)
		}
	}
	if len(count) != 30 {
		t.Errorf("%d pairs", len(count))
	}
}

func TestCompleteAndCliques(t *testing.T) {
	for n := 1; n <= 12; n++ {
		in, err := Complete(n, Unit, 1)
		checkInstance(t, fmt.Sprint("complete ", n), in, err, n, n*(n-1)/2, true)
	}
	in, err := Complete(12, Weights{Lo: 1, Hi: 5}, 1)
	checkInstance(t, "complete 1..5", in, err, 12, 66, false)
	for _, c := range []struct {
		count, size int
		law         Weights
	}{{2, 5, Weights{Lo: 1, Hi: 5}}, {3, 5, Weights{Lo: -5, Hi: 5}}, {1, 12, PM1}, {4, 4, PM1}, {6, 2, PM1}, {100, 5,
		Weights{Lo: 1, Hi: 5}}} {
		for seed := range uint32(5) {
			in, err := Cliques(c.count, c.size, c.law, seed)
			g := in.Graph
			if err := g.Validate(); err != nil {
				t.Fatalf("%s: %v", fmt.Sprint(c), err)
			}
			if err != nil || !in.Known || g.Cut(in.Side) != in.Best || g.N() <= 20 && most(g) != in.Best {
				t.Errorf("cliques %v: best %d, %v", c, in.Best, err)
			}
		}
	}
	if in, err := Cliques(2, 30, PM1, 1); err != nil || in.Known {
		t.Errorf("cliques of 30: %v", err)
	}
}

func TestGenerateErrors(t *testing.T) {
	for name, f := range map[string]func() (*Instance, error){
		"odd tile":    func() (*Instance, error) { return Tile(5, 4, 0.5, 1) },
		"small tile":  func() (*Instance, error) { return Tile(2, 4, 0.5, 1) },
		"tile p":      func() (*Instance, error) { return Tile(4, 4, math.NaN(), 1) },
		"huge tile":   func() (*Instance, error) { return Tile(100_000, 100_000, 0.5, 1) },
		"torus side":  func() (*Instance, error) { return Torus([]int{2, 5}, Unit, 1) },
		"torus sides": func() (*Instance, error) { return Torus([]int{5}, Unit, 1) },
		"huge torus":  func() (*Instance, error) { return Torus([]int{60_000, 60_000}, Unit, 1) },
		"gnp p":       func() (*Instance, error) { return GNP(10, 1.5, Unit, 1) },
		"gnp edges":   func() (*Instance, error) { return GNP(1_000_000, 0.5, Unit, 1) },
		"weights":     func() (*Instance, error) { return Complete(5, Weights{Lo: 2, Hi: 1}, 1) },
		"complete":    func() (*Instance, error) { return Complete(1_000_000, Unit, 1) },
		"cliques":     func() (*Instance, error) { return Cliques(0, 5, Unit, 1) },
	} {
		if in, err := f(); err == nil {
			t.Errorf("%s: %d vertices", name, in.Graph.N())
		}
	}
}
