package problems

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/clopt/clopt/internal/clc"
	"github.com/clopt/clopt/internal/clc/host"
	"github.com/clopt/clopt/internal/clc/smooth"
	"github.com/clopt/clopt/internal/clc/squares"
	"github.com/clopt/clopt/internal/problems/curvature"
	"github.com/clopt/clopt/internal/problems/input"
)

// wrapped is a problem with other bounds, another sense or other tiles. It keeps every ability of the original.
type wrapped struct {
	Problem
	spec   Spec
	info   Info
	domain Domain
	tiling Tiling
	linear []float64
	sign   float64 // factor of the objective, 1 or -1
	items  bool    // tiles are evaluated by components
	tiled  Problem // the argument of withOneTile; nil if there was none
}

// wrappedReferenced is wrapped for a problem with a host reference.
type wrappedReferenced struct {
	*wrapped
	of Referenced
}

// wrap returns a copy of p that change has changed.
func wrap(p Problem, change func(w *wrapped)) Problem {
	w := &wrapped{Problem: p, spec: p.Spec(), info: p.Info(), domain: p.Domain(), tiling: p.Tiling(),
		linear: p.Linear(), sign: 1}
	change(w)
	if r, ok := p.(Referenced); ok {
		return &wrappedReferenced{w, r}
	}
	return w
}

// WithBounds returns p in another box. The best known value of p is kept if the new box lies in the old one and
// contains all known optima; otherwise it is dropped. Binary problems refuse other bounds. Errors are *input.Error.
func WithBounds(p Problem, b Bounds) (Problem, error) {
	d := p.Domain()
	if d.Binary {
		return nil, ownBounds(p)
	}
	if err := b.Validate(); err != nil {
		return nil, err
	}
	return wrap(p, func(w *wrapped) {
		w.spec = w.spec.With("lo", number(b.Lo)).With("hi", number(b.Hi))
		w.bound(Cube(d.N, b.Lo, b.Hi))
	}), nil
}

// WithBox is WithBounds with bounds of each variable, which it keeps. Equal bounds fix a variable.
func WithBox(p Problem, lo, hi []float64) (Problem, error) {
	d := Domain{N: p.Domain().N, Lo: lo, Hi: hi}
	if p.Domain().Binary {
		return nil, ownBounds(p)
	}
	if len(lo) != d.N || len(hi) != d.N {
		return nil, input.Errorf("", 0, 0, "%d lower and %d upper bounds for %d variables", len(lo), len(hi), d.N)
	}
	if err := d.Validate(); err != nil {
		return nil, input.Errorf("", 0, 0, "%v", err)
	}
	return wrap(p, func(w *wrapped) { w.bound(d) }), nil
}

// withBoundsFile is WithBounds with bounds of each variable from a table: a file with a row "lo hi" for each. Equal
// bounds fix a variable.
func withBoundsFile(p Problem, path string) (Problem, error) {
	d := p.Domain()
	if d.Binary {
		return nil, ownBounds(p)
	}
	if strings.ContainsAny(path, ",=") {
		return nil, input.Errorf("", 0, 0, "bounds %q are neither two finite numbers LO,HI nor the name of a file, "+
			"which may have no comma and no equals sign", path)
	}
	t, err := input.ReadTableFile(path)
	if fault, ok := errors.AsType[*input.Error](err); ok {
		return nil, input.OfBounds(fault)
	} else if err != nil {
		return nil, err
	}
	lo, hi, fault := BoundsOf(t, d.N, path)
	if fault != nil {
		return nil, fault
	}
	return wrap(p, func(w *wrapped) {
		w.spec = w.spec.With("bounds", path)
		w.info.Notes = append(slices.Clone(w.info.Notes), t.Notes(path)...)
		w.bound(Domain{N: d.N, Lo: lo, Hi: hi})
	}), nil
}

// ownBounds refuses other bounds for a binary problem.
func ownBounds(p Problem) error {
	return input.Errorf("", 0, 0, "%s takes no other bounds than its own, 0 and 1", p.Spec())
}

// bound gives w another box.
func (w *wrapped) bound(d Domain) {
	if !within(d, w.domain, w.info) {
		w.info.forget()
	}
	w.domain = d
}

// number returns v as the value of a key.
func number(v float64) string { return strconv.FormatFloat(v, 'g', -1, 64) }

// within reports whether the box of b lies in that of d and contains all known optima.
func within(b, d Domain, info Info) bool {
	if info.Optima == nil {
		return false
	}
	for i := range max(len(b.Lo), len(d.Lo)) {
		lo, hi := b.Interval(i)
		if least, most := d.Interval(i); lo < least || hi > most {
			return false
		}
	}
	optima := info.Optima()
	for _, x := range optima {
		for i, v := range x {
			if lo, hi := b.Interval(i); v < lo || v > hi {
				return false
			}
		}
	}
	return len(optima) > 0
}

// maximizer is a Problem that makes its own maximization, because its values are those of another problem.
type maximizer interface {
	Maximized() (Problem, error)
}

// Maximized returns p with its value to be maximised. The smallest value known of p is dropped. A maximum cut and a
// problem that is a maximization already are refused with an *input.Error.
func Maximized(p Problem) (Problem, error) {
	if m, ok := p.(maximizer); ok {
		return m.Maximized()
	}
	if _, ok := p.(Cut); ok || p.Info().Maximize {
		return nil, input.Errorf("", 0, 0, "%s is a maximization already, or a cut; leave maximize out", p.Spec())
	}
	return wrap(p, func(w *wrapped) {
		w.spec = w.spec.With("maximize", "true")
		w.info.Maximize = true
		w.info.forget()
		if t := w.info.Target; t != nil {
			negated := -*t
			w.info.Target = &negated
		}
		w.sign, w.linear = -1, nil
		for _, c := range p.Linear() {
			w.linear = append(w.linear, -c)
		}
	}), nil
}

