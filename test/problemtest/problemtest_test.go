package problemtest

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/clopt/clopt/cl"
	"github.com/clopt/clopt/problems"
	"github.com/clopt/clopt/problems/catalog"
)

// recorder keeps the complaints of a suite instead of failing.
type recorder struct {
	testing.TB
	said []string
}

func (r *recorder) Helper()      {}
func (r *recorder) Failed() bool { return len(r.said) > 0 }
func (r *recorder) Errorf(format string, args ...any) {
	r.said = append(r.said, fmt.Sprintf(format, args...))
}

// tiled is a problem with another tiling and structure than its own.
type tiled struct {
	problems.Referenced
	tiling    problems.Tiling
	structure problems.Structure
}

func (p tiled) Tiling() problems.Tiling       { return p.tiling }
func (p tiled) Structure() problems.Structure { return p.structure }

// A tiling that contradicts the structure is the only complaint, and comes before anything is evaluated.
func TestDeclared(t *testing.T) {
	p, err := catalog.Parse("classic/rosenbrock:n=100", problems.Options{})
	if err != nil {
		t.Fatal(err)
	}
	h := p.(problems.Referenced)
	chain := problems.Windows(100, 99, 1, 0, 1)
	for _, c := range []struct {
		tiling    problems.Tiling
		structure problems.Structure
		want      string
	}{
		{problems.Tiling{N: 100, M: 99, TileVars: 10, TileComps: 10, Halo: 1}, chain, ""},
		{problems.Tiling{N: 100, M: 99, TileVars: 50, TileComps: 50}, chain,
			"component 49 reads variable 50, and Tiling lets its tile 0 read 0 to 49"},
		{problems.Tiling{N: 100, M: 99, TileVars: 10, TileComps: 10}, chain,
			"component 9 reads variable 10, and Tiling lets its tile 0 read 0 to 9"},
		{problems.Tiling{N: 100, M: 99, TileVars: 10, TileComps: 10, Halo: 3}, chain, "Halo is 3, but no component"},
		{problems.Tiling{N: 100, M: 100, TileVars: 10, TileComps: 10, Halo: 1}, chain,
			"100 variables and 99 components"},
		{problems.Tiling{N: 100, M: 99, TileVars: 10, TileComps: 10}, problems.Everything(100, 99),
			"component 0 reads variable 99"},
		{problems.Tiling{N: 100, M: 2, TileVars: 50, TileComps: 1},
			problems.Lists(100, []uint32{0, 1, 3}, []uint32{0, 60, 40}),
			"component 1 reads variable 40, and Tiling lets its tile 1 read 50 to 99"},
	} {
		r, h := &recorder{TB: t}, tiled{h, c.tiling, c.structure}
		if c.want == "" {
			k := &contract{t: r, p: h, tiling: c.tiling, said: map[string]int{}}
			k.declared()
		} else {
			test(r, h, Options{Devices: []*cl.Device{}, Kinds: []*cl.Device{}})
		}
		if c.want == "" && len(r.said) > 0 || c.want != "" && (len(r.said) != 1 ||
			!strings.Contains(r.said[0], c.want)) {
			t.Errorf("%+v: want one complaint with %q, got %q", c.tiling, c.want, r.said)
		}
	}
}

// At most five complaints of a kind are printed.
func TestComplaints(t *testing.T) {
	r := &recorder{TB: t}
	c := &contract{t: r, said: map[string]int{}}
	for k := range 7 {
		c.errorf("component %d", k)
	}
	if len(r.said) != maxSaid {
		t.Errorf("%q", r.said)
	}
}

// Points are inside the box in both precisions. float32 has no 0.7, and the number next to it is below the minimum.
func TestPointsInside(t *testing.T) {
	file := filepath.Join(t.TempDir(), "sum.cl")
	text := "//@ bounds 0.7 2\n//@ best 7\nstatic void component(uint k, point x, data d, real *acc) { acc[0] += " +
		"at(x, k); }\n"
	if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	p, err := catalog.Parse(file, problems.Options{Dim: 10})
	if err != nil {
		t.Fatal(err)
	}
	opt := Options{Devices: Devices(t, 1), Kinds: Devices(t, 1), Optimum: make([]float64, 10)}
	for i := range opt.Optimum {
		opt.Optimum[i] = 0.7
	}
	opt.Reference = func(x []float64) (s float64) {
		for i, v := range x {
			if v < 0.7 || v > 2 {
				t.Errorf("variable %d is %v", i, v)
			}
			s += v
		}
		return s
	}
	Test(t, p, opt)
}
