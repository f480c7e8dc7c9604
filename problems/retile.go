package problems

import (
	"fmt"
	"slices"
)

// Itemized is a Problem whose device text exists in item form as well, one
// work-item a component.
type Itemized interface {
	// Items is the same problem with that text.
	Items() Problem
}

// retiled is a problem in smaller tiles. It has no host reference, which
// belongs to the tiles of the original.
type retiled struct {
	Structured
	tiling Tiling
}

var _ Structured = (*retiled)(nil)

// Retile cuts p into tiles of about vars variables, for decisions in smaller
// parts. The declared components must be alike at that distance, as those of windows
// (k, k..k+W, S*k..S*k+W) are; the error says why they are not. Sums over the
// tiles have another order than those of p.
func Retile(p Problem, vars int) (Problem, error) {
	s, ok := p.(Structured)
	if !ok {
		return nil, fmt.Errorf("%s does not declare what its components read", p.Spec())
	}
	t := p.Tiling()
	switch {
	case t.Whole:
		return nil, fmt.Errorf("any component of %s may read any variable", p.Spec())
	case vars >= t.TileVars:
		return p, nil
	}
	if i, ok := p.(Itemized); ok {
		if s, ok = i.Items().(Structured); !ok {
			return nil, fmt.Errorf("%s has no device text for single components", p.Spec())
		}
	}
	stride := t.TileVars / t.TileComps
	if stride == 0 || stride*t.TileComps != t.TileVars {
		return nil, fmt.Errorf("the components of %s are not windows over its variables", p.Spec())
	}
	r := &retiled{s, t}
	r.tiling.TileComps = max(1, vars/stride, (t.Halo+stride-1)/stride)
	r.tiling.TileVars = stride * r.tiling.TileComps
	// Every component of a tile is the one before, further by the stride.
	lo, hi := t.Comps(0)
	var before, reads []int
	for k := lo; k < hi; k++ {
		reads = s.Reads(k, reads[:0])
		for i := range before {
			before[i] += stride
		}
		if k > lo && !slices.Equal(before, reads) {
			return nil, fmt.Errorf("the components of %s are not windows over its variables", p.Spec())
		}
		before = append(before[:0], reads...)
	}
	return r, nil
}

// Spec is that of the original.
func (r *retiled) Spec() string { return r.Structured.Spec() }

// Tiling is the finer one.
func (r *retiled) Tiling() Tiling { return r.tiling }
