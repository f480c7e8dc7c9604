package problemtest

import (
	"context"
	"math"
	"slices"

	"github.com/clopt/clopt/problems"
	"github.com/clopt/clopt/shard"
)

// declared checks what problems.Validate lets pass: a problem without a name, tolerances that accept everything or
// nothing, a Halo that is larger than components need, and variables that touch other components than read them.
func (c *contract) declared() {
	c.t.Helper()
	s, t := c.p.Structure(), c.tiling
	if c.p.Spec().String() == "" {
		c.errorf("the spec is empty")
	}
	for _, prec := range []problems.Precision{problems.FP64, problems.FP32} {
		if tol := c.p.Tolerance(prec); !(tol > 0 && tol < 0.1) {
			c.errorf("tolerance %g in %v", tol, prec)
		}
	}
	c.touches(s)
	if t.Whole || t.Halo == 0 || t.Tiles() == 1 {
		return
	}
	halo := 0 // the Halo that the components need
	var reads []int
	for i := range t.Tiles() {
		_, own := t.Vars(i)
		from, to := t.Comps(i)
		for k := from; k < to; k++ {
			for _, v := range s.Reads(k, reads[:0]) {
				halo = max(halo, v+1-own)
			}
		}
	}
	if halo < t.Halo {
		c.errorf("Tiling.Halo is %d, but no component reads more than %d variables after those of its tile", t.Halo,
			halo)
	}
}

// touches checks that ComponentsOf is the inverse of Reads, with both in increasing order.
func (c *contract) touches(s problems.Structure) {
	c.t.Helper()
	if s.Whole() || s.Variables() > 5000 {
		return
	}
	want := make([][]int, s.Variables())
	for k := range s.Components() {
		for _, i := range s.Reads(k, nil) {
			if i < 0 || i >= s.Variables() {
				c.errorf("component %d reads variable %d", k, i)
				return
			}
			if n := len(want[i]); n == 0 || want[i][n-1] != k {
				want[i] = append(want[i], k)
			}
		}
	}
	for i := range want {
		if got := s.ComponentsOf(i, nil); !slices.Equal(got, want[i]) || s.Touched(i) != len(got) {
			c.errorf("variable %d touches %v (%d), and %v read it", i, got, s.Touched(i), want[i])
		}
	}
}

// host checks that the functions of the host have no side effects, and that tiles are added to acc.
func (c *contract) host() {
	c.t.Helper()
	accs := c.p.Accumulators()
	if h, ok := c.p.(problems.Referenced); ok {
		for _, i := range c.probes(c.tiling.Tiles()) {
			lo, hi := c.tiling.Reads(i)
			for n, x := range c.points[:4] {
				part := slices.Clone(x[lo:hi])
				first := make([]float64, accs)
				again := make([]float64, accs)
				onto := make([]float64, accs)
				h.HostTile(i, part, first)
				h.HostTile(i, part, again)
				if !slices.Equal(first, again) || !slices.Equal(part, x[lo:hi]) {
					c.errorf("host: tile %d of point %d is %v, then %v, or its variables changed", i, n, first, again)
				}
				for j, v := range first {
					onto[j] = 3 * v
				}
				h.HostTile(i, part, onto)
				for j, v := range first {
					if math.Abs(onto[j]-4*v) > 1e-12*math.Abs(v) {
						c.errorf("host: tile %d of point %d is not added to acc: %v onto %v is %v", i, n, v, 3*v,
							onto[j])
					}
				}
			}
		}
	}
	g := func(acc []float64) float64 {
		kept := slices.Clone(acc)
		f := c.p.Objective(acc)
		if !slices.Equal(acc, kept) {
			c.errorf("g changes its accumulators")
		}
		return f
	}
	acc := make([]float64, accs)
	for j := range acc {
		acc[j] = 1.5 + float64(j)
	}
	f := g(acc)
	differs := false
	for _, by := range []float64{10, -20, 10} { // products are 0 where the count of zeros is above 0
		for j := range acc {
			acc[j] += by
		}
		differs = differs || g(acc) != f
	}
	if !differs {
		c.errorf("g(%v) is %v as well as those of smaller and larger accumulators", acc, f)
	}
	if again := g(acc); again != f {
		c.errorf("g(%v) is %v, then %v", acc, f, again)
	}
}

