package problemtest

import (
	"math"
	"slices"

	"github.com/clopt/clopt/internal/shard/partial"
	"github.com/clopt/clopt/problems"
	"github.com/clopt/clopt/shard"
)

// partial checks that a component depends on the declared variables alone, on the host and on every kind of device, and
// that g is the same on both.
func (c *contract) partial() {
	c.t.Helper()
	p, s := c.p, c.p.Structure()
	if h, ok := p.(problems.Referenced); ok {
		c.hostStructure(h, s)
		if !s.Whole() {
			c.hostKept(h)
		}
	}
	for _, prec := range []problems.Precision{problems.FP64, problems.FP32} {
		if _, err := p.Text(prec, problems.Partial); err != nil {
			c.t.Logf("no partial text in %v: %v", prec, err)
			continue
		}
		for _, d := range c.opt.Kinds {
			if prec == problems.FP64 && !d.Info().FP64 {
				continue
			}
			r, err := partial.Place(Group(c.t, c.opt.Kinds, shard.Options{}), p, prec,
				only(len(c.opt.Kinds), slices.Index(c.opt.Kinds, d)), nil, nil)
			if err != nil {
				c.t.Fatalf("%v on %s: %v", prec, d, err)
			}
			c.changes(r, prec, c.points[0])
			c.changes(r, prec, c.points[middle]) // where g is seldom flat
			r.Close()
		}
	}
}

// only returns a use of device i of n.
func only(n, i int) []int {
	use := make([]int, n)
	use[i] = 1
	return use
}

// hostStructure checks that a component depends on no variable outside Reads, and that components and tiles add up to
// the same sums.
func (c *contract) hostStructure(h problems.Referenced, s problems.Structure) {
	c.t.Helper()
	accs := h.Accumulators()
	base, other := c.points[0], c.points[1]
	component := func(k int, x []float64) []float64 {
		acc := make([]float64, accs)
		h.HostComponent(k, 0, x, acc)
		return acc
	}
	step := max(1, s.Components()/100)
	depends := 0
	for k := 0; k < s.Components(); k += step {
		x := slices.Clone(other)
		reads := s.Reads(k, nil)
		for _, i := range reads {
			x[i] = base[i]
		}
		was := component(k, base)
		if got := component(k, x); !slices.Equal(got, was) {
			c.errorf("component %d is %v, and %v where only variables outside %v differ", k, was, got, reads)
		}
		if !slices.Equal(component(k, other), was) {
			depends++
		}
	}
	if depends == 0 {
		c.errorf("no component depends on the variables that it reads")
	}
	sum, tiles := make([]float64, accs), make([]float64, accs)
	for k := range s.Components() {
		h.HostComponent(k, 0, base, sum)
	}
	for i := range c.tiling.Tiles() {
		lo, hi := c.tiling.Reads(i)
		h.HostTile(i, base[lo:hi], tiles)
	}
	for j := range sum {
		if !c.near(sum[j], tiles[j], problems.FP64, 1) {
			c.errorf("accumulator %d is %v by components and %v by tiles", j, sum[j], tiles[j])
		}
	}
}

// probed returns the variables whose changes are checked: all, or about a hundred.
func (c *contract) probed() (which []int) {
	n := c.p.Domain().N
	step := max(1, n/100)
	for i := 0; i < n; i += step {
		which = append(which, i)
	}
	if which[len(which)-1] != n-1 {
		which = append(which, n-1)
	}
	return which
}

// hostKept checks that values by difference are those of full evaluations, after one change and after many.
func (c *contract) hostKept(h problems.Referenced) {
	c.t.Helper()
	kept := problems.NewDeltaEvaluator(h, c.points[0])
	x := slices.Clone(c.points[0])
	for n, i := range c.probed() {
		w := c.points[1][i]
		f := kept.Try(i, w)
		old := x[i]
		x[i] = w
		if want := c.reference(x); !c.near(f, want, problems.FP64, c.opt.Floor) {
			c.errorf("variable %d changed alone: %v by difference, %v in full", i, f, want)
		}
		if n%2 == 0 {
			kept.Take()
		} else {
			x[i] = old
		}
	}
	if want := c.reference(x); !slices.Equal(kept.X, x) || !c.near(kept.Value(), want, problems.FP64, c.opt.Floor) ||
		!c.near(kept.Refresh(), want, problems.FP64, c.opt.Floor) {
		c.errorf("kept %v after many changes, full %v", kept.Value(), want)
	}
}

// near compares within the tolerance, relative to at least floor.
func (c *contract) near(got, want float64, prec problems.Precision, floor float64) bool {
	return got == want || math.IsNaN(got) && math.IsNaN(want) ||
		math.Abs(got-want) <= c.p.Tolerance(prec)*max(math.Abs(want), floor)
}

// changes checks on a device that values by difference from base are those of full evaluations, and that g is the
// host's.
func (c *contract) changes(r *partial.Placement, prec problems.Precision, base []float64) {
	c.t.Helper()
	var which []uint32
	var w []float64
	for _, i := range c.probed() {
		for _, x := range c.points[1:] {
			which, w = append(which, uint32(i)), append(w, x[i])
		}
	}
	acc, f, err := r.Changes(base, which, w)
	if err != nil {
		c.t.Fatal(err)
	}
	n, accs := len(which), c.p.Accumulators()
	// A sum of two more terms rounds twice more, in 53 bits whatever the terms have.
	const rounding = 1e-13
	x := slices.Clone(base)
	for q, i := range which {
		kept, full := acc[q*accs:(q+1)*accs], acc[(n+q)*accs:(n+q+1)*accs]
		for j := range full {
			if math.Abs(kept[j]-full[j]) > rounding*(math.Abs(full[j])+c.spread(acc, j)) {
				c.errorf("%v: variable %d changed to %v: accumulator %d is %v by difference, %v in full", prec, i, w[q],
					j, kept[j], full[j])
			}
		}
		if want := c.p.Objective(full); !c.near(f[n+q], want, prec, max(1, c.opt.Floor)) {
			c.errorf("%v: g(%v) is %v on the device, %v on the host", prec, full, f[n+q], want)
		}
		x[i] = w[q]
		if want := c.reference(x); !c.near(f[q], want, prec, c.opt.Floor) {
			c.errorf("%v: variable %d changed to %v: %v by difference, %v by the reference", prec, i, w[q], f[q], want)
		}
		x[i] = base[i]
	}
}

// spread returns the largest size of accumulator j, which terms may have as well.
func (c *contract) spread(acc []float64, j int) (size float64) {
	accs := c.p.Accumulators()
	for ; j < len(acc); j += accs {
		size = max(size, math.Abs(acc[j]))
	}
	return size
}
