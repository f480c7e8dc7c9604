package test

import (
	"context"
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/clopt/clopt/problems"
	"github.com/clopt/clopt/problems/catalog"
	"github.com/clopt/clopt/problems/cec2013"
	"github.com/clopt/clopt/problems/rng"
	"github.com/clopt/clopt/shard"
	"github.com/clopt/clopt/test/problemtest"
	"github.com/clopt/clopt/test/shorttest"
)

// cecFunctions are the numbers of all functions. The first four have the four forms of texts: windows that
// overlap, one sum over everything, rotated groups, and groups that overlap.
var cecFunctions = []int{12, 3, 8, 13, 1, 2, 4, 5, 6, 7, 9, 10, 11, 14, 15}

func TestCEC2013(t *testing.T) {
	opt := problemtest.Options{Devices: problemtest.Devices(t, 7), Kinds: problemtest.Kinds(t)}
	for _, f := range shorttest.Rows(3, cecFunctions) {
		for _, mode := range shorttest.Rows(1, []string{cec2013.ModePaper, cec2013.ModeBlocks, cec2013.ModeDistinct}) {
			sizes := []int{3000}
			switch {
			case (f == 13 || f == 14) && mode == cec2013.ModeBlocks:
				sizes = []int{905, 3000}
			case f == 5 && mode == cec2013.ModeBlocks:
				sizes = []int{1000, 3000}
			case (f <= 3 || f == 12) && mode == cec2013.ModePaper:
				sizes = []int{2345}
			}
			// The other modes differ in the shift of a point, not in the points of a group.
			opt.Fullest = mode != cec2013.ModeBlocks
			for _, n := range sizes {
				p, err := cec2013.New(f, n, mode, cec2013.Generate(f))
				if err != nil {
					t.Fatal(err)
				}
				problemtest.Test(t, p, opt)
			}
		}
	}
}

// The functions without transformations have a text of their own in place of the transformations.
func TestCEC2013WithoutTransforms(t *testing.T) {
	if testing.Short() {
		t.Skip("the texts of three more functions are for the full tests")
	}
	for _, spec := range []string{"cec2013/f3:mode=paper,n=2345", "cec2013/f6:n=2000", "cec2013/f10:n=2000"} {
		p, err := catalog.Parse(spec+",transform=none", problems.Options{})
		if err != nil {
			t.Fatal(err)
		}
		problemtest.Test(t, p, problemtest.Options{Devices: problemtest.Devices(t, 3), Kinds: problemtest.Kinds(t)})
	}
}

// With more tiles than super-tiles, the devices add tiles.
func TestCEC2013SuperTiles(t *testing.T) {
	for _, spec := range shorttest.Rows(1, []string{"cec2013/f12:n=300500,mode=paper", "cec2013/f2:n=301000"}) {
		p, err := catalog.Parse(spec, problems.Options{})
		if err != nil {
			t.Fatal(err)
		}
		problemtest.Test(t, p, problemtest.Options{})
	}
}

// A device that adds all super-tiles gets the same bits as the host.
func TestTotal(t *testing.T) {
	devices := problemtest.Devices(t, 1)
	for _, spec := range []string{"cec2013/f12:n=3000", "cec2013/f2:n=301000", "classic/griewank:n=2300"} {
		p, err := catalog.Parse(spec, problems.Options{})
		if err != nil {
			t.Fatal(err)
		}
		x := make([][]float64, 5)
		for k := range x {
			x[k] = make([]float64, p.Domain().N)
			for i := range x[k] {
				x[k][i] = 10 * rng.Uniform(rng.Key{Seed: 6}.Word(uint32(i), uint32(k), 0, rng.Check))
			}
		}
		value := func(points int) []float64 {
			f, err := shard.Evaluate(context.Background(), problemtest.Group(t, devices, shard.Options{Points: points}),
				p, problems.FP64, x)
			if err != nil {
				t.Fatal(err)
			}
			return f
		}
		if host, device := value(0), value(1); !slices.Equal(host, device) {
			t.Errorf("%s: %v added by the host, %v by the device", spec, host, device)
		}
	}
}

// TestCEC2013DeviceReference compares the values of the official instances. This test checks the rest of the contract.
func TestCEC2013Official(t *testing.T) {
	shorttest.Out(t)
	dir, _ := cecReference(t)
	opt := problemtest.Options{Devices: problemtest.Devices(t, 3), Kinds: problemtest.Devices(t, 1)}
	for f := 1; f <= 15; f++ {
		p, err := catalog.Parse(fmt.Sprintf("cec2013/f%d", f), problems.Options{Data: dir, Dim: 3000})
		if err != nil {
			t.Fatal(err)
		}
		problemtest.Test(t, p, opt)
	}
}

