package problems

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"reflect"
	"regexp"
	"slices"
)

// Validate returns an error that names the first fault in what a problem says about itself: its domain, structure,
// tiling, sums and device texts, and how they fit together. It evaluates nothing, and reads bounds, tables and lists
// once. solvers.Minimize begins with it, so a program calls it only to look at a problem earlier.
func Validate(p Problem) error {
	if v := reflect.ValueOf(p); !v.IsValid() || v.Kind() == reflect.Pointer && v.IsNil() {
		return errors.New("problems: the problem is nil")
	}
	d := p.Domain()
	t := p.Tiling()
	s := p.Structure()
	if err := cmp.Or(d.Validate(), t.Validate(), s.validate()); err != nil {
		return invalid(p, err)
	}
	switch {
	case t.N != d.N:
		return invalid(p, fmt.Errorf("Tiling.N is %d, and Domain.N is %d", t.N, d.N))
	case s.n != t.N || s.m != t.M:
		return invalid(p, fmt.Errorf("Structure has %d variables and %d components, and Tiling has %d and %d", s.n, s.m,
			t.N, t.M))
	}
	return invalid(p, cmp.Or(checkSums(p), checkReads(s, t), checkGraph(p), checkTexts(p)))
}

// invalid adds the name of a problem to an error, which may be nil.
func invalid(p Problem, err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("problems: %s: %w", p.Spec(), err)
}

// Validate returns an error unless d has at least one variable, and each has two finite bounds in order. At least one
// variable must have more than one value.
func (d Domain) Validate() error {
	switch n := len(d.Lo); {
	case d.N < 1 || d.N > MaxDim:
		return fmt.Errorf("Domain.N is %d; use 1 to %d variables", d.N, MaxDim)
	case n != len(d.Hi) || n != 1 && n != d.N:
		return fmt.Errorf("Domain.Lo has %d numbers and Domain.Hi has %d; use one for all variables, or %d", n,
			len(d.Hi), d.N)
	case len(d.Names) != 0 && len(d.Names) != d.N:
		return fmt.Errorf("Domain.Names has %d names for %d variables", len(d.Names), d.N)
	}
	fixed := 0
	for i, lo := range d.Lo {
		hi := d.Hi[i]
		if !(lo <= hi) || math.IsInf(hi-lo, 0) || math.IsInf(lo, 0) {
			return fmt.Errorf("Domain.Lo[%d] is %g and Domain.Hi[%d] is %g; use finite numbers in this order, with a "+
				"difference below 1.8e308", i, lo, i, hi)
		}
		if d.Binary && (lo != 0 || hi != 1) {
			return fmt.Errorf("Domain.Lo[%d] is %g and Domain.Hi[%d] is %g; variables of a binary domain have 0 and 1",
				i, lo, i, hi)
		}
		if lo == hi {
			fixed++
		}
	}
	if fixed == len(d.Lo) {
		return errors.New("Domain.Lo and Domain.Hi are equal for all variables; leave one variable free")
	}
	return nil
}

// Validate returns an error unless all numbers of t are in their ranges.
func (t Tiling) Validate() error {
	for _, f := range []struct {
		name        string
		v, from, to int
	}{{"N", t.N, 1, MaxDim}, {"M", t.M, 1, MaxDim}, {"TileVars", t.TileVars, 1, MaxDim},
		{"TileComps", t.TileComps, 1, MaxDim}, {"Halo", t.Halo, 0, MaxDim}} {
		if f.v < f.from || f.v > f.to {
			return fmt.Errorf("Tiling.%s is %d; use %d to %d", f.name, f.v, f.from, f.to)
		}
	}
	return nil
}

// validate returns an error for the zero Structure, and for lists and numbers that are not possible.
func (s Structure) validate() error {
	switch {
	case s.n < 1 || s.m < 1 || s.stride == 0 && s.grid.steps == nil && s.vars == 0 && !s.whole:
		return errors.New("Structure is empty; make it with Windows, Offsets, Grid, Lists, RepeatedLists or Everything")
	case s.inner < 0:
		return fmt.Errorf("Structure.Inner is %d; use 0 or more", s.inner)
	case len(s.costs) > 0 && slices.Min(s.costs) < 1:
		return fmt.Errorf("Structure.Cost is %d; use 1 or more", slices.Min(s.costs))
	case len(s.squares) > 0 && slices.Min(s.squares) < 1:
		return fmt.Errorf("Structure.Squares is %d; use 1 or more", slices.Min(s.squares))
	}
	return nil
}

