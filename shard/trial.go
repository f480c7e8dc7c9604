package shard

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/clopt/clopt/cl"
	"github.com/clopt/clopt/kernels"
	"github.com/clopt/clopt/problems"
)

// ReadError means that the device text of a problem reads a variable that the problem does not declare.
type ReadError struct {
	File      string `json:"file"`      // of the objective
	Variable  uint32 `json:"variable"`  // one that was read
	Component uint32 `json:"component"` // by this component
	Declared  []int  `json:"declared"`  // which may read these; nil: all
	Dim       int    `json:"variables"` // of the problem
	Count     uint32 `json:"reads"`     // that are not declared
	Points    int    `json:"points"`    // that were evaluated
}

func (e *ReadError) Error() string {
	s := fmt.Sprintf("%s: error: component %d reads variable %d", e.File, e.Component, int32(e.Variable))
	reads, times := "reads", "one evaluation"
	if e.Count == 1 {
		reads = "read"
	}
	if e.Points > 1 {
		times = fmt.Sprintf("%d evaluations", e.Points)
	}
	if int64(e.Variable) >= int64(e.Dim) {
		return s + fmt.Sprintf(
			", outside 0 to %d (%d such %s in %s). "+
				"Guard the index, as in \"if (k + 1 < DIM)\", or declare fewer components, such as "+
				"\"//@ components n-1\".", e.Dim-1, e.Count, reads, times)
	}
	return s + fmt.Sprintf(
		", outside the declared %s (%d such %s in %s). "+
			"Declare all that it reads, such as \"//@ reads k..k+1\" or \"//@ reads whole\".", e.declared(), e.Count,
		reads, times)
}

// declared returns the declared variables in words, without those after the first ten of a list.
func (e *ReadError) declared() string {
	n := len(e.Declared)
	if n == 0 {
		return "none"
	}
	if lo, hi := e.Declared[0], e.Declared[n-1]; hi-lo == n-1 {
		return fmt.Sprintf("%d to %d", lo, hi)
	}
	text, more := e.Declared, ""
	if n > 10 {
		text, more = text[:10], ", ..."
	}
	return strings.ReplaceAll(strings.Trim(fmt.Sprint(text), "[]"), " ", ", ") + more
}

// WriteError means that the device text of a problem writes to acc outside of its sums.
type WriteError struct {
	File      string // of the objective
	Index     int    // of acc
	Component uint32 // that wrote there
	Sums      int    // of the problem
}

func (e *WriteError) Error() string {
	cure := fmt.Sprintf("Write //@ sums %d, or use acc[0] to acc[%d]", e.Index+1, e.Sums-1)
	if e.Index < 0 || e.Index > 15 {
		cure = fmt.Sprintf("Use acc[0] to acc[%d]", e.Sums-1)
	}
	return fmt.Sprintf("%s: error: component %d writes acc[%d], and the number of sums is %d. %s.", e.File,
		e.Component, e.Index, e.Sums, cure)
}

// Lengths of the guards before and after acc, in numbers: on processors, and on devices with little memory an item.
const accGuard, accGuardSmall = 4096, 64

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

// Trial is Watch of one point.
func Trial(ctx context.Context, g *Devices, p problems.Problem, prec problems.Precision) error {
	return Watch(ctx, g, p, prec, 1)
}

// Watch evaluates uniform points on the first device of this rank, with every read watched. It returns a *ReadError if a component
// reads a variable that the problem does not declare for it, and a *WriteError if one writes near acc but not to its
// sums. It is for texts that nobody has checked: a read outside a
// vector is undefined on a device.
func Watch(ctx context.Context, g *Devices, p problems.Problem, prec problems.Precision, points int) error {
	alone := g.alone(g.First())
	d := alone.devices[0]
	t := p.Tiling()
	view := View{
		Parts: []kernels.Part{kernels.Get("lib/view_trial.cl")},
		Args: func(problems.Precision) []cl.Arg {
			return []cl.Arg{cl.U32, cl.U32, cl.Mem[uint32]()}
		},
		Single: true, Form: problems.Item,
	}
	if _, err := p.Text(prec, problems.Item); errors.Is(err, problems.ErrNoForm) {
		view.Form = problems.Tile // of which no read is watched
	}
	view.Tables = trialTables(p.Structure())
	defines := trialDefines(p.Structure())
	if view.Form == problems.Item {
		guard := accGuardSmall
		if d.Info().Type == cl.CPU {
			guard = accGuard
		}
		defines = append(defines, kernels.Define{Name: "ACC_GUARD", Value: fmt.Sprint(guard)})
	}
	pl, err := Place(alone, p, prec, Split(t, []int{t.SuperTiles()}, nil), view, points*p.Accumulators(),
		defines)
	if err != nil {
		return err
	}
	defer pl.Close()
	found := make([]uint32, 9)
	noted, err := cl.Alloc[uint32](d, len(found))
	if err != nil {
		return err
	}
	defer noted.Close()
	if err := noted.Write(0, found); err != nil {
		return err
	}
	if _, err := pl.Eval(ctx, points, func(int) []any { return []any{uint32(0), uint32(0), noted} }); err != nil {
		return err
	}
	if err := noted.Read(0, found); err != nil {
		return err
	}
	if found[6] > 0 {
		return &WriteError{File: problems.SourceOf(p), Index: int(int32(found[7])), Component: found[8],
			Sums: p.Accumulators()}
	}
	if found[3] > 0 {
		found = found[3:] // a read outside the vector is reported first
	}
	if found[0] == 0 {
		return nil
	}
	e := &ReadError{File: problems.SourceOf(p), Variable: found[1], Component: found[2], Count: found[0], Dim: t.N,
		Points: points}
	if s := p.Structure(); !s.Whole() {
		e.Declared = s.Reads(int(e.Component), nil)
		slices.Sort(e.Declared)
	}
	return e
}

// trialTables returns the tables of kernels/lib/view_trial.cl.
func trialTables(s problems.Structure) []problems.Table {
	reads, start, ok := s.GridTables()
	if !ok {
		reads, start, _, _, ok = s.ReadTables()
	}
	if !ok {
		return nil
	}
	return []problems.Table{{Name: "trial", Uint: reads}, {Name: "trial_start", Uint: start}}
}

// trialDefines returns the defines of kernels/lib/view_trial.cl.
func trialDefines(s problems.Structure) []kernels.Define {
	num := func(name string, v int) kernels.Define {
		return kernels.Define{Name: name, Value: fmt.Sprintf("%du", v)}
	}
	if class, ok := s.GridClass("k"); ok {
		return []kernels.Define{num("TRIAL_GRID", 1), {Name: "TRIAL_CLASS(k)", Value: class}}
	}
	if _, _, vars, comps, ok := s.ReadTables(); ok {
		return []kernels.Define{num("TRIAL_LISTS", 1), num("TRIAL_VARS", vars), num("TRIAL_COMPS", comps)}
	}
	stride, from, to, _ := s.Window()
	return []kernels.Define{num("TRIAL_WHOLE", problems.Flag(s.Whole())), num("TRIAL_STRIDE", stride),
		num("TRIAL_FROM", from), num("TRIAL_TO", to)}
}
