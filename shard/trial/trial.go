// Package trial tries what a run relies on, before it does. Try evaluates the device text of a problem, which nobody
// has checked: it finds reads of variables that the problem does not declare, and reads and writes outside of arrays.
// Sums finds devices that add wrongly.
package trial

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"time"

	"github.com/clopt/clopt/cl"
	"github.com/clopt/clopt/kernels"
	"github.com/clopt/clopt/problems"
	"github.com/clopt/clopt/problems/rng"
	"github.com/clopt/clopt/shard"
)

// Point returns uniform point k.
func Point(d problems.Domain, k int) []float64 {
	x := make([]float64, d.N)
	for i := range x {
		lo, hi := d.Interval(i)
		x[i] = lo + (hi-lo)*rng.Uniform(rng.Key{}.Word(uint32(i), uint32(k), 0, rng.Check))
	}
	return x
}

// trialTime is the time after which Run leaves components out.
const trialTime = 5 * time.Second

// Try runs Run for a problem without a host reference, once for each Devices, unless the options say NoCheck.
// It does nothing for problems with a host reference, which Check compares.
func Try(ctx context.Context, g *shard.Devices, p problems.Problem, prec problems.Precision) error {
	if _, hosted := p.(problems.Referenced); hosted || !g.Checked() {
		return nil
	}
	return g.Once(p, func() error { return Run(ctx, g, p, prec) })
}

// Run is Watch of one point. If all components take longer than some seconds, it leaves out the rest of them.
func Run(ctx context.Context, g *shard.Devices, p problems.Problem, prec problems.Precision) error {
	return watch(ctx, g, p, prec, 1, trialTime)
}

// Watch evaluates uniform points on the first device of this rank, with every read watched. It returns a *ReadError if
// a component reads a variable that the problem does not declare for it, an *IndexError if one reads or writes near one
// of its arrays or tables, but outside of it, an *UnsteadyError if one has two values, and a *SetError if one does more
// with a sum than add to it. It is for texts that nobody has checked: a read outside of a vector is undefined on a
// device. Nothing is watched in problems without an item form.
func Watch(ctx context.Context, g *shard.Devices, p problems.Problem, prec problems.Precision, points int) error {
	return watch(ctx, g, p, prec, points, math.MaxInt64)
}

func watch(ctx context.Context, g *shard.Devices, p problems.Problem, prec problems.Precision, points int,
	limit time.Duration) error {
	text, err := p.Text(prec, problems.Item)
	if errors.Is(err, problems.ErrNoForm) {
		return nil
	}
	if err != nil {
		return err
	}
	t := &trial{g: g, d: g.All()[g.First()], p: p, points: points}
	defer t.close()
	if err := t.build(text, prec); err != nil {
		return err
	}
	comps, begin := p.Tiling().M, time.Now()
	last := max(0, comps-1024) // the last components are evaluated first
	for _, r := range [][2]int{{last, comps}, {0, last}} {
		for first := r[0]; first < r[1]; {
			n := min(t.pace.Fit(), trialMost, r[1]-first)
			for point := range points {
				if err := t.evaluate(ctx, uint32(point), uint32(first), uint32(n)); err != nil {
					return err
				}
			}
			if first += n; time.Since(begin) > limit {
				return t.read()
			}
		}
	}
	return t.read()
}

// trialMost is the largest number of components of a launch.
const trialMost = 1 << 20

// trial evaluates components on one device.
type trial struct {
	g      *shard.Devices
	d      *cl.Device
	p      problems.Problem
	points int
	guard  uint32
	prog   *shard.Program
	kernel *cl.Kernel
	adds   *cl.Kernel // nil: components do not write to sums
	pace   shard.Pacer
	hashes *cl.Buffer[uint32]
	noted  *cl.Buffer[uint32]
	wrong  *cl.Buffer[uint32] // what adds finds
	found  []uint32           // what was noted with the usual guards, see lib/view_trial.cl
	arrays []guarded
	own    [2]uint32 // the range of the guards of the first array that have the other value
}

// Warnings returns the warnings of the compiler of a device about the sources of a problem, such as the file of an
// objective. It compiles the text in which Run evaluates them. There are none for a problem without an item form. The
// driver may also write to the standard error of the process.
func Warnings(d *cl.Device, p problems.Problem, prec problems.Precision) ([]cl.Message, error) {
	text, err := p.Text(prec, problems.Item)
	if errors.Is(err, problems.ErrNoForm) {
		return nil, nil
	} else if err != nil {
		return nil, err
	}
	var files []string
	for _, s := range text.Sources {
		files = append(files, s.File)
	}
	return shard.Warnings(d, assemble(d.Info(), p, text, prec), files)
}

