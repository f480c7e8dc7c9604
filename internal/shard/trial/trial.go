// Package trial tries what a run relies on. Try evaluates the device text of a problem, which nobody has checked,
// before the run: it finds reads of variables that the problem does not declare, and reads and writes outside of
// arrays. At does so at the best point that was found. Sums finds devices that add wrongly.
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
	if _, hosted := p.(problems.Referenced); hosted || problems.CallOf(p) != nil || !g.Checked() {
		return nil
	}
	return g.Once(p, func() error { return Run(ctx, g, p, prec) })
}

// Passed notes that Run has found no error of a problem in another process, so that Try does nothing.
func Passed(g *shard.Devices, p problems.Problem) { g.Once(p, func() error { return nil }) }

// Run is Watch of one point. If all components take longer than some seconds, it leaves out the rest of them.
func Run(ctx context.Context, g *shard.Devices, p problems.Problem, prec problems.Precision) error {
	return onFirst(g, p, prec, nil, func(t *trial) error { return t.watch(ctx, 1, trialTime) })
}

// Watch evaluates uniform points on the first device of this rank, with every read watched. It returns a *ReadError if
// a component reads a variable that the problem does not declare for it, an *IndexError if one reads or writes near one
// of its arrays or tables, but outside of it, an *UnsteadyError if one has two values, and a *SetError if one does more
// with a sum than add to it. It is for texts that nobody has checked: a read outside of a vector is undefined on a
// device. Nothing is watched in problems without an item form.
func Watch(ctx context.Context, g *shard.Devices, p problems.Problem, prec problems.Precision, points int) error {
	return onFirst(g, p, prec, nil, func(t *trial) error { return t.watch(ctx, points, math.MaxInt64) })
}

// At is Watch of one point x, of p.Domain().N variables, such as the best one of a run: a search is drawn to points at
// which a text has a wrong value. All components are evaluated. If that takes longer than some seconds, only the reads
// of variables are watched in the rest of them. It returns what the components add; nothing for problems without an
// item form.
func At(ctx context.Context, g *shard.Devices, p problems.Problem, prec problems.Precision, x []float64) (added Terms,
	err error) {
	err = onFirst(g, p, prec, x, func(t *trial) error {
		t.added = newTerms(p)
		err := t.watch(ctx, 1, trialTime)
		added = t.added
		return err
	})
	return added, err
}

// TermsAt returns what the components of a problem add at x, without watching them. The program is that of Try. It
// returns nothing for problems without an item form.
func TermsAt(ctx context.Context, g *shard.Devices, p problems.Problem, prec problems.Precision,
	x []float64) (added Terms, err error) {
	err = onFirst(g, p, prec, x, func(t *trial) error {
		t.added = newTerms(p)
		for first, comps := 0, p.Tiling().M; first < comps; {
			n, err := t.load(first, min(t.pace.Fit(), trialMost, comps-first))
			if err != nil {
				return err
			}
			if _, err := t.launch(ctx, numberStored, uint32(first), uint32(n), 0); err != nil {
				return err
			}
			if err := t.add(uint32(first), uint32(n)); err != nil {
				return err
			}
			first += n
		}
		added = t.added
		return nil
	})
	return added, err
}

// onFirst calls do with a trial of a problem on the first device of this rank, if the problem has an item form. x is
// the stored point, or nil.
func onFirst(g *shard.Devices, p problems.Problem, prec problems.Precision, x []float64,
	do func(t *trial) error) error {
	text, err := p.Text(prec, problems.Item)
	if errors.Is(err, problems.ErrNoForm) {
		return nil
	}
	if err != nil {
		return err
	}
	t := &trial{g: g, d: g.All()[g.First()], p: p, window: window{x: x, tiling: p.Tiling()}}
	defer t.close()
	if err := t.build(text, prec); err != nil {
		return err
	}
	return do(t)
}

// watch evaluates all components at points. After the limit it leaves out the rest of them, or, at a stored point, all
// but their reads.
func (t *trial) watch(ctx context.Context, points int, limit time.Duration) error {
	t.points = points
	comps, begin := t.p.Tiling().M, t.clock()
	last := max(0, comps-1024) // the last components are evaluated first
	for _, r := range [][2]int{{last, comps}, {0, last}} {
		for first := r[0]; first < r[1]; {
			n, err := t.load(first, min(t.pace.Fit(), trialMost, r[1]-first))
			if err != nil {
				return err
			}
			over := t.clock()-begin > limit
			for k := range points {
				point := uint32(k)
				if t.x != nil {
					point = numberStored
				}
				if err := t.evaluate(ctx, point, uint32(first), uint32(n), over); err != nil {
					return err
				}
			}
			if first += n; t.x == nil && t.clock()-begin > limit {
				return t.read()
			}
		}
	}
	return t.read()
}

