package problems_test

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/clopt/clopt/problems"

	"github.com/clopt/clopt/problems/catalog"
	"github.com/clopt/clopt/problems/cec2013"
	"github.com/clopt/clopt/problems/opencl"
)

func userObjective(t *testing.T, n int, directives string) *opencl.Objective {
	t.Helper()
	path := filepath.Join(t.TempDir(), "user.cl")
	text := "//@ bounds -1 1\n//@ " + strings.ReplaceAll(directives, "; ", "\n//@ ") +
		"\nstatic void component(uint k, point x, data d, real *acc) { acc[0] += at(x, k); }\n"
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	p, err := opencl.ParseFile(path, n)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func TestBlocksOf(t *testing.T) {
	cec := func(spec string) problems.Problem {
		p, err := catalog.Parse(spec, problems.Options{})
		if err != nil {
			t.Fatal(err)
		}
		return p
	}
	maximised, err := problems.Maximized(userObjective(t, 100, "reads k"))
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		p    problems.Problem
		want string // of the problems.Blocks, or of the error
	}{
		"f1": {cec("cec2013/f1:n=3000"),
			"{Coef:[1] Used:1000 Halo:0 Before:0 Back:0 Colours:1 Cost:1000 BackCost:0}"},
		"f4": {cec("cec2013/f4:n=3000"),
			"{Coef:[1] Used:1000 Halo:0 Before:0 Back:0 Colours:1 Cost:18200 BackCost:0}"},
		"f6": {cec("cec2013/f6:n=3000"),
			"{Coef:[1] Used:1000 Halo:0 Before:0 Back:0 Colours:1 Cost:18200 BackCost:0}"},
		"f8": {cec("cec2013/f8:n=3000"),
			"{Coef:[1] Used:1000 Halo:0 Before:0 Back:0 Colours:1 Cost:68750 BackCost:0}"},
		"f12": {cec("cec2013/f12:n=3000"),
			"{Coef:[1] Used:1000 Halo:0 Before:0 Back:0 Colours:1 Cost:1998 BackCost:0}"},
		"f13": {cec("cec2013/f13:n=3000"),
			"{Coef:[1] Used:905 Halo:0 Before:0 Back:0 Colours:1 Cost:68750 BackCost:0}"},
		"f14 alone": {cec("cec2013/f14"), "{Coef:[1] Used:905 Halo:0 Before:0 Back:0 Colours:1 Cost:68750 BackCost:0}"},
		"f15": {cec("cec2013/f15:n=3000"),
			"{Coef:[1] Used:1000 Halo:0 Before:0 Back:0 Colours:1 Cost:1000 BackCost:0}"},
		"f1 stretched": {cec("cec2013/f1:n=2500,mode=paper"),
			"{Coef:[1] Used:1000 Halo:0 Before:0 Back:0 Colours:1 Cost:1000 BackCost:0}"},
		"f12 stretched": {cec("cec2013/f12:n=2500,mode=paper"),
			"{Coef:[1] Used:1000 Halo:1 Before:1 Back:1 Colours:2 Cost:2000 BackCost:2}"},
		"f3 stretched": {cec("cec2013/f3:n=2500,mode=paper"), "not linear"},
		"separable": {userObjective(t, 2500, "reads k"),
			"{Coef:[1] Used:1000 Halo:0 Before:0 Back:0 Colours:1 Cost:1000 BackCost:0}"},
		"small": {userObjective(t, 10, "reads k"),
			"{Coef:[1] Used:10 Halo:0 Before:0 Back:0 Colours:1 Cost:10 BackCost:0}"},
		"window": {userObjective(t, 5000, "reads k..k+3; components n-3"),
			"{Coef:[1] Used:1000 Halo:3 Before:3 Back:3 Colours:2 Cost:1000 BackCost:3}"},
		"pairs": {userObjective(t, 5000, "reads 2k..2k+1; components n/2"),
			"{Coef:[1] Used:1000 Halo:0 Before:0 Back:0 Colours:1 Cost:500 BackCost:0}"},
		"pairs linked": {userObjective(t, 5000, "reads 2k..2k+2; components n/2-1"),
			"{Coef:[1] Used:1000 Halo:1 Before:2 Back:1 Colours:2 Cost:500 BackCost:1}"},
		"sums": {userObjective(t, 100, "reads k; sums 2; f 3*s1 - (s0 + 4)/2"),
			"{Coef:[-0.5 3] Used:100 Halo:0 Before:0 Back:0 Colours:1 Cost:100 BackCost:0}"},
		"root":      {userObjective(t, 100, "reads k; f sqrt(s0)"), "not linear"},
		"whole":     {userObjective(t, 100, "reads whole"), "may read any variable"},
		"maximised": {maximised, "{Coef:[-1] Used:100 Halo:0 Before:0 Back:0 Colours:1 Cost:100 BackCost:0}"},
	} {
		b, err := problems.BlocksOf(c.p)
		if err != nil {
			if !strings.Contains(err.Error(), c.want) {
				t.Errorf("%s: %v, want %s", name, err, c.want)
			}
			continue
		}
		if got := fmt.Sprintf("%+v", *b); got != c.want {
			t.Errorf("%s: %s\nwant %s", name, got, c.want)
		}
	}
}

// Components of the CEC'2013 functions declare exactly what they read: their variables and no others change the value
// of the block.
func TestComponentReads(t *testing.T) {
	for f := 1; f <= 15; f++ {
		p, err := catalog.Parse(fmt.Sprintf("cec2013/f%d:n=2000", f), problems.Options{})
		if err != nil {
			t.Fatal(err)
		}
		c := p.(*cec2013.CEC2013)
		ti := c.Tiling()
		seen := make([]bool, c.Domain().N)
		cost := 0
		lo, hi := ti.Comps(1)
		for k := lo; k < hi; k++ {
			reads, each := c.Structure().Reads(k, nil), c.Structure().Cost(k)
			if each < 1 || len(reads) == 0 {
				t.Fatalf("f%d: component %d reads %v at cost %d", f, k, reads, each)
			}
			cost += each
			for _, v := range reads {
				seen[v] = true
			}
		}
		b, err := problems.BlocksOf(p)
		if err != nil || cost != b.Cost {
			t.Errorf("f%d: cost %d, of the block %+v, %v", f, cost, b, err)
		}
		x := make([]float64, 1000)
		for i := range x {
			x[i] = float64(i%7) - 3.3
		}
		value := func() float64 {
			acc := make([]float64, 1)
			c.HostTile(1, x, acc)
			return acc[0]
		}
		base := value()
		for i := range x {
			if !seen[1000+i] || i%37 == 0 {
				was := x[i]
				x[i] += 0.7
				// the weight of a group can be too small to change the value of the block
				heavy := slices.Contains([]int{1, 2, 3, 12, 15}, f)
				if changed := math.Abs(value()-base) > 0; changed && !seen[1000+i] || heavy && changed != seen[1000+i] {
					t.Errorf("f%d: variable %d is declared to be read: %v; it changes the value: %v", f, i,
						seen[1000+i], changed)
				}
				x[i] = was
			}
		}
		if slices.Contains(seen[:1000], true) {
			t.Errorf("f%d: block 1 reads block 0", f)
		}
	}
}
