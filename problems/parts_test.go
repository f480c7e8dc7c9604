package problems_test

import (
	"fmt"
	"slices"
	"sync"
	"testing"

	"github.com/clopt/clopt/problems"
	"github.com/clopt/clopt/problems/catalog"
)

// Parts cover the variables that are read, have all components that read them, and no component twice in a colour.
func TestPartsOf(t *testing.T) {
	for _, c := range []struct {
		spec    string
		grain   int
		parts   int
		colours int
		largest int
	}{
		{"cec2013/f1:n=2000", 1, 1000, 1, 1},
		{"cec2013/f1:n=2000", 10, 100, 1, 10},
		{"cec2013/f3:n=2000", 10, 1, 1, 1000},
		{"cec2013/f4:n=2000", 10, 77, 1, 100}, // 7 groups, 70 tens
		{"cec2013/f6:n=2000", 10, 8, 1, 700},  // one Ackley function of 700
		{"cec2013/f8:n=2000", 1, 20, 1, 100},
		{"cec2013/f15:n=2000", 10, 1, 1, 1000},
		{"cec2013/f13", 1, 20, 3, 100}, // both groups have the variables that they share
		{"cec2013/f14:n=1000", 25, 20, 3, 100},
		{"cec2013/f12:n=2000,mode=paper", 1, 1000, 2, 1},
		{"cec2013/f12:n=2000,mode=paper", 25, 40, 2, 25},
		{"cec2013/f12:n=1500,mode=paper", 30, 34, 2, 30},
		{"cec2013/f12:n=2000", 25, 40, 2, 25},
		{"../test/testdata/lattice.cl", 20, 0, 0, 21},
	} {
		t.Run(fmt.Sprint(c.spec, " ", c.grain), func(t *testing.T) {
			p, err := catalog.Parse(c.spec, problems.Options{})
			if err != nil {
				t.Fatal(err)
			}
			r, err := problems.PartsOf(p, c.grain)
			if err != nil {
				t.Fatal(err)
			}
			s, tiling := p.Structure(), p.Tiling()
			perTile := min(tiling.TileComps, tiling.M)
			largest := 0
			byColour := map[[2]int]int{}
			// Tile 1 sees components of its own and of tile 0, if there are two tiles.
			base := min(1, tiling.Tiles()-1)
			for w, part := range r.Parts {
				largest = max(largest, len(part.Vars))
				var comps []int
				for _, v := range part.Vars {
					comps = s.ComponentsOf(base*tiling.TileVars+v, comps)
				}
				reads := 0
				for _, k := range part.Comps {
					reads = max(reads, len(s.Reads((k+perTile)%perTile, nil)))
				}
				if reads != part.Reads {
					t.Errorf("part %d has components that read %d variables, want %d", w, part.Reads, reads)
				}
				slices.Sort(comps)
				comps = slices.Compact(comps)
				for i := range comps {
					comps[i] -= base * perTile
				}
				want := slices.DeleteFunc(slices.Clone(part.Comps), func(k int) bool {
					return base*perTile+k < 0 || base*perTile+k >= tiling.M
				})
				if !slices.Equal(comps, want) {
					t.Errorf("part %d has components %v, want %v", w, want, comps)
				}
				for _, k := range part.Comps {
					at := [2]int{part.Colour, (k + perTile) % perTile}
					if other, ok := byColour[at]; ok && other != w {
						t.Errorf("parts %d and %d of colour %d have component %d in common", other, w, part.Colour, k)
					}
					byColour[at] = w
				}
			}
			if c.parts > 0 && (len(r.Parts) != c.parts || r.Colours != c.colours) || largest > c.largest {
				t.Errorf("%d parts of up to %d variables and %d colours, want %d of %d and %d", len(r.Parts), largest,
					r.Colours, c.parts, c.largest, c.colours)
			}
		})
	}
	if _, err := problems.PartsOf(parse(t, "maxcut:torus=4x4"), 1); err == nil {
		t.Error("components that read everything have parts")
	}
}

