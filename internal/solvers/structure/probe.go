package structure

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/clopt/clopt/cl"
	"github.com/clopt/clopt/internal/problems/rescale"
	"github.com/clopt/clopt/kernels"
	"github.com/clopt/clopt/problems"
	"github.com/clopt/clopt/problems/rng"
	"github.com/clopt/clopt/shard"
)

// Labels of variables in a test.
const (
	still  uint8 = iota
	first        // of the first set
	second       // of the second set
)

// none is a test without an interaction in the result of scan.
const none = math.MaxUint32

// prober runs tests of a problem on the first device of this rank.
type prober struct {
	p     problems.Problem
	prec  problems.Precision
	key   rng.Key
	pl    *shard.Placement
	dev   *cl.Device
	scans *cl.Kernel
	one   *cl.Kernel
	reads *cl.Kernel
	inner *cl.Kernel // nil where components have no inner sums
}

// newProber compiles the tests for p, with variables from 0 to 1 if their intervals differ. The caller closes it.
func newProber(g *shard.Devices, p problems.Problem, prec problems.Precision, key rng.Key) (*prober, error) {
	if !p.Domain().OneBox() {
		p = rescale.Normalized(p)
	}
	t := p.Tiling()
	roundoff := 0x1p-53
	if prec == problems.FP32 {
		roundoff = 0x1p-24
	}
	m := (math.Sqrt(float64(t.N)) + 2) * roundoff
	view := shard.View{Parts: []kernels.Part{kernels.Get("solvers/structure/view.cl")}, Single: true, Fixed: true,
		Form: problems.Item}
	pl, err := shard.Place(g, p, prec, shard.Split(t, []int{t.SuperTiles()}, nil), view, p.Accumulators(),
		[]kernels.Define{{Name: "STRUCTURE_GAMMA", Value: problems.Literal(m / (1 - m))}},
		kernels.Get("solvers/structure/structure.cl"))
	if err != nil {
		return nil, err
	}
	r := &prober{p: p, prec: prec, key: key, pl: pl, dev: g.All()[0]}
	words, real := cl.Mem[uint32](), shard.RealArg(prec)
	program, _ := pl.Program(0)
	kernel := func(to **cl.Kernel, name string, args ...cl.Arg) {
		if err == nil {
			*to, err = program.Kernel(name, append(args, program.Params...)...)
		}
	}
	kernel(&r.scans, "structure_scan", cl.Mem[uint8](), words, words, cl.U32, cl.U32, cl.U32)
	kernel(&r.one, "structure_measure", cl.Mem[uint8](), words, real, cl.U32, cl.U32, cl.U32)
	kernel(&r.reads, "structure_reads", words, words, cl.U32, cl.U32, cl.U32, cl.U32, cl.U32)
	if p.Structure().Inner() > 0 {
		kernel(&r.inner, "structure_falls", words, cl.U32, cl.U32, cl.U32)
	}
	if err != nil {
		pl.Close()
		return nil, err
	}
	return r, nil
}

func (r *prober) close() { r.pl.Close() }

// launch starts a kernel with the tables of the problem after its arguments.
func (r *prober) launch(k *cl.Kernel, global []int, args ...any) error {
	p, _ := r.pl.Program(0)
	return k.Launch(global, nil, append(args, p.Tables...)...)
}

// test is one test: the label of each variable, and the number of the point.
type test struct {
	labels []uint8
	number uint32
}

// upload writes the tests to the device. The caller closes the buffers.
func (r *prober) upload(tests []test) (labels *cl.Buffer[uint8], numbers *cl.Buffer[uint32], err error) {
	n := r.p.Domain().N
	all, which := make([]uint8, 0, n*len(tests)), make([]uint32, 0, len(tests))
	for _, t := range tests {
		all, which = append(all, t.labels...), append(which, t.number)
	}
	if labels, err = cl.Alloc[uint8](r.dev, len(all)); err != nil {
		return nil, nil, err
	}
	if numbers, err = cl.Alloc[uint32](r.dev, len(which)); err != nil {
		labels.Close()
		return nil, nil, err
	}
	if err = labels.Write(0, all); err == nil {
		err = numbers.Write(0, which)
	}
	if err != nil {
		labels.Close()
		numbers.Close()
	}
	return labels, numbers, err
}

// testBytes bounds the labels of one launch.
const testBytes = 64 << 20

// together is the number of tests of one launch.
func (r *prober) together() int { return max(1, testBytes/r.p.Domain().N) }