// A user's texts with one variable in the last tile, with two full tiles, and with less than
// a tile; rastrigin.cl and sphere_include.cl, which have the same shape, share these sizes.
func TestObjectives(t *testing.T) {
	opt := problemtest.Options{Devices: problemtest.Devices(t, 7), Kinds: problemtest.Kinds(t), Floor: 1}
	for _, c := range shorttest.Rows(4, []struct {
		file    string
		f       func(x []float64) float64
		optimum float64 // of every variable
		sizes   []int
	}{
		{"ackley.cl", func(x []float64) float64 {
			n, a, b := float64(len(x)), 0.0, 0.0
			for _, v := range x {
				a += v * v
				b += math.Cos(2 * math.Pi * v)
			}
			return 20 + math.E - 20*math.Exp(-0.2*math.Sqrt(a/n)) - math.Exp(b/n)
		}, 0, []int{3001, 2000, 2}},
		{"chain.cl", func(x []float64) (s float64) {
			for i := range len(x) - 1 {
				s += 100*math.Pow(x[i+1]-x[i]*x[i], 2) + math.Pow(1-x[i], 2)
			}
			return s
		}, 1, []int{3001, 2000, 2}},
		{"lattice.cl", func(x []float64) (s float64) {
			for i, v := range x {
				s += (v - 1) * (v - 1)
				if i+1 < len(x) {
					s += math.Pow(x[i+1]-v*v, 2)
				}
				if i+50 < len(x) {
					s += math.Pow(x[i+50]-v, 2) / 2
				}
			}
			return s
		}, 1, []int{3001, 2000, 2}},
		{"grid.cl", func(x []float64) (s float64) {
			for i, v := range x {
				s += (v - 1) * (v - 1)
				if i%50 > 0 {
					s += math.Pow(x[i-1]-v*v, 2)
				}
				if i/50%20 < 19 {
					s += math.Pow(x[i+50]-v, 2)
				}
				if i/1000 < 2 {
					s += math.Pow(x[i+1000]-v, 2) / 2
				}
			}
			return s
		}, 1, []int{3000}},
		{"rastrigin.cl", func(x []float64) (s float64) {
			for _, v := range x {
				s += 10 + v*v - 10*math.Cos(2*math.Pi*v)
			}
			return s
		}, 0, []int{3001, 2}},
		{"sphere_include.cl", func(x []float64) (s float64) {
			for _, v := range x {
				s += v * v
			}
			return s
		}, 0, []int{2000}},
	}) {
		for _, n := range shorttest.Rows(1, c.sizes) {
			p, err := catalog.Parse(filepath.Join("testdata", c.file), problems.Options{Dim: n})
			if err != nil {
				t.Fatal(err)
			}
			opt.Reference, opt.Optimum = c.f, make([]float64, n)
			for i := range opt.Optimum {
				opt.Optimum[i] = c.optimum
			}
			problemtest.Test(t, p, opt)
		}
	}
}

// lists: a problem that stays whole on one device of several.
func TestObjectiveWhole(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "whole.cl")
	writeFile(t, file, `//@ bounds -5 5
//@ components n/2
//@ reads whole
//@ best 0
static void component(uint k, point x, data d, real *acc)
{
    acc[0] += sq(at(x, k) - R(0.5) * at(x, DIM - 1u - k)) + sq(at(x, DIM - 1u - k));
}
`)
	for _, n := range shorttest.Rows(1, []int{4200, 4}) {
		p, err := catalog.Parse(file, problems.Options{Dim: n})
		if err != nil {
			t.Fatal(err)
		}
		problemtest.Test(t, p, problemtest.Options{
			Reference: func(x []float64) (s float64) {
				for k := range n / 2 {
					a, b := x[k], x[n-1-k]
					s += (a-b/2)*(a-b/2) + b*b
				}
				return s
			},
			Optimum: make([]float64, n),
		})
	}
}

// lists: components that read scattered variables, in float64 and float32, with
// a g of two accumulators that a device evaluates as well.
func TestObjectiveLists(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "lists.cl")
	writeFile(t, file, `//@ bounds -2 3
//@ reads lists pairs.txt
//@ sums 2
//@ components n
//@ f s0/n^2 + max(sqrt(abs(s1)), -1) - min(s1, 0)
static void component(uint k, point x, data d, real *acc)
{
    real s = R(0.0);
    for (uint q = d.reads_start[k]; q < d.reads_start[k + 1]; q++) s += at(x, d.reads[q]);
    acc[0] += s * s;
    acc[1] += R(2.0) + at(x, d.reads[d.reads_start[k]]);
}
`)
	const n = 37
	var text strings.Builder
	pair := func(k int) (a, b int) { return (5*k + 3) % n, (11 * k) % n }
	for k := range n {
		a, b := pair(k)
		fmt.Fprintf(&text, "%d %d\n", a, b)
	}
	writeFile(t, filepath.Join(dir, "pairs.txt"), text.String())
	p, err := catalog.Parse(file, problems.Options{Dim: n})
	if err != nil {
		t.Fatal(err)
	}
	problemtest.Test(t, p, problemtest.Options{Reference: func(x []float64) float64 {
		s0, s1 := 0.0, 0.0
		for k := range n {
			a, b := pair(k)
			s0 += (x[a] + x[b]) * (x[a] + x[b])
			s1 += 2 + x[a]
		}
		return s0/(n*n) + math.Sqrt(s1)
	}, Floor: 1})
}
