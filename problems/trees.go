package problems

import (
	"github.com/clopt/clopt/internal/clc"
	"github.com/clopt/clopt/internal/clc/smooth"
)

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

// ClassOf returns whether p is smooth, has kinks or has steps, g included, if that is known: if p has a method Class
// that says it.
func ClassOf(p Problem) (c smooth.Class, known bool) {
	if c, ok := p.(interface{ Class() (smooth.Class, bool) }); ok {
		return c.Class()
	}
	return smooth.Class{}, false
}