// Parts are separate if PartsOf needs one colour for them.
func TestSeparateParts(t *testing.T) {
	one := func(spec string) problems.Problem { return parse(t, spec) }
	for i, c := range []struct {
		p    problems.Problem
		want int
	}{
		{one("cec2013/f1:n=2000"), 2000},
		{one("cec2013/f8:n=3000"), 60},
		{one("cec2013/f12:n=2000"), 0},
		{one("cec2013/f15"), 1},
		{one("../test/testdata/grid.cl"), 0},
		{one("../test/testdata/lattice.cl"), 0},
		{listed(5, []uint32{0, 1}, []uint32{2}, []uint32{1, 0}, []uint32{4, 3}), 3},
		{listed(3, []uint32{0}, []uint32{0, 1}, []uint32{2}), 0},
		{listed(3, []uint32{0, 1}, []uint32{2, 1}), 0},
		{listed(3, nil, []uint32{0, 1}, []uint32{1, 1}, []uint32{2}), 2},
		{listed(10, []uint32{0, 1, 2, 3, 4, 5, 6, 7, 8, 9}, []uint32{3, 4}), 1},
	} {
		if got := problems.SeparateParts(c.p); got != c.want {
			t.Errorf("case %d: %d parts, want %d", i, got, c.want)
		}
		p := problems.Gathered(c.p)
		parts, err := problems.PartsOf(p, 1)
		if ones := err == nil && parts.Colours == 1; ones != (c.want > 0) ||
			ones && len(parts.Parts)*p.Tiling().Tiles() != c.want {
			t.Errorf("case %d: PartsOf has %d parts of %d colours, %v; want %d", i, len(parts.Parts), parts.Colours,
				err, c.want)
		}
	}
}

// Parts are computed once for all copies of a structure, also by several goroutines, and again for other costs.
func TestPartsOnce(t *testing.T) {
	p := listed(3, []uint32{0, 1}, []uint32{2, 1})
	all := make([]*problems.Parts, 8)
	var wait sync.WaitGroup
	for i := range all {
		wait.Go(func() { all[i], _ = problems.PartsOf(p, 1) })
	}
	wait.Wait()
	for _, parts := range all {
		if &parts.Parts[0] != &all[0].Parts[0] {
			t.Fatal("the parts are computed again")
		}
	}
	dear := listing{p.(listing).Problem, p.Structure().Costing(3, 4)}
	if parts, _ := problems.PartsOf(dear, 1); parts.Cost != 7 || all[0].Cost != 2 {
		t.Errorf("costs %d and %d, want 7 and 2", parts.Cost, all[0].Cost)
	}
}

// The colours of lists are computed once for all copies of a structure with as many variables.
func TestColoursOnce(t *testing.T) {
	s := problems.Lists(3, []uint32{0, 2, 4}, []uint32{0, 1, 2, 1})
	first, err := problems.ColoursOf(s)
	again, e := problems.ColoursOf(s.WithInner(2))
	if err != nil || e != nil || first != again {
		t.Errorf("%p and %p, %v, %v: the colours are computed again", first, again, err, e)
	}
}

// More than 1024 colours are not sought, which would take long.
func TestManyColours(t *testing.T) {
	all := make([]uint32, 1100)
	for i := range all {
		all[i] = uint32(i)
	}
	pairs := [][]uint32{all}
	for i := range uint32(1099) {
		pairs = append([][]uint32{{i, i + 1}}, pairs...)
	}
	parts, err := problems.PartsOf(listed(1100, pairs...), 1)
	if err != nil || parts.Colours <= 1024 {
		t.Errorf("%d colours, %v", parts.Colours, err)
	}
}

// listing is a problem with another structure.
type listing struct {
	problems.Problem
	structure problems.Structure
}

func (l listing) Structure() problems.Structure { return l.structure }
func (l listing) Tiling() problems.Tiling {
	n, m := l.structure.Variables(), l.structure.Components()
	return problems.Tiling{N: n, M: m, TileVars: n, TileComps: m}
}

// listed returns a problem of n variables whose components read lists.
func listed(n int, lists ...[]uint32) problems.Problem {
	start, list := []uint32{0}, []uint32{}
	for _, l := range lists {
		list = append(list, l...)
		start = append(start, uint32(len(list)))
	}
	p, err := catalog.Parse("rastrigin:n=10", problems.Options{})
	if err != nil {
		panic(err)
	}
	return listing{p, problems.Lists(n, start, list)}
}

func parse(t *testing.T, spec string) problems.Problem {
	p, err := catalog.Parse(spec, problems.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return p
}