// clock returns the time that has passed, from some time on, but for that in which the driver has compiled. A driver
// may compile a kernel when it is launched for the first time, for seconds on a machine with other work.
func (t *trial) clock() time.Duration { return time.Since(epoch) - t.d.BuildTime() }

var epoch = time.Now()

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
	terms  *shard.Reals // of the components of a launch
	added  Terms        // of all, at a stored point
	noted  *cl.Buffer[uint32]
	marks  *cl.Buffer[uint32] // a bit of each variable that was read
	wrong  *cl.Buffer[uint32] // what adds finds
	found  []uint32           // what was noted with the usual guards, see lib/view_trial.cl
	arrays []guarded
	own    [2]uint32 // the range of the guards of the first array that have the other value
	window           // of the stored point
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
	text.Tables = slices.Concat(text.Tables, trialTables(p, prec))
	defines := append(trialDefines(s), kernels.Define{Name: "GUARD", Value: fmt.Sprint(guard)},
		kernels.Flag("TRIAL_BOXED", !p.Domain().OneBox()), kernels.Flag("QUADS", false), kernels.Signed("POINTS", 1))
	a := shard.Join(p, text, prec, shard.GroupSize(info), []kernels.Part{kernels.Get("lib/view_trial.cl")}, defines,
		[]kernels.Part{kernels.Get("lib/trial.cl")}, info)
	a.Guard = guard
	return a
}

// Bytes returns the memory that a trial of a problem takes on a device: the tables of the text, what components read,
// a bit of each variable, and the variables of a stored point. It is 0 for a problem without an item form.
func Bytes(p problems.Problem, prec problems.Precision) int64 {
	text, err := p.Text(prec, problems.Item)
	if err != nil {
		return 0
	}
	_, vars := room(p.Tiling())
	words := min(p.Tiling().M, trialMost)
	reals := vars + words*p.Accumulators()
	words += (p.Domain().N + 31) / 32
	for _, table := range slices.Concat(text.Tables, trialTables(p, prec)) {
		names, _ := shard.Columns([]problems.Table{table}, prec)
		reals, words = reals+len(names)*len(table.Real), words+len(table.Uint)
	}
	return int64(reals)*int64(prec.Bits()/8) + 4*int64(words)
}

func (t *trial) build(text problems.Text, prec problems.Precision) error {
	a := assemble(t.d.Info(), t.p, text, prec)
	t.guard = uint32(a.Guard)
	var err error
	t.prog, err = shard.Build(t.d, a)
	if err != nil {
		return err
	}
	args := []cl.Arg{cl.U32, cl.U32, cl.U32, cl.U32, cl.U32, cl.U32, shard.RealArg(prec), cl.U32, cl.Mem[uint32](),
		shard.RealArg(prec), cl.Mem[uint32](), cl.Mem[uint32]()}
	t.kernel, err = t.prog.Kernel("trial_components", append(args, t.prog.Params...)...)
	if err != nil {
		return err
	}
	t.g.Pace(&t.pace, t.d)
	t.found = make([]uint32, 9)
	t.noted, err = cl.Alloc[uint32](t.d, len(t.found))
	if err == nil {
		err = t.noted.Write(0, t.found)
	}
	if err == nil {
		t.hashes, err = cl.Alloc[uint32](t.d, min(t.p.Tiling().M, trialMost))
	}
	if err == nil {
		t.terms, err = shard.AllocReals(t.d, prec, min(t.p.Tiling().M, trialMost)*t.p.Accumulators())
	}
	if err == nil {
		marks := make([]uint32, (t.p.Domain().N+31)/32)
		if t.marks, err = cl.Alloc[uint32](t.d, len(marks)); err == nil {
			err = t.marks.Write(0, marks)
		}
	}
	if err == nil {
		t.wrong, err = cl.Alloc[uint32](t.d, 3)
	}
	if err == nil {
		err = t.window.alloc(t.d, prec)
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
		args := []cl.Arg{cl.U32, cl.U32, cl.U32, shard.RealArg(prec), cl.U32, cl.Mem[uint32](), cl.Mem[uint32](),
			cl.Mem[uint32]()}
		t.adds, err = t.prog.Kernel("trial_adds", append(args, t.prog.Params...)...)
		if err != nil {
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
	t.window.close()
	t.hashes.Close()
	t.terms.Close()
	t.noted.Close()
	t.marks.Close()
	t.wrong.Close()
}

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
