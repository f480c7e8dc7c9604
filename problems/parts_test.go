package problems_test

import (
	"fmt"
	"slices"
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

func parse(t *testing.T, spec string) problems.Problem {
	p, err := catalog.Parse(spec, problems.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return p
}