// checkSums checks what p says about its sums and values.
func checkSums(p Problem) error {
	a := p.Accumulators()
	c := p.Linear()
	info := p.Info()
	switch {
	case a < 1:
		return fmt.Errorf("Accumulators is %d; use 1 or more", a)
	case p.Structure().Inner() > 0 && a != 1:
		return fmt.Errorf("Accumulators is %d; components of inner sums have 1", a)
	case c != nil && len(c) != a:
		return fmt.Errorf("Linear has %d numbers for %d accumulators", len(c), a)
	case slices.ContainsFunc(c, func(v float64) bool { return math.IsNaN(v) || math.IsInf(v, 0) }):
		return fmt.Errorf("Linear is %v; use finite numbers", c)
	case len(info.Sums) > a:
		return fmt.Errorf("Info.Sums has %d names for %d accumulators", len(info.Sums), a)
	case info.Best != nil && math.IsNaN(*info.Best):
		return errors.New("Info.Best is NaN")
	case info.Target != nil && math.IsNaN(*info.Target):
		return errors.New("Info.Target is NaN")
	case info.Proven && info.Best == nil:
		return errors.New("Info.Proven is true, and Info.Best is nil")
	}
	for _, prec := range []Precision{FP64, FP32} {
		if tol := p.Tolerance(prec); !(tol >= 0) || math.IsInf(tol, 1) {
			return fmt.Errorf("Tolerance(%v) is %g; use a finite number of at least 0", prec, tol)
		}
	}
	return nil
}

// checkReads returns an error if a component reads variables that its tile does not. Where components or tiles repeat,
// it looks at some of them.
func checkReads(s Structure, t Tiling) error {
	if t.Whole {
		return nil
	}
	tiles := t.Tiles()
	_, _, _, windows := s.Window()
	var reads []int
	for i := range tiles {
		first, last := t.Comps(i)
		lo, hi := t.Reads(i)
		step := 1
		switch _, _, repeats := s.Repeats(); {
		case windows || s.whole: // the first and the last component read what is farthest
			step = max(1, last-first-1)
		case (repeats || s.grid.steps != nil) && i > 1 && i < tiles-1 && i != tiles/2:
			continue
		}
		for k := first; k < last; k += step {
			if s.whole {
				reads = append(reads[:0], 0, s.n-1)
			} else {
				reads = s.Reads(k, reads[:0])
			}
			for _, v := range reads {
				if v < lo || v >= hi {
					return fmt.Errorf("component %d reads variable %d, and Tiling lets its tile %d read %d to %d", k, v,
						i, lo, hi-1)
				}
			}
		}
	}
	return nil
}

// checkGraph checks the graph of a cut.
func checkGraph(p Problem) error {
	c, ok := p.(Cut)
	if !ok {
		return nil
	}
	g, n := c.Graph(), p.Domain().N
	switch {
	case g == nil:
		return errors.New("Graph is nil")
	case !p.Domain().Binary:
		return errors.New("Domain.Binary is false, and the problem is a cut")
	case g.N() != n && g.N() != n+1:
		return fmt.Errorf("Graph has %d vertices for %d variables; use as many, or one more", g.N(), n)
	}
	return nil
}

// identifier is a name in OpenCL C.
var identifier = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*$`)

// checkTexts checks the device texts that methods ask for first. A function of the host has none.
func checkTexts(p Problem) error {
	if CallOf(p) != nil {
		return nil
	}
	found := false
	for _, form := range []Form{Item, Tile} {
		t, err := p.Text(FP64, form)
		_, precision := errors.AsType[*PrecisionError](err)
		switch {
		case errors.Is(err, ErrNoForm):
			continue
		case precision:
			found = true
			continue
		case err != nil:
			return fmt.Errorf("Text: %w", err)
		}
		found = true
		if err := t.validate(); err != nil {
			return fmt.Errorf("Text: %w", err)
		}
	}
	if !found {
		return errors.New("Text has neither of the forms Item and Tile")
	}
	return nil
}

// validate returns an error for a text from which no program can be made.
func (t Text) validate() error {
	if len(t.Parts)+len(t.Sources) == 0 {
		return errors.New("Parts and Sources are empty; one of them has the components")
	}
	names := map[string]bool{}
	name := func(kind, s string) error {
		switch {
		case !identifier.MatchString(s):
			return fmt.Errorf("%s has the name %q; use letters, digits and _", kind, s)
		case names[s]:
			return fmt.Errorf("%s has the name %q, which another one has", kind, s)
		}
		names[s] = true
		return nil
	}
	for i, table := range t.Tables {
		if err := name(fmt.Sprintf("Tables[%d]", i), table.Name); err != nil {
			return err
		}
		switch reals, words := len(table.Real), len(table.Uint); {
		case (reals > 0) == (words > 0):
			return fmt.Errorf("Tables[%d], %s, has %d Real and %d Uint; use one of them", i, table.Name, reals, words)
		case table.Pair && words > 0:
			return fmt.Errorf("Tables[%d], %s, has Pair, and Uint", i, table.Name)
		}
	}
	for i, n := range t.Numbers {
		if err := name(fmt.Sprintf("Numbers[%d]", i), n.Name); err != nil {
			return err
		}
	}
	for i, d := range t.Defines {
		if d.Name == "" {
			return fmt.Errorf("Defines[%d] has no name", i)
		}
	}
	switch {
	case t.Scratch < 0:
		return fmt.Errorf("Scratch is %d; use 0 or more", t.Scratch)
	case t.Panel.Points < 0 || t.Panel.Points&(t.Panel.Points-1) != 0:
		return fmt.Errorf("Panel.Points is %d; use a power of two, or 0", t.Panel.Points)
	case t.Panel.Scratch < 0 || t.Panel.Group < 0:
		return fmt.Errorf("Panel.Scratch is %d and Panel.Group is %d; use 0 or more", t.Panel.Scratch, t.Panel.Group)
	}
	return nil
}
