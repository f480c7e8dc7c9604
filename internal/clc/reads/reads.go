// Package reads finds which variables the components of an objective read, from their trees.
//
// Indices that are a multiple of the number of the component and a constant, or the counter of a loop that ends there
// too, are proved. Others that do not depend on the point are computed for all components. Nothing is tried at points,
// so that no branch is missed, however rare.
//
// Files, each after those it needs: affine.go, counter.go, computed.go, reads.go.
package reads

import (
	"errors"
	"fmt"
	"slices"

	"github.com/clopt/clopt/internal/clc"
	"github.com/clopt/clopt/internal/clc/host"
	"github.com/clopt/clopt/problems"
)

// Text is an objective whose reads are looked for.
type Text struct {
	Trees      []*clc.Tree // the functions that read variables
	Data       host.Data
	Components int
	Grid       [3]int // planes, rows and columns, as of problems.Grid; 0: there is none
}

// Found is what was found.
type Found struct {
	// Structure is the smallest form that has all reads; it may have more. It is problems.Everything where Why is set.
	Structure problems.Structure
	// Why says why any component may read any variable; the place is empty where that is no place of the text.
	Why *host.Error
}

// The limits of what is computed for all components.
const (
	mostReads      = 1 << 26
	mostOperations = 1 << 28
)

// The limits of a form that is no list: the most variables that are not neighbours, and the largest distance from the
// first one.
const (
	mostApart = 64
	mostFar   = 1 << 16
)

// Find finds the reads of a text. The error, a *host.Error, is a read of a variable that does not exist at any point.
func Find(t Text) (found Found, err error) {
	offsets, stride, ok := t.affine()
	if ok {
		if e := t.ends(stride, offsets); e != nil {
			return Found{}, e
		}
		found.Structure, ok = windows(t.Data.Variables, t.Components, stride, offsets)
	}
	if ok && t.Grid[0] == 0 {
		return found, nil
	}
	all, err := t.compute(nil)
	e, failed := errors.AsType[*host.Error](err)
	switch {
	case failed && e.Outside:
		return Found{}, e
	case ok && (failed || !all.grid):
		return found, nil
	case failed:
		return Found{problems.Everything(t.Data.Variables, t.Components), e}, nil
	}
	return Found{Structure: all.structure()}, nil
}

// ends returns an error if one of the last components, whose windows end beyond the last variable, reads one there.
func (t Text) ends(stride int, offsets []int) *host.Error {
	first := 0 // the first of them
	if last := t.Data.Variables - 1 - offsets[len(offsets)-1]; last >= 0 {
		first = last/stride + 1
	}
	for _, tree := range t.Trees {
		s, err := host.CompileReads(tree, t.Data)
		if err != nil {
			continue
		}
		frame := s.NewFrame()
		for k := first; k < t.Components; k++ {
			_, err := s.Run(frame, k, mostOperations, func(int64, clc.Pos) {})
			if e, ok := errors.AsType[*host.Error](err); ok && e.Outside {
				return e
			}
		}
	}
	return nil
}

// Undeclared is a read that a declaration does not have.
type Undeclared struct {
	Component, Variable int
	Pos                 clc.Pos
}

func (e *Undeclared) Error() string {
	return fmt.Sprintf("%s:%d:%d: component %d reads variable %d, which is not declared for it", e.Pos.File, e.Pos.Line,
		e.Pos.Col, e.Component, e.Variable)
}

// Check returns an *Undeclared if there is a read that a declaration does not have, and otherwise whether that is
// known.
func Check(t Text, declared problems.Structure) (known bool, err error) {
	if declared.Whole() {
		return true, nil
	}
	if offsets, stride, ok := t.affine(); ok && covers(declared, stride, offsets) {
		return true, nil
	}
	_, err = t.compute(&declared)
	if u, ok := errors.AsType[*Undeclared](err); ok {
		return true, u
	}
	return err == nil, nil
}

// covers reports whether a structure of windows has all the offsets.
func covers(s problems.Structure, stride int, offsets []int) bool {
	own, from, to, ok := s.Window()
	if !ok || own != stride {
		return false
	}
	has, _, _, _, apart := s.ReadTables()
	for _, o := range offsets {
		if o < from || o > to || apart && !slices.Contains(has, uint32(o)) {
			return false
		}
	}
	return true
}