// probes returns the first, the last and a middle one of n.
func (c *contract) probes(n int) []int {
	return slices.Compact([]int{0, n / 2, n - 1})
}

// rows returns the sums of all super-tiles at points.
func (c *contract) rows(prec problems.Precision, points [][]float64) []float64 {
	c.t.Helper()
	g := Group(c.t, c.opt.Devices[:1], shard.Options{})
	pl, err := shard.Place(g, c.p, prec, shard.Split(c.tiling, []int{c.tiling.SuperTiles()}, nil), shard.Plain(),
		len(points)*c.p.Accumulators(), nil)
	if err != nil {
		c.t.Fatal(err)
	}
	defer pl.Close()
	x, err := shard.AllocReals(c.opt.Devices[0], prec, len(points)*c.tiling.N)
	if err != nil {
		c.t.Fatal(err)
	}
	defer x.Close()
	if err := x.Write(0, slices.Concat(points...)); err != nil {
		c.t.Fatal(err)
	}
	sums, err := pl.EvalRows(context.Background(), len(points), func(int) []any {
		return []any{x.Arg(), uint64(c.tiling.N), uint32(0)}
	})
	if err != nil {
		c.t.Fatal(err)
	}
	return sums
}

// structure checks that the sums of a super-tile depend on the variables that its tiles read, and on no others.
func (c *contract) structure(prec problems.Precision) {
	c.t.Helper()
	supers := c.tiling.SuperTiles()
	if prec == problems.FP64 && !c.opt.Devices[0].Info().FP64 {
		return
	}
	type change struct {
		super  int
		what   string
		same   bool
		lo, hi int // the variables that change; if same is true, those that do not
	}
	changes := []change{}
	for _, s := range c.probes(supers) {
		if !c.computes(s) {
			continue
		}
		a, z := c.tiling.SuperTile(s)
		lo, _ := c.tiling.Vars(a)
		_, own := c.tiling.Vars(z - 1)
		from, hi := lo, own
		for i := a; i < z; i++ {
			r0, r1 := c.tiling.Reads(i)
			from, hi = min(from, r0), max(hi, r1)
		}
		changes = append(changes, change{s, "all it reads", false, from, hi})
		if supers > 1 && !c.tiling.Whole {
			changes = append(changes, change{s, "all it does not read", true, from, hi})
			if hi > own {
				changes = append(changes, change{s, "what it reads after its own", false, own, hi})
			}
		}
	}
	base, other := c.points[0], c.points[1]
	points := [][]float64{base}
	for _, ch := range changes {
		x := slices.Clone(base)
		for i := range x {
			if (i >= ch.lo && i < ch.hi) != ch.same {
				x[i] = other[i]
			}
		}
		points = append(points, x)
	}
	accs := c.p.Accumulators()
	width := len(points) * accs
	sums := c.rows(prec, points)
	if len(sums) != supers*width {
		c.t.Fatalf("%d sums of %d super-tiles and %d points", len(sums), supers, len(points))
	}
	row := func(super, point int) []float64 {
		at := super*width + point*accs
		return sums[at : at+accs]
	}
	for k, ch := range changes {
		if got, was := row(ch.super, k+1), row(ch.super, 0); slices.Equal(got, was) != ch.same {
			c.errorf("%v: super-tile %d sums to %v, and to %v after a change of %s", prec, ch.super, was, got, ch.what)
		}
	}
}

// computes reports whether super-tile s has components.
func (c *contract) computes(s int) bool {
	a, z := c.tiling.SuperTile(s)
	lo, _ := c.tiling.Comps(a)
	_, hi := c.tiling.Comps(z - 1)
	return hi > lo
}
