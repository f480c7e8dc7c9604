package opencl

import (
	"errors"
	"fmt"

	"github.com/clopt/clopt/internal/clc"
	"github.com/clopt/clopt/internal/clc/host"
	"github.com/clopt/clopt/internal/clc/reads"
	"github.com/clopt/clopt/internal/problems/input"
	"github.com/clopt/clopt/problems"
)

// inferReads compares what the text reads with the directive reads. Without one the structure is that of the text, if
// the text is understood.
func (o *Objective) inferReads(all []directive) *input.Error {
	t, opaque := o.readsText()
	declared := find(all, "reads")
	switch {
	case opaque != nil && declared == nil:
		o.notRead = opaque.String()
		return nil
	case opaque != nil:
		return nil
	case declared != nil:
		_, err := reads.Check(t, o.structure)
		if e, ok := errors.AsType[*reads.Undeclared](err); ok {
			return input.Errorf(e.Pos.File, e.Pos.Line, e.Pos.Col, "component %d reads variable %d, which line %d "+
				"does not declare. Correct //@ reads, or leave it out: clopt finds what a text reads.", e.Component,
				e.Variable, declared.line)
		}
		return nil
	}
	found, err := reads.Find(t)
	if e, ok := errors.AsType[*host.Error](err); ok {
		return input.Errorf(e.Pos.File, e.Pos.Line, e.Pos.Col, "%s. Variables count from 0; see whether //@ n and "+
			"//@ components are right, and guard the read, as in if (k + 1 < DIM) or if (k > 0).", e.Msg)
	}
	o.structure, o.inferred = found.Structure, true
	if found.Why != nil {
		o.inferred, o.notRead = false, found.Why.Msg
		if pos := found.Why.Pos; pos.Line > 0 {
			o.notRead = fmt.Sprintf("%s:%d:%d: %s", pos.File, pos.Line, pos.Col, found.Why.Msg)
		}
	}
	o.tiling = o.structure.Tiling()
	return nil
}

// textReads returns what the text reads, and whether that is known.
func (o *Objective) textReads() (s problems.Structure, ok bool) {
	if o.inferred {
		return o.structure, true
	}
	t, opaque := o.readsText()
	if opaque != nil {
		return s, false
	}
	found, err := reads.Find(t)
	return found.Structure, err == nil && found.Why == nil
}

// readsText returns the trees whose reads are looked for, or why there are none.
func (o *Objective) readsText() (t reads.Text, opaque *clc.Opaque) {
	trees, opaque := o.Trees(problems.FP64)
	if opaque != nil {
		return t, opaque
	}
	return reads.Text{Trees: trees.All(), Data: o.hostData(problems.FP64), Components: o.tiling.M, Grid: o.grid}, nil
}