// scan runs tests in all components. It returns for each the smallest number of a component in which the two sets
// interact, or none.
func (r *prober) scan(ctx context.Context, tests []test) ([]uint32, error) {
	var all []uint32
	for some := range slices.Chunk(tests, r.together()) {
		found, err := r.scanSome(ctx, some)
		if err != nil {
			return nil, err
		}
		all = append(all, found...)
	}
	return all, nil
}

func (r *prober) scanSome(ctx context.Context, tests []test) ([]uint32, error) {
	labels, numbers, err := r.upload(tests)
	if err != nil {
		return nil, err
	}
	defer labels.Close()
	defer numbers.Close()
	smallest := slices.Repeat([]uint32{none}, len(tests))
	found, err := cl.Alloc[uint32](r.dev, len(smallest))
	if err != nil {
		return nil, err
	}
	defer found.Close()
	if err := found.Write(0, smallest); err != nil {
		return nil, err
	}
	err = r.pl.Slices(0, r.p.Structure().Components(), 4*len(tests), func(from, count int) error {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		if err := r.launch(r.scans, []int{count, len(tests)}, labels, numbers, found, uint32(from), r.key.Seed,
			r.key.Run); err != nil {
			return err
		}
		return r.dev.Finish()
	})
	if err != nil {
		return nil, err
	}
	return smallest, found.Read(0, smallest)
}

// difference is a second difference of a component, and the bound up to which it may be rounding.
type difference struct{ delta, bound float64 }

// found reports whether the difference is an interaction.
func (d difference) found() bool { return math.Abs(d.delta) > d.bound }

// measure runs tests in one component.
func (r *prober) measure(k uint32, tests []test) ([]difference, error) {
	labels, numbers, err := r.upload(tests)
	if err != nil {
		return nil, err
	}
	defer labels.Close()
	defer numbers.Close()
	out, err := shard.AllocReals(r.dev, r.prec, 2*len(tests))
	if err != nil {
		return nil, err
	}
	defer out.Close()
	if err := r.launch(r.one, []int{len(tests)}, labels, numbers, out.Arg(), k, r.key.Seed, r.key.Run); err != nil {
		return nil, err
	}
	v, all := make([]float64, 2*len(tests)), make([]difference, len(tests))
	if err := out.Read(0, v); err != nil {
		return nil, err
	}
	for t := range all {
		all[t] = difference{v[2*t], v[2*t+1]}
	}
	return all, nil
}

// Interaction is two sets of variables that interact in a component.
type Interaction struct {
	File      string `json:"file"` // of the objective
	Component int    `json:"component"`
	First     []int  `json:"first"` // in increasing order; one variable, unless only several together interact
	Second    []int  `json:"second"`
	// The second difference of the component's value when both sets move, and the bound of rounding that it exceeds.
	Difference float64 `json:"difference"`
	Bound      float64 `json:"bound"`
}

func (i *Interaction) Error() string {
	return fmt.Sprintf("%s: error: variables %v and %v interact in component %d, though no component is declared to "+
		"read both: moving both changes it by %.6g more than moving each, and rounding explains %.2g of that",
		i.File, i.First, i.Second, i.Component, i.Difference, i.Bound)
}

// narrow halves the two sets of a test as long as a half interacts in component k with the other set.
func (r *prober) narrow(ctx context.Context, t test, k uint32) (*Interaction, error) {
	seen, err := r.measure(k, []test{t})
	if err != nil {
		return nil, err
	}
	now := seen[0]
	sets := map[uint8][]int{}
	for i, label := range t.labels {
		sets[label] = append(sets[label], i)
	}
	for _, label := range []uint8{first, second} {
		for len(sets[label]) > 1 {
			if ctx.Err() != nil {
				return nil, context.Cause(ctx)
			}
			set, half := sets[label], len(sets[label])/2
			halves := []test{without(t, set[half:]), without(t, set[:half])}
			all, err := r.measure(k, halves)
			if err != nil {
				return nil, err
			}
			h := slices.IndexFunc(all, difference.found)
			if h < 0 {
				break
			}
			t, now = halves[h], all[h]
			sets[label] = [][]int{set[:half], set[half:]}[h]
		}
	}
	return &Interaction{File: problems.SourceOf(r.p), Component: int(k), First: sets[first], Second: sets[second],
		Difference: now.delta, Bound: now.bound}, nil
}

// without returns t with some variables still.
func without(t test, vars []int) test {
	t.labels = slices.Clone(t.labels)
	for _, i := range vars {
		t.labels[i] = still
	}
	return t
}