// assemble returns the assembly in which components are evaluated.
func assemble(info cl.Info, p problems.Problem, text problems.Text, prec problems.Precision) shard.Assembly {
	guard := trialGuardSmall
	if info.Type == cl.CPU {
		guard = trialGuard
	}
	s := p.Structure()
	text.Tables = slices.Concat(text.Tables, trialTables(s))
	defines := append(trialDefines(s), kernels.Define{Name: "GUARD", Value: fmt.Sprint(guard)},
		kernels.Flag("QUADS", false), kernels.Signed("POINTS", 1))
	a := shard.Join(p, text, prec, shard.GroupSize(info), []kernels.Part{kernels.Get("lib/view_trial.cl")}, defines,
		[]kernels.Part{kernels.Get("lib/trial.cl")}, info)
	a.Guard = guard
	return a
}

func (t *trial) build(text problems.Text, prec problems.Precision) error {
	a := assemble(t.d.Info(), t.p, text, prec)
	t.guard = uint32(a.Guard)
	var err error
	if t.prog, err = shard.Build(t.d, a); err != nil {
		return err
	}
	args := []cl.Arg{cl.U32, cl.U32, cl.U32, cl.U32, cl.U32, cl.U32, cl.Mem[uint32](), cl.Mem[uint32]()}
	if t.kernel, err = t.prog.Kernel("trial_components", append(args, t.prog.Params...)...); err != nil {
		return err
	}
	t.g.Pace(&t.pace, t.d)
	t.found = make([]uint32, 9)
	if t.noted, err = cl.Alloc[uint32](t.d, len(t.found)); err == nil {
		err = t.noted.Write(0, t.found)
	}
	if err == nil {
		t.hashes, err = cl.Alloc[uint32](t.d, trialMost)
	}
	if err == nil {
		t.wrong, err = cl.Alloc[uint32](t.d, 3)
	}
	if err != nil {
		return err
	}
	own := guarded{name: "acc", length: t.p.Accumulators()}
	if n := t.p.Structure().Inner(); n > 0 {
		own.name, own.length = "inner", n
	} else if n, ok := residuals(text); ok {
		own.name, own.length = "r", n
	}
	t.arrays = append(t.arrays, own)
	if own.name == "acc" && prec == problems.FP64 {
		args := []cl.Arg{cl.U32, cl.U32, cl.U32, cl.Mem[uint32](), cl.Mem[uint32]()}
		if t.adds, err = t.prog.Kernel("trial_adds", append(args, t.prog.Params...)...); err != nil {
			return err
		}
	}
	buffer := 0
	for _, table := range text.Tables {
		names, _ := shard.Columns([]problems.Table{table}, prec)
		for _, name := range names {
			array := guarded{name: "d." + name, length: max(len(table.Real), len(table.Uint)),
				buffer: t.prog.Tables[buffer]}
			if len(table.Uint) > 0 {
				array.next = slices.Max(table.Uint) + 1
			}
			t.arrays = append(t.arrays, array)
			buffer++
		}
	}
	return t.setAll(0)
}

func (t *trial) close() {
	t.prog.Close()
	t.hashes.Close()
	t.noted.Close()
	t.wrong.Close()
}

// evaluate evaluates components with each kind of guards, and returns what is wrong with one of them.
func (t *trial) evaluate(ctx context.Context, point, first, n uint32) error {
	usual, err := t.launch(ctx, point, first, n, 0)
	if err != nil {
		return err
	}
	if err := t.noted.Read(0, t.found); err != nil {
		return err
	}
	if t.found[6] > 0 {
		return &IndexError{File: problems.SourceOf(t.p), Component: t.found[8], Array: t.arrays[0].name,
			Length: t.arrays[0].length, Index: int(int32(t.found[7])), Known: true, Write: true}
	}
	kinds := len(guardReals)
	if len(t.arrays) == 1 {
		kinds = 2
	}
	for kind := 1; kind < kinds; kind++ {
		if err := t.setAll(kind); err != nil {
			return err
		}
		other, err := t.launch(ctx, point, first, n, 0)
		if err != nil {
			return err
		}
		for i := range usual {
			if usual[i] != other[i] {
				return t.blame(ctx, point, first+uint32(i), kind)
			}
		}
	}
	if err := t.setAll(0); err != nil {
		return err
	}
	if err := t.onlyAdds(ctx, point, first, n); err != nil {
		return err
	}
	return t.noted.Write(0, t.found)
}

// onlyAdds returns a *SetError if a component does more with a sum than add to it.
func (t *trial) onlyAdds(ctx context.Context, point, first, n uint32) error {
	if t.adds == nil {
		return nil
	}
	wrong := make([]uint32, 3)
	if err := t.wrong.Write(0, wrong); err != nil {
		return err
	}
	t.pace.Fit()
	size := min(shard.GroupSize(t.d.Info()), t.adds.MaxGroup())
	if err := t.adds.Launch([]int{(int(n) + size - 1) / size * size}, []int{size},
		append([]any{point, first, n, t.noted, t.wrong}, t.prog.Tables...)...); err != nil {
		return err
	}
	if err := t.pace.Launched(ctx, float64(n)); err != nil {
		return err
	}
	if err := t.pace.Wait(ctx); err != nil {
		return err
	}
	if err := t.wrong.Read(0, wrong); err != nil {
		return err
	}
	if wrong[0] > 0 && t.found[0] == 0 && t.found[3] == 0 { // wrong reads are another error
		return &SetError{File: problems.SourceOf(t.p), Component: wrong[1], Sum: wrong[2]}
	}
	return nil
}

