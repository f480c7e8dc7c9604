package problems

import (
	"errors"
	"fmt"
)

// Blocks cuts a problem into blocks. Block t is the variables that tile t owns, with every component that reads one of
// them. Where tiles read their own variables only, f is a sum of functions of one block each. Elsewhere a block also
// reads the Halo variables after its own and the Before variables before them, and the last Back components of the tile
// before belong to it as well. Blocks of one colour, which is t mod Colours, have no component in common.
type Blocks struct {
	Coef    []float64 // f = constant + Σ_a Coef[a]·acc_a
	Used    int       // variables of a tile, from its first, that any component reads
	Halo    int
	Before  int
	Back    int
	Colours int // 1 or 2
	// Cost of the components of one tile, and of its last Back ones.
	Cost, BackCost int
}

// BlocksOf derives the blocks of p from its structure, tiling and linear form. The error names the property that is
// missing.
func BlocksOf(p Problem) (*Blocks, error) {
	coef := p.Linear()
	if coef == nil {
		return nil, fmt.Errorf("the objective of %s is not linear in its sums, so it is not a sum over blocks",
			p.Spec())
	}
	s, t := p.Structure(), p.Tiling()
	if t.Whole {
		return nil, fmt.Errorf("any component of %s may read any variable, so it has no blocks", p.Spec())
	}
	b := &Blocks{Coef: coef, Halo: t.Halo, Colours: 1}
	lo, hi := t.Comps(0)
	own := min(t.TileVars, t.N)
	var reads []int
	for k := lo; k < hi; k++ {
		reads = s.Reads(k, reads[:0])
		b.Cost += s.Cost(k)
		last, beyond := 0, false
		for _, v := range reads {
			last = max(last, v)
			beyond = beyond || v >= own
		}
		b.Used = max(b.Used, min(last+1, own))
		if beyond {
			first := own
			for _, v := range reads {
				first = min(first, v)
			}
			b.Before = max(b.Before, own-first)
			b.Back = max(b.Back, hi-k)
		}
	}
	if t.Halo > 0 && t.Tiles() > 1 {
		b.Colours = 2
		for k := hi - b.Back; k < hi; k++ {
			b.BackCost += s.Cost(k)
		}
		if b.Used < own { // the neighbour may read the rest
			b.Used = own
		}
		if t.Halo > t.TileVars {
			return nil, errors.New("a component reads variables of more than two tiles")
		}
	}
	return b, nil
}
