package graph

import "testing"

// The largest cut by dynamic programming is that of all partitions, and that of the construction.
func TestLargest(t *testing.T) {
	try := func(in *Instance, err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		g := in.Graph
		best, side, ok := g.Largest(1 << 25)
		if !ok {
			t.Errorf("%d vertices, %d edges: too wide", g.N(), g.M())
		} else if g.Cut(side) != best || in.Known && best != in.Best || g.N() <= 14 && best != most(g) {
			t.Errorf("%d vertices, %d edges: %d, %v, its partition %d", g.N(), g.M(), best, ok, g.Cut(side))
		}
	}
	for seed := range uint32(20) {
		try(GNP(14, float64(seed)/20, Weights{Lo: -9, Hi: 9}, seed))
	}
	try(Tile(4, 30, 0.5, 1))
	try(Cliques(50, 6, Weights{Lo: -5, Hi: 5}, 1))
	try(Torus([]int{6, 20}, PM1, 1))
	try(GNP(1, 0, Unit, 1))
	try(Torus([]int{9, 10}, Unit, 1)) // with tables that several cores fill
	// A chain, a ladder and a narrow grid with vertices that are joined to all others, as fields and penalties are.
	for hubs := range 4 {
		for width := 1; width <= 5; width += 2 {
			edges := Edges{}
			for v := range width * 300 {
				if v+width < width*300 {
					edges.Add(v, v+width, int64(v*v%19-9), 0)
				}
				if (v+1)%width != 0 {
					edges.Add(v, v+1, int64(v*v%17-8), 0)
				}
				for h := range hubs {
					edges.Add(v, width*300+h, int64((v+h)*v%13-6), 0)
				}
			}
			g, _, _, err := edges.Graph(width*300+hubs, false)
			try(&Instance{Graph: g}, err)
		}
	}
	if in, err := Complete(18, PM1, 1); err != nil {
		t.Fatal(err)
	} else if _, _, ok := in.Graph.Largest(1 << 17); ok {
		t.Error("a complete graph of 18 vertices has tables of 2^16 entries, 2^15, and so on")
	}
}
