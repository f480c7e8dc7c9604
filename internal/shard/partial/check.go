package partial

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/clopt/clopt/cl"
	"github.com/clopt/clopt/internal/shard/stages"
	"github.com/clopt/clopt/problems"
	"github.com/clopt/clopt/problems/rng"
	"github.com/clopt/clopt/shard"
)

// StructureError means that a change of variables changes more components than the problem declares.
type StructureError struct {
	File     string
	Variable int     // that was changed; below 0: all, one after the other
	Got      float64 // the accumulator by difference
	Want     float64 // by a full evaluation
}

func (e *StructureError) Error() string {
	change := fmt.Sprintf("a change of variable %d alone", e.Variable)
	if e.Variable < 0 {
		change = "a sweep over all variables"
	}
	return fmt.Sprintf(
		"%s: error: %s changes an accumulator to %.9g, and to %.9g by the components that read a variable as "+
			"declared. Declare all that a component reads, such as \"//@ reads k..k+1\" or "+
			"\"//@ reads whole\".", e.File, change, e.Want, e.Got)
}

// Check compares at most checkedChanges changes of one variable, in groups of changesTogether. Where they take long, it
// compares those that begin within checkTime.
const (
	checkedChanges  = 256
	changesTogether = 8
	checkTime       = 2 * time.Second
)

// Check compares a uniform point and changes of one variable of it with the host reference and with full evaluations,
// on every device in use. It changes each variable in turn, or drawn ones where there are many. The error is a
// *shard.CheckError or a *StructureError. key is that of the draws.
func (r *Placement) Check(key rng.Key) error {
	defer r.g.Stages().During(stages.Check)()
	domain := r.p.Domain().In(r.prec)
	n := domain.N
	drawn := func(i int, index, who uint32) float64 {
		lo, hi := domain.Interval(i)
		v := lo + (hi-lo)*rng.Uniform(key.Word(index, who, 0, rng.Check))
		if r.prec == problems.FP32 {
			v = float64(float32(v))
		}
		return v
	}
	x := make([]float64, n)
	for i := range x {
		x[i] = drawn(i, uint32(i), 0)
	}
	changes := min(n, checkedChanges)
	which, w := make([]uint32, 1+changes), make([]float64, 1+changes)
	w[0] = x[0] // the first change is none
	for c := range uint32(changes) {
		i := c
		if n > checkedChanges {
			i = rng.Int(key.Word(c, 1, 0, rng.Check), uint32(n))
		}
		which[1+c], w[1+c] = i, drawn(int(i), c, 2)
	}
	return r.Each(func(i int, d *cl.Device) error {
		acc, f, done, err := r.changes(i, x, which, w, checkTime)
		if err != nil {
			return err
		}
		return r.compare(d, x, which, w, acc, f, done)
	})
}

// Changes evaluates changes of one variable of x on the first device in use; change c sets variable which[c] to w[c].
// acc holds the accumulators of all changes by difference, then those by full evaluation, and f the objectives of both.
func (r *Placement) Changes(x []float64, which []uint32, w []float64) (acc, f []float64, err error) {
	first := slices.IndexFunc(r.on, func(p *shard.Program) bool { return p != nil })
	acc, f, _, err = r.changes(first, x, which, w, math.MaxInt64)
	return acc, f, err
}

