package opencl

import (
	"errors"
	"sync"

	"github.com/clopt/clopt/internal/clc/host"
	"github.com/clopt/clopt/problems"
)

// onHost is the text as the host evaluates it, made when it is asked for.
type onHost struct {
	once sync.Once
	ref  *host.Reference
	err  error
}

// OnHost returns the components as the host evaluates them, or an error with the place of the text that it does not
// read.
func (o *Objective) OnHost(p problems.Precision) (*host.Reference, error) {
	h := &o.hosts[0]
	if p == problems.FP32 {
		h = &o.hosts[1]
	}
	h.once.Do(func() {
		trees, opaque := o.Trees(p)
		if opaque != nil {
			h.err = errors.New(opaque.String())
			return
		}
		h.ref, h.err = host.NewReference(trees, o.hostData(p), o.sums)
	})
	return h.ref, h.err
}

// hostData returns what is around the text.
func (o *Objective) hostData(p problems.Precision) host.Data {
	d := host.Data{Variables: o.n, Single: p == problems.FP32, Symbols: o.treeText(nil, p).Symbols,
		Tables: map[string]host.Table{}}
	for _, t := range o.tables {
		d.Tables[t.Name] = host.Table{Real: t.Real, Uint: t.Uint}
	}
	return d
}