// blame returns the error of component k, whose value depends on the kind of guards.
func (t *trial) blame(ctx context.Context, point, k uint32, kind int) error {
	if err := t.setAll(0); err != nil {
		return err
	}
	usual, err := t.launch(ctx, point, k, 1, 1)
	if err != nil {
		return err
	}
	// differs reports whether the value changes with guards lo to hi - 1 of array a.
	differs := func(a int, lo, hi uint32) (bool, error) {
		if err := t.set(a, kind, lo, hi); err != nil {
			return false, err
		}
		h, err := t.launch(ctx, point, k, 1, 1)
		if err != nil {
			return false, err
		}
		return h[0] != usual[0], t.set(a, 0, 0, 2*t.guard)
	}
	if again, err := t.launch(ctx, point, k, 1, 1); err != nil {
		return err
	} else if again[0] != usual[0] {
		return &UnsteadyError{File: problems.SourceOf(t.p), Component: k}
	}
	for a, array := range t.arrays {
		lo, hi := uint32(0), 2*t.guard
		yes, err := differs(a, lo, hi)
		if err != nil {
			return err
		}
		if !yes {
			continue
		}
		for hi-lo > 1 {
			mid := (lo + hi) / 2
			lower, err := differs(a, lo, mid)
			if err != nil {
				return err
			}
			upper := false
			if !lower {
				if upper, err = differs(a, mid, hi); err != nil {
					return err
				}
			}
			if !lower && !upper { // it needs guards of both halves
				break
			}
			if lower {
				hi = mid
			} else {
				lo = mid
			}
		}
		return &IndexError{File: problems.SourceOf(t.p), Component: k, Array: array.name, Length: array.length,
			Index: array.index(lo, t.guard), Known: hi-lo == 1}
	}
	return &UnsteadyError{File: problems.SourceOf(t.p), Component: k}
}

// launch returns the hashes of components. look is 1 to look at all guards of the array that they write to.
func (t *trial) launch(ctx context.Context, point, first, n, look uint32) ([]uint32, error) {
	t.pace.Fit()
	size := t.size()
	global := (int(n) + size - 1) / size * size
	if err := t.kernel.Launch([]int{global}, []int{size}, append([]any{point, first, n, look, t.own[0], t.own[1],
		t.hashes, t.noted}, t.prog.Tables...)...); err != nil {
		return nil, err
	}
	if err := t.pace.Launched(ctx, float64(n)); err != nil {
		return nil, err
	}
	if err := t.pace.Wait(ctx); err != nil {
		return nil, err
	}
	hashes := make([]uint32, n)
	return hashes, t.hashes.Read(0, hashes)
}

// size returns the number of work-items of a group.
func (t *trial) size() int { return min(shard.GroupSize(t.d.Info()), t.kernel.MaxGroup()) }

// residuals returns the number of squares of a component in the text of a user's sum of squares.
func residuals(text problems.Text) (n int, ok bool) {
	for _, d := range text.Defines {
		if d.Name == "RESIDUALS" {
			n, err := strconv.Atoi(d.Value)
			return n, err == nil
		}
	}
	return 0, false
}

// read returns the error of a read of a variable that is not declared, if there was one.
func (t *trial) read() error {
	found := t.found
	if found[3] > 0 {
		found = found[3:] // a read outside the vector is reported first
	}
	if found[0] == 0 {
		return nil
	}
	e := &ReadError{File: problems.SourceOf(t.p), Variable: found[1], Component: found[2], Count: found[0],
		Dim: t.p.Tiling().N, Points: t.points}
	if s := t.p.Structure(); !s.Whole() {
		_, _, e.Grid = s.Grid()
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
	if class, ok := s.GridClass("k"); ok {
		return []kernels.Define{kernels.Number("TRIAL_GRID", 1), {Name: "TRIAL_CLASS(k)", Value: class}}
	}
	if _, _, vars, comps, ok := s.ReadTables(); ok {
		return []kernels.Define{kernels.Number("TRIAL_LISTS", 1), kernels.Number("TRIAL_VARS", vars),
			kernels.Number("TRIAL_COMPS", comps)}
	}
	stride, from, to, _ := s.Window()
	return []kernels.Define{kernels.Number("TRIAL_WHOLE", problems.Flag(s.Whole())),
		kernels.Number("TRIAL_STRIDE", stride), kernels.Number("TRIAL_FROM", from), kernels.Number("TRIAL_TO", to)}
}