// changes is Changes on device i. It begins no launch after a time, and returns how many changes it evaluated.
func (r *Placement) changes(i int, x []float64, which []uint32, w []float64, within time.Duration) (acc,
	f []float64, done int, err error) {
	d := r.g.All()[i]
	on := r.on[i]
	real := shard.RealArg(r.prec)
	kernel, err := on.Kernel("partial_check_changes",
		append([]cl.Arg{real, cl.Mem[uint32](), real, shard.SumArg(d), real, cl.U32, cl.U32}, on.Params...)...)
	if err != nil {
		return nil, nil, 0, err
	}
	n, accs := len(which), r.p.Accumulators()
	var free []func()
	defer func() {
		for _, f := range free {
			f()
		}
	}()
	reals := func(v []float64) (b *shard.Reals) {
		if err == nil {
			if b, err = shard.AllocReals(d, r.prec, len(v)); err == nil {
				free = append(free, b.Close)
				err = b.Write(0, v)
			}
		}
		return b
	}
	acc, f = make([]float64, 2*n*accs), make([]float64, 2*n)
	bx := reals(x)
	bw := reals(w)
	bf := reals(f)
	bi, noWords := cl.Alloc[uint32](d, n)
	ba, noSums := shard.AllocSums(d, len(acc))
	free = append(free, bi.Close, ba.Close)
	if err = errors.Join(err, noWords, noSums); err == nil {
		err = bi.Write(0, which)
	}
	if err != nil {
		return nil, nil, 0, err
	}
	pace := r.g.Pace(new(shard.Pacer), d)
	builds := d.BuildTime()
	start := time.Now()
	for done < n && time.Since(start)-(d.BuildTime()-builds) < within {
		groups := min(pace.Fit(), (n-done+changesTogether-1)/changesTogether)
		args := append([]any{bx.Arg(), bi, bw.Arg(), ba.Arg(), bf.Arg(), uint32(n), uint32(done)}, on.Tables...)
		if err := kernel.Launch([]int{groups * changesTogether}, []int{changesTogether}, args...); err != nil {
			return nil, nil, 0, err
		}
		done = min(done+groups*changesTogether, n)
		if err := pace.Launched(context.Background(), float64(groups)); err != nil {
			return nil, nil, 0, err
		}
		if err := pace.Wait(context.Background()); err != nil {
			return nil, nil, 0, err
		}
	}
	return acc, f, done, errors.Join(ba.Read(0, acc), bf.Read(0, f))
}

// compare compares the differences of the first `done` changes with full evaluations, and these with the host where
// there is a reference. The first change is none. A difference rounds as the accumulator before it does.
func (r *Placement) compare(d *cl.Device, x []float64, which []uint32, w, acc, f []float64, done int) error {
	n := len(which)
	accs := r.p.Accumulators()
	tol := r.p.Tolerance(r.prec)
	for c, v := range which[:done] {
		kept, full := acc[c*accs:(c+1)*accs], acc[(n+c)*accs:(n+c+1)*accs]
		for j := range full {
			if finite(full[j]) && finite(kept[j]) && math.Abs(kept[j]-full[j]) >
				tol*max(1, math.Abs(full[j]), math.Abs(acc[n*accs+j])) {
				return &StructureError{File: problems.SourceOf(r.p), Variable: int(v), Got: kept[j], Want: full[j]}
			}
		}
		if want := r.p.Objective(full); !shard.Agree(f[n+c], want, tol, 1) {
			return &shard.CheckError{Device: d.String(), Got: f[n+c], Want: want}
		}
	}
	host, ok := r.p.(problems.Referenced)
	if !ok {
		return nil
	}
	y := slices.Clone(x)
	for c := range min(done, 3) {
		v := which[c]
		y[v] = w[c]
		want, scale := hostSums(host, y)
		for j := range want {
			if got := acc[(n+c)*accs+j]; !shard.Agree(got, want[j], tol, scale[j]) {
				return &shard.CheckError{Device: d.String(), Got: got, Want: want[j]}
			}
		}
		y[v] = x[v]
	}
	return nil
}

func finite(v float64) bool { return !math.IsNaN(v) && !math.IsInf(v, 0) }

// hostSums returns the accumulators of x by the host, and the error scales of the problem.
func hostSums(p problems.Referenced, x []float64) (acc, scale []float64) {
	acc, scale = make([]float64, p.Accumulators()), make([]float64, p.Accumulators())
	t := p.Tiling()
	for k := range t.Tiles() {
		lo, hi := t.Reads(k)
		p.HostTile(k, x[lo:hi], acc)
		from, to := t.Comps(k)
		p.ErrorScale(from, to, lo, x[lo:hi], scale)
	}
	return acc, scale
}
