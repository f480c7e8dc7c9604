package shard

import (
	"context"
	"fmt"
	"reflect"

	"github.com/clopt/clopt/cl"
	"github.com/clopt/clopt/kernels"
	"github.com/clopt/clopt/problems"
)

// ReadError means that the device text of a problem reads a variable that the problem does not declare.
type ReadError struct {
	File      string // of the objective
	Variable  uint32 // one that was read
	Component uint32 // by this component
	Lo, Hi    int    // which may read these, half-open
	Dim       int
	Count     uint32 // such reads of one point
}

func (e *ReadError) Error() string {
	s := fmt.Sprintf("%s: error: component %d reads variable %d", e.File, e.Component, int32(e.Variable))
	reads := "reads"
	if e.Count == 1 {
		reads = "read"
	}
	if int64(e.Variable) >= int64(e.Dim) {
		return s + fmt.Sprintf(
			", outside 0 to %d (%d such %s in one evaluation). "+
				"Declare fewer components, such as \"//@ components n-1\", or guard the index.", e.Dim-1, e.Count,
			reads)
	}
	return s + fmt.Sprintf(
		", outside the declared %d to %d (%d such %s in one evaluation). "+
			"Declare all that it reads, such as \"//@ reads k..k+1\" or \"//@ reads whole\".", e.Lo, e.Hi-1, e.Count,
		reads)
}

// Try runs Trial for a problem without a host reference, once for each Devices, unless the options say NoCheck.
// It does nothing for problems with a host reference, which Check compares.
func (g *Devices) Try(ctx context.Context, p problems.Problem, prec problems.Precision) error {
	// A value that cannot be compared, such as a struct with a slice, is tried each time.
	known := reflect.ValueOf(p).Comparable()
	if _, hosted := p.(problems.Referenced); hosted || g.opt.NoCheck || known && g.tried[p] {
		return nil
	}
	if err := Trial(ctx, g, p, prec); err != nil {
		return err
	}
	if known {
		if g.tried == nil {
			g.tried = map[problems.Problem]bool{}
		}
		g.tried[p] = true
	}
	return nil
}

// Trial evaluates one uniform point on the first device, with every read watched. It returns a *ReadError
// if a component reads a variable that the problem does not declare for it. It is for texts that nobody has checked: a
// read outside a vector is undefined on a device.
func Trial(ctx context.Context, g *Devices, p problems.Problem, prec problems.Precision) error {
	d := g.devices[0]
	alone := &Devices{devices: g.devices[:1], turns: [][]int{{0}}, opt: g.opt}
	alone.opt.Reducer = local{}
	t := p.Tiling()
	view := View{
		Parts: []kernels.Part{kernels.Get("lib/view_trial.cl")},
		Args: func(problems.Precision) []cl.Arg {
			return []cl.Arg{cl.U32, cl.U32, cl.Mem[uint32]()}
		},
		Single: true,
	}
	stride := max(1, t.TileVars/t.TileComps)
	defines := []kernels.Define{
		{Name: "TRIAL_STRIDE", Value: fmt.Sprintf("%du", stride)},
		{Name: "TRIAL_REACH", Value: fmt.Sprintf("%du", t.Halo)},
		{Name: "TRIAL_WHOLE", Value: flag(t.Whole)},
	}
	pl, err := Place(alone, p, prec, Split(t, []int{t.SuperTiles()}, nil), view, p.Accumulators(), defines)
	if err != nil {
		return err
	}
	defer pl.Close()
	found := make([]uint32, 6)
	noted, err := cl.Alloc[uint32](d, len(found))
	if err != nil {
		return err
	}
	defer noted.Close()
	if err := noted.Write(0, found); err != nil {
		return err
	}
	if _, err := pl.Eval(ctx, 1, func(int) []any { return []any{uint32(0), uint32(0), noted} }); err != nil {
		return err
	}
	if err := noted.Read(0, found); err != nil {
		return err
	}
	if found[3] > 0 {
		found = found[3:] // a read outside the vector is reported first
	}
	if found[0] == 0 {
		return nil
	}
	e := &ReadError{File: problems.SourceOf(p), Variable: found[1], Component: found[2], Count: found[0], Dim: t.N,
		Hi: t.N}
	if !t.Whole {
		e.Lo = min(int(e.Component)*stride, t.N)
		e.Hi = min(e.Lo+stride+t.Halo, t.N)
	}
	return e
}
