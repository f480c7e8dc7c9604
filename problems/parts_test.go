package problems_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/clopt/clopt/problems"

	"github.com/clopt/clopt/problems/catalog"
)

// Parts are a partition of the variables that are read, no component reads two parts of one colour, and the parts are
// the groups of the functions.
func TestPartsOf(t *testing.T) {
	for _, c := range []struct {
		spec    string
		grain   int
		parts   int
		colours int
		largest int
	}{
		{"cec2013/f1:n=2000", 10, 100, 1, 10},
		{"cec2013/f2:n=2000", 1, 1000, 1, 1},
		{"cec2013/f3:n=2000", 10, 1, 1, 1000},
		{"cec2013/f4:n=2000", 10, 77, 1, 100},   // 7 groups, 70 tens
		{"cec2013/f6:n=2000", 10, 8, 1, 700},    // one Ackley function of 700
		{"cec2013/f7:n=2000", 1, 707, 1, 100},   // sphere
		{"cec2013/f8:n=2000", 10, 20, 1, 100},   // groups
		{"cec2013/f12:n=2000", 100, 10, 2, 100}, // intervals
		{"cec2013/f12:n=2000", 1, 999, 2, 2},
		{"cec2013/f13", 10, 20, 2, 95}, // shared variables belong to the first group
		{"cec2013/f14:n=2000", 10, 20, 2, 95},
		{"cec2013/f15:n=2000", 10, 1, 1, 1000},
		{"cec2013/f8:n=2000", 100, 13, 1, 100},
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
			s := p.Structure()
			var vars []int
			largest, cost := 0, 0
			for _, part := range r.Parts {
				vars = append(vars, part.Vars...)
				largest = max(largest, len(part.Vars))
				cost += part.Cost
				// exactly the components that read it
				var comps []int
				lo, hi := p.Tiling().Comps(0)
				for k := lo; k < hi; k++ {
					reads := s.Reads(k, nil)
					if slices.ContainsFunc(reads, func(v int) bool { return slices.Contains(part.Vars, v) }) {
						comps = append(comps, k)
					}
				}
				if !slices.Equal(comps, part.Comps) || !slices.IsSorted(part.Vars) {
					t.Fatalf("part %v has components %v, want %v", part.Vars, part.Comps, comps)
				}
			}
			for i, a := range r.Parts {
				for _, b := range r.Parts[:i] {
					if a.Colour < b.Colour {
						t.Fatal("parts are not ordered by colour")
					}
					if a.Colour == b.Colour && slices.ContainsFunc(
						a.Comps, func(k int) bool { return slices.Contains(b.Comps, k) }) {
						t.Fatalf("parts %v and %v of colour %d share a component", a.Vars, b.Vars, a.Colour)
					}
				}
			}
			slices.Sort(vars)
			b, _ := problems.BlocksOf(p)
			if len(vars) != b.Used || len(slices.Compact(vars)) != b.Used {
				t.Errorf("parts hold %d variables of %d", len(vars), b.Used)
			}
			if len(r.Parts) != c.parts || r.Colours != c.colours || largest != c.largest {
				t.Errorf("%d parts in %d colours, the largest of %d; want %d, %d, %d", len(r.Parts), r.Colours, largest,
					c.parts, c.colours, c.largest)
			}
			if cost < r.Cost || r.Colours == 1 && cost != r.Cost {
				t.Errorf("parts cost %d, the tile %d", cost, r.Cost)
			}
		})
	}
}
