package problems

import "github.com/clopt/clopt/internal/clc"

// Parsed is a Problem whose text is read as a tree where it can be.
type Parsed interface {
	Problem
	// Trees returns the functions of the text of a precision as trees, or why there are none. They belong to the
	// problem and must not be changed.
	Trees(prec Precision) (*clc.Trees, *clc.Opaque)
}

// TreesOf returns the trees of p, or why there are none; neither if p is no Parsed.
func TreesOf(p Problem, prec Precision) (*clc.Trees, *clc.Opaque) {
	if t, ok := p.(Parsed); ok {
		return t.Trees(prec)
	}
	return nil, nil
}
