package problems

import (
	"github.com/clopt/clopt/internal/clc"
	"github.com/clopt/clopt/internal/clc/smooth"
	"github.com/clopt/clopt/internal/clc/squares"
)

// TreesOf returns the functions of the text of p in a precision as trees, or why there are none; neither if p has no
// method Trees that says it. The trees belong to p and must not be changed.
func TreesOf(p Problem, prec Precision) (*clc.Trees, *clc.Opaque) {
	if t, ok := p.(interface {
		Trees(Precision) (*clc.Trees, *clc.Opaque)
	}); ok {
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

// SquaresOf returns whether the text of p is a sum of squares, or why it is not known to be; neither if p has no method
// Squares that says it. The tree of the residuals belongs to p and must not be changed.
func SquaresOf(p Problem, prec Precision) squares.Found {
	if s, ok := p.(interface {
		Squares(Precision) squares.Found
	}); ok {
		return s.Squares(prec)
	}
	return squares.Found{}
}
