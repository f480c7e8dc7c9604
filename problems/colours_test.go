package problems_test

import (
	"fmt"
	"testing"

	"github.com/clopt/clopt/problems"

	"github.com/clopt/clopt/problems/catalog"
	"github.com/clopt/clopt/problems/rng"
)

// colourOf returns the colour of every variable. It fails t if a variable has none or two.
func colourOf(t *testing.T, c *problems.Colours, n int) []int {
	t.Helper()
	colour := make([]int, n)
	if c.Period > 0 {
		for i := range colour {
			colour[i] = c.Residues[i%c.Period]
		}
	} else {
		for i := range colour {
			colour[i] = -1
		}
		for k := range c.Count {
			for j, i := range c.Order[c.Start[k]:c.Start[k+1]] {
				if colour[i] >= 0 || j > 0 && i <= c.Order[int(c.Start[k])+j-1] {
					t.Errorf("variable %d has colours %d and %d, or is out of order", i, colour[i], k)
				}
				colour[i] = k
			}
		}
	}
	for i, k := range colour {
		if k < 0 || k >= c.Count {
			t.Fatalf("variable %d has colour %d of %d", i, k, c.Count)
		}
	}
	return colour
}

// valid fails t if a component reads two variables of one colour.
func valid(t *testing.T, s problems.Structure, c *problems.Colours) {
	t.Helper()
	colour := colourOf(t, c, s.Variables())
	for k := range s.Components() {
		owner := map[int]int{}
		for _, i := range s.Reads(k, nil) {
			if j, taken := owner[colour[i]]; taken && j != i {
				t.Fatalf("component %d reads variables %d and %d of colour %d", k, j, i, colour[i])
			}
			owner[colour[i]] = i
		}
	}
}

// Colours of offsets are valid, and grids of two dimensions need at most one more than a component reads.
func TestColoursOfOffsets(t *testing.T) {
	for stride := 1; stride <= 3; stride++ {
		for _, offsets := range [][]int{{0, 2}, {1, 2, 5}, {0, 1, 40}, {0, 1, 2, 40, 80}, {3, 1000, 1001, 2048}} {
			s := problems.Offsets(5000, 2000/stride, stride, offsets)
			c, err := problems.ColoursOf(s)
			if err != nil {
				t.Fatal(err)
			}
			valid(t, s, c)
		}
	}
	for width := 2; width < 200; width++ {
		s := problems.Offsets(width*width, width*width, 1, []int{0, 1, width})
		c, err := problems.ColoursOf(s)
		if err != nil {
			t.Fatal(err)
		}
		valid(t, s, c)
		if c.Count > 4 {
			t.Errorf("width %d: %d colours", width, c.Count)
		}
	}
}

// Colours of grids are valid, also where neighbours on both sides are read.
func TestColoursOfGrids(t *testing.T) {
	for _, size := range [][3]int{{1, 7, 9}, {1, 64, 64}, {5, 6, 7}, {1, 1, 30}, {30, 1, 2}} {
		for _, steps := range [][][3]int{{{}, {0, 0, 1}, {0, 1, 0}}, {{}, {0, 0, 1}, {0, 0, -1}, {0, 1, 0}, {0, -1, 0}},
			{{}, {1, 0, 0}, {-1, 0, 0}}} {
			s := problems.Grid(size, steps...)
			c, err := problems.ColoursOf(s)
			if err != nil {
				t.Fatal(err)
			}
			valid(t, s, c)
		}
	}
}

// Colours of windows are valid for every width and stride, and for those that
// problems have they are the fewest: as many as a component reads.
func TestColoursOfWindows(t *testing.T) {
	for stride := 1; stride <= 7; stride++ {
		for from := range 4 {
			for w := 1; w <= 12; w++ {
				t.Run(fmt.Sprint(stride, from, w), func(t *testing.T) {
					s := problems.Windows(100, 90/stride, stride, from, from+w-1)
					c, err := problems.ColoursOf(s)
					if err != nil {
						t.Fatal(err)
					}
					valid(t, s, c)
					if c.Count < w || (stride == 1 || w <= stride) && c.Count != w {
						t.Errorf("%d colours for components of %d variables at stride %d", c.Count, w, stride)
					}
					seen := 0
					for k := range c.Count {
						seen += len(c.Of(k))
					}
					if seen != c.Period {
						t.Errorf("%d residues of %d have a colour", seen, c.Period)
					}
				})
			}
		}
	}
}

func TestColoursOfProblems(t *testing.T) {
	for spec, want := range map[string]int{
		"classic/rastrigin:n=50": 1, "classic/rosenbrock:n=50": 2, "classic/levy_chain:n=51": 2,
		"classic/powell:n=64": 4,
	} {
		p, err := catalog.Parse(spec, problems.Options{})
		if err != nil {
			t.Fatal(err)
		}
		s := p.Structure()
		c, err := problems.ColoursOf(s)
		if err != nil {
			t.Fatal(err)
		}
		valid(t, s, c)
		if c.Count != want {
			t.Errorf("%s: %d colours, want %d", spec, c.Count, want)
		}
	}
	if c, err := problems.ColoursOf(problems.Everything(10, 10)); err == nil {
		t.Errorf("a structure that reads everything has %d colours", c.Count)
	}
	if _, err := problems.ColoursOf(problems.Windows(5000, 1, 1, 0, 4000)); err == nil {
		t.Error("a component that reads 4001 variables has colours")
	}
}

// Colours of random lists are valid. A grid has two colours, like a chessboard, and each variable of a clique its own.
func TestColoursOfLists(t *testing.T) {
	lists := func(n int, all [][]uint32) problems.Structure {
		start, list := []uint32{0}, []uint32(nil)
		for _, l := range all {
			list = append(list, l...)
			start = append(start, uint32(len(list)))
		}
		return problems.Lists(n, start, list)
	}
	key := rng.Key{Seed: 4}
	var all [][]uint32
	for k := range uint32(300) {
		var l []uint32
		for j := range 1 + k%5 {
			l = append(l, rng.Int(key.Word(k, j, 0, rng.Check), 200))
		}
		all = append(all, l)
	}
	const side = 20
	var grid [][]uint32
	for i := range uint32(side * side) {
		if i%side < side-1 {
			grid = append(grid, []uint32{i, i + 1})
		}
		if i+side < side*side {
			grid = append(grid, []uint32{i, i + side})
		}
	}
	for _, c := range []struct {
		s    problems.Structure
		want int
	}{{lists(200, all), 0}, {lists(side*side, grid), 2}, {lists(3, [][]uint32{{0, 1, 2}}),
		3}, {lists(4, [][]uint32{{3}, {1}}), 1}} {
		got, err := problems.ColoursOf(c.s)
		if err != nil {
			t.Fatal(err)
		}
		valid(t, c.s, got)
		if c.want > 0 && got.Count != c.want {
			t.Errorf("%d colours, want %d", got.Count, c.want)
		}
	}
	wide := make([]uint32, 1100)
	for i := range wide {
		wide[i] = uint32(i)
	}
	if _, err := problems.ColoursOf(lists(1100, [][]uint32{wide})); err == nil {
		t.Error("a component that reads 1100 variables has colours")
	}
}
