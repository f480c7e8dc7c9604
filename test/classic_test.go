package test

import (
	"context"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/clopt/clopt/cl"
	"github.com/clopt/clopt/problems"
	"github.com/clopt/clopt/problems/catalog"
	"github.com/clopt/clopt/problems/classic"
	"github.com/clopt/clopt/problems/rng"
	"github.com/clopt/clopt/shard"
	"github.com/clopt/clopt/test/problemtest"
	"github.com/clopt/clopt/test/shorttest"
)

// classicNames are the functions, or the configurations, of which the first one of each function comes first.
func classicNames(configs bool) (names []string) {
	var others []string
	for _, e := range catalog.List() {
		name, ok := strings.CutPrefix(e.Name, "classic/")
		switch _, number, _ := strings.Cut(name, "_"); {
		case !ok || configs != (strings.ToLower(name) != name):
		case configs && number > "a":
			others = append(others, e.Name)
		default:
			names = append(names, e.Name)
		}
	}
	return append(names, others...)
}

// floor returns the largest size of the terms that a function adds. Rounding is relative to it where terms cancel.
func floor(p *classic.Classic) float64 {
	for prefix, size := range map[string]float64{"schwefel": 512, "F0": 512, "dekkers": 1e6, "F4": 1e6,
		"shubert": 15 * 15, "F17": 15 * 15} {
		if strings.HasPrefix(p.Name(), prefix) {
			return size
		}
	}
	return 1
}

// Every function keeps the contract of problems. One of each shape has several tiles.
func TestClassic(t *testing.T) {
	opt := problemtest.Options{Devices: problemtest.Devices(t, 2), Kinds: problemtest.Kinds(t)}
	large := map[string]bool{"griewank": true, "michalewicz": true, "rosenbrock": true, "powell": true}
	for _, name := range classicNames(false) {
		for _, n := range shorttest.Rows(1, []int{2300, 0}) {
			if n > 0 && !large[strings.TrimPrefix(name, "classic/")] {
				continue
			}
			p, err := catalog.Parse(name, problems.Options{Dim: n})
			if err != nil {
				t.Fatal(err)
			}
			c := p.(*classic.Classic)
			opt.Floor = floor(c)
			problemtest.Test(t, p, opt)
		}
	}
}

// The published values on devices, in both precisions. In float32 the point
// and the terms are rounded, so that the tolerance is relative to the sum of
// their sizes as well.
func TestClassicDeviceReference(t *testing.T) {
	for _, prec := range shorttest.Rows(1, []problems.Precision{problems.FP64, problems.FP32}) {
		for _, d := range problemtest.Kinds(t) {
			if prec == problems.FP64 && !d.Info().FP64 {
				continue
			}
			g := problemtest.Group(t, []*cl.Device{d}, shard.Options{})
			for _, name := range shorttest.Rows(8, classicNames(true)) {
				p, err := catalog.Parse(name, problems.Options{})
				if err != nil {
					t.Fatal(err)
				}
				c := p.(*classic.Classic)
				points := c.Minimizers()
				for who := range uint32(6) {
					x := make([]float64, c.Domain().N)
					for i := range x {
						lo, hi := c.Domain().In(prec).Interval(i)
						x[i] = lo + (hi-lo)*rng.Uniform(rng.Key{Seed: 8}.Word(uint32(i), who, 0, rng.Check))
					}
					points = append(points, x)
				}
				for _, x := range points {
					if prec == problems.FP32 {
						for i := range x {
							x[i] = float64(float32(x[i]))
						}
					}
				}
				f, err := shard.Evaluate(context.Background(), g, c, prec, points)
				if err != nil {
					t.Fatal(err)
				}
				size := 1.0
				if prec == problems.FP32 {
					size = floor(c)
				}
				for k, x := range points {
					want, err := problems.Eval(c, slices.Clone(x))
					if err != nil {
						t.Fatal(err)
					}
					if math.Abs(f[k]-want) > c.Tolerance(prec)*max(size, math.Abs(want)) {
						t.Errorf("%s in %v: point %d is %v on %s, %v on the host", name, prec, k, f[k], d, want)
					}
				}
			}
		}
	}
}