// withTileSize returns p with tiles of about vars variables, for methods that decide about smaller parts. It returns p
// itself if its tiles are no larger. The components must be windows that fit the tiles; otherwise the error, an
// *input.Error, says why. Sums over smaller tiles have another order than those of p.
func withTileSize(p Problem, vars int) (Problem, error) {
	t := p.Tiling()
	stride, _, _, windows := p.Structure().Window()
	switch {
	case t.Whole:
		return nil, input.Errorf("", 0, 0,
			"any component of %s may read any variable, so it has no tiles of %d variables", p.Spec(), vars)
	case vars >= t.TileVars:
		return p, nil
	case !windows || stride*t.TileComps != t.TileVars:
		return nil, input.Errorf("", 0, 0,
			"the components of %s are not windows over its variables, so it has no tiles of %d variables", p.Spec(),
			vars)
	}
	if _, err := p.Text(FP64, Item); err != nil {
		return nil, input.Errorf("", 0, 0, "%s: %v", p.Spec(), err)
	}
	return wrap(p, func(w *wrapped) {
		w.spec = w.spec.With("tile", strconv.Itoa(vars))
		w.items = true
		w.tiling.TileComps = max(1, vars/stride, (t.Halo+stride-1)/stride)
		w.tiling.TileVars = stride * w.tiling.TileComps
	}), nil
}

// withOneTile returns p with all components in one tile that reads no other. It returns p itself if its tiles are
// closed. Tiled undoes it.
func withOneTile(p Problem) Problem {
	if t := p.Tiling(); !t.Whole && t.Halo == 0 {
		return p
	}
	return wrap(p, func(w *wrapped) {
		w.items, w.tiled = true, p
		w.tiling = Tiling{N: w.tiling.N, M: w.tiling.M, TileVars: w.tiling.N, TileComps: w.tiling.M}
	})
}

// Gathered returns p with one tile if its tiles have no parts: if one may read all variables, or more than the next
// one, or if parts would have components in common with the same parts of the next tile.
func Gathered(p Problem) Problem {
	if _, err := PartsOf(p, 1); err == nil {
		return p
	}
	return withOneTile(p)
}

// Tiled returns the problem of which withOneTile made p, or p itself if it is another one.
func Tiled(p Problem) Problem {
	if w, ok := p.(interface{ manyTiles() Problem }); ok && w.manyTiles() != nil {
		return w.manyTiles()
	}
	return p
}

// Call returns the function of the original.
func (w *wrapped) Call() Call { return CallOf(w.Problem) }

func (w *wrapped) manyTiles() Problem { return w.tiled }

func (w *wrapped) Spec() Spec        { return w.spec }
func (w *wrapped) Info() Info        { return w.info }
func (w *wrapped) Domain() Domain    { return w.domain }
func (w *wrapped) Tiling() Tiling    { return w.tiling }
func (w *wrapped) Linear() []float64 { return w.linear }

func (w *wrapped) Objective(acc []float64) float64 { return w.sign * w.Problem.Objective(acc) }

// Shape returns that of the original, or of its negative.
func (w *wrapped) Shape() curvature.Shape {
	if w.sign < 0 {
		return ShapeOf(w.Problem).Negated()
	}
	return ShapeOf(w.Problem)
}

// Slopes returns those of the original, or their negatives.
func (w *wrapped) Slopes(acc []float64) []float64 {
	slopes := slices.Clone(SlopesOf(w.Problem, acc))
	for a := range slopes {
		slopes[a] *= w.sign
	}
	return slopes
}

// Lost returns that of the original.
func (w *wrapped) Lost(acc []float64) string { return LostOf(w.Problem, acc) }

// Trees returns those of the original, of which the components are the same.
func (w *wrapped) Trees(prec Precision) (*clc.Trees, *clc.Opaque) { return TreesOf(w.Problem, prec) }

// Squares returns those of the original.
func (w *wrapped) Squares(prec Precision) squares.Found { return SquaresOf(w.Problem, prec) }

// OnHost returns that of the original.
func (w *wrapped) OnHost(prec Precision) (*host.Reference, error) { return OnHost(w.Problem, prec) }

// Class returns that of the original.
func (w *wrapped) Class() (smooth.Class, bool) { return ClassOf(w.Problem) }

// Text returns the text of the original. For a maximization it gives the original's objective another name, and defines
// one that returns its negative.
func (w *wrapped) Text(prec Precision, form Form) (Text, error) {
	if w.items && form == Tile {
		form = Item
	}
	t, err := w.Problem.Text(prec, form)
	if err != nil || form != Partial || w.sign > 0 {
		return t, err
	}
	const inner = "objective_minimized"
	t.Defines = append([]Define{{"objective", inner}}, t.Defines...)
	t.Sources = append(t.Sources[:len(t.Sources):len(t.Sources)], Source{File: "maximize",
		Text: fmt.Sprintf("#undef objective\nstatic real objective(const sum *acc, data d) { return -%s(acc, d); }\n",
			inner)})
	return t, nil
}

// HostTile adds the components of the tile, one by one where the tile is smaller than the original's.
func (w *wrappedReferenced) HostTile(t int, x, acc []float64) {
	if !w.items {
		w.of.HostTile(t, x, acc)
		return
	}
	AddTile(w, t, x, acc)
}

func (w *wrappedReferenced) HostComponent(k, first int, x, acc []float64) {
	w.of.HostComponent(k, first, x, acc)
}

func (w *wrappedReferenced) ErrorScale(from, to, first int, x, acc []float64) {
	w.of.ErrorScale(from, to, first, x, acc)
}
