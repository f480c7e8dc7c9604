package solvers

import (
	"context"

	"github.com/clopt/clopt/cl"
	"github.com/clopt/clopt/kernels"
	"github.com/clopt/clopt/shard"
)

// slicedDevices anneals 32 chains a word on the devices of an engine. A device
// has the blocks of 32 individuals that any of its own is in; those of a border
// are made on both sides of it, with the same bits.
type slicedDevices struct {
	*annealing
	e        *parallelEngine
	programs *shard.Programs
	kernels  struct{ sweep, class, count, gather, scatter []*cl.Kernel }
	on       []*slicedTables
	made     int64 // sweeps of the population in progress, over all individuals
}

// slicedTables is one device's share.
type slicedTables struct {
	entries, fours, sums, classes, vertex, place *cl.Buffer[uint32]
	temps                                        *cl.Buffer[float32]
	words, done                                  *cl.Buffer[uint32] // of the population in progress
	first, count                                 int                // blocks of individuals
	local                                        bool               // words live in local memory
	group                                        int
	pace                                         float64 // seconds a block
}

func (e *parallelEngine) newSliced(a *annealing) (_ *slicedDevices, err error) {
	d := &slicedDevices{annealing: a, e: e, on: make([]*slicedTables, len(e.on))}
	defer func() {
		if err != nil {
			d.close()
		}
	}()
	if err = d.build(); err != nil {
		return nil, err
	}
	err = e.g.Do(func(i int, dev *cl.Device) (err error) {
		t := &slicedTables{local: d.local(dev.Info()), group: d.group(dev.Info())}
		d.on[i] = t
		s := a.sliced
		for _, table := range []struct {
			at **cl.Buffer[uint32]
			v  []uint32
		}{{&t.entries, s.entries}, {&t.fours, s.fours}, {&t.sums, s.sums}, {&t.classes, s.classes}, {&t.vertex, s.vertex}, {&t.place, s.place}} {
			v := table.v
			if len(v) == 0 {
				v = []uint32{0, 0, 0, 0}
			}
			if *table.at, err = buffer(dev, v); err != nil {
				return err
			}
		}
		return replace(&t.temps, dev, a.temps)
	})
	return d, err
}

func (d *slicedDevices) schedule() *annealing { return d.annealing }

func (d *slicedDevices) cooled() error {
	return d.e.g.Do(func(i int, dev *cl.Device) error { return replace(&d.on[i].temps, dev, d.temps) })
}

func (d *slicedDevices) close() {
	for _, t := range d.on {
		if t == nil {
			continue
		}
		closeAll(t.entries, t.fours, t.sums, t.classes, t.vertex, t.place, t.words, t.done)
		if t.temps != nil {
			t.temps.Close()
		}
	}
	if d.programs != nil {
		d.programs.Close()
	}
}

func (d *slicedDevices) anneal(ctx context.Context, p *population, from, to int, when uint32) (made int64, rest bool, err error) {
	blocks := (p.n + chainsPerWord - 1) / chainsPerWord
	done := make([]uint32, 2*blocks)
	err = d.e.g.Do(func(i int, dev *cl.Device) error {
		r, t := d.e.live[p][i], d.on[i]
		if r.count == 0 {
			return nil
		}
		if from == 0 {
			if err := d.begin(i, dev, p); err != nil {
				return err
			}
		}
		err := d.e.g.Slices(ctx, dev, &t.pace, t.count, func(lo, hi, pieces int) error {
			return d.launch(ctx, i, dev, p, lo, hi, from, to, when, pieces)
		})
		if err != nil {
			return err
		}
		return t.done.Read(0, done[2*t.first:2*(t.first+t.count)])
	})
	if err != nil {
		return 0, false, err
	}
	rest = true
	for b := range blocks {
		made += int64(done[2*b]) * int64(min(chainsPerWord, p.n-b*chainsPerWord))
		rest = rest && done[2*b+1] == 1
	}
	if from == 0 {
		d.made = 0
	}
	made, d.made = made-d.made, made
	return made, rest, nil
}

// show writes the rows of each device's own individuals, and spreads them.
func (d *slicedDevices) show(p *population) error {
	err := d.e.g.Do(func(i int, _ *cl.Device) error {
		r, t := d.e.live[p][i], d.on[i]
		for lo := r.first; lo < r.first+r.count; lo += maxRows {
			if err := d.kernels.scatter[i].Launch([]int{(d.sliced.vertices() + 31) / 32, min(maxRows, r.first+r.count-lo)}, nil,
				r.parents, t.place, t.words, uint32(lo), uint32(t.first)); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	return d.e.spread(p)
}

// begin puts the individuals of p into words.
func (d *slicedDevices) begin(i int, dev *cl.Device, p *population) (err error) {
	r, t := d.e.live[p][i], d.on[i]
	closeAll(t.words, t.done)
	t.words, t.done = nil, nil
	t.first = r.first / chainsPerWord
	t.count = (r.first+r.count+chainsPerWord-1)/chainsPerWord - t.first
	if t.words, err = cl.Alloc[uint32](dev, t.count*d.sliced.places); err != nil {
		return err
	}
	if t.done, err = cl.Alloc[uint32](dev, 2*t.count); err != nil {
		return err
	}
	return d.kernels.gather[i].Launch([]int{d.sliced.places, t.count}, nil, r.parents, t.vertex, t.words, uint32(t.first), uint32(p.n))
}

// alone is how many places a work-group sweeps alone at most, where there are
// blocks enough for all.
const alone = 1 << 15

// launch runs sweeps [from, to) of blocks [lo, hi) of the device, in pieces.
func (d *slicedDevices) launch(ctx context.Context, i int, dev *cl.Device, p *population, lo, hi, from, to int, when uint32, pieces int) error {
	t, s, key := d.on[i], d.sliced, d.key
	if d.kernels.class == nil || !d.e.m.spill && (s.places <= alone || hi-lo >= dev.Info().ComputeUnits) {
		room := 8
		if t.local {
			room += 4 * s.places
		}
		pieces = min(pieces, to-from)
		for k := range pieces {
			a, b := from+(to-from)*k/pieces, from+(to-from)*(k+1)/pieces
			if err := d.kernels.sweep[i].Launch([]int{(hi - lo) * t.group}, []int{t.group}, t.entries, t.fours, t.sums, t.classes, t.temps,
				uint32(a), uint32(b), t.words, t.done, uint32(lo), uint32(t.first), uint32(p.n), p.who(0), when, key.Seed, key.Run, cl.LocalBytes(room)); err != nil {
				return err
			}
			if pieces > 1 {
				if err := finish(ctx, dev); err != nil {
					return err
				}
			}
		}
		return nil
	}
	for sweep := from; sweep < to; sweep++ {
		for k := 0; k < len(s.classes); k += 3 {
			begin, end, vertices := s.classes[k], s.classes[k+1], s.classes[k+2]
			if begin == end {
				continue
			}
			if err := d.kernels.class[i].Launch([]int{d.items(dev.Info()) * int(end-begin), hi - lo}, nil, t.entries, t.fours, t.sums, begin, vertices, d.temps[sweep],
				t.words, t.done, uint32(lo), uint32(t.first), uint32(p.n), p.who(0), when+uint32(sweep), key.Seed, key.Run); err != nil {
				return err
			}
		}
		if err := d.kernels.count[i].Launch([]int{hi - lo}, nil, d.temps[sweep], t.done, uint32(lo)); err != nil {
			return err
		}
		if d.temps[sweep] == 0 || sweep%16 == 0 {
			if err := finish(ctx, dev); err != nil {
				return err
			}
		}
	}
	return nil
}

// finish waits for a device, and then says whether ctx is cancelled.
func finish(ctx context.Context, d *cl.Device) error {
	if err := d.Finish(); err != nil {
		return err
	}
	return ctx.Err()
}

func (s *slicedGraph) vertices() int { return len(s.place) }

// local says whether a block of chains lives in local memory.
func (d *slicedDevices) local(info cl.Info) bool {
	return info.Type != cl.CPU && !d.e.m.spill && int64(4*d.sliced.places+1024) <= info.LocalMem
}

// items is the work-items that decide a block of places: each four of them, or,
// where that would leave most of a group idle, one. An item that has four makes
// one draw for all, and a processor has no group.
func (d *slicedDevices) items(info cl.Info) int {
	if blocks := d.largest(); info.Type != cl.CPU && blocks*sliceBlock <= splitPlaces || d.e.m.split {
		return sliceBlock
	}
	return sliceBlock / 4
}

// splitPlaces is how many places a class has at most for an item each.
const splitPlaces = 4096

// largest is the blocks of the largest class.
func (d *slicedDevices) largest() (blocks int) {
	for k := 0; k < len(d.sliced.classes); k += 3 {
		blocks = max(blocks, int(d.sliced.classes[k+1]-d.sliced.classes[k]))
	}
	return blocks
}

// group is the work-items of a group: all that the largest class needs, or a
// part of them that wastes little.
func (d *slicedDevices) group(info cl.Info) int {
	if d.e.m.group > 0 {
		return d.e.m.group
	}
	if info.Type == cl.CPU {
		return 1
	}
	lanes := d.items(info) * d.largest()
	most := max(32, min(1024, info.MaxGroup)&^31)
	rounds := max(1, (lanes+most-1)/most)
	return max(32, (lanes/rounds+31)&^31)
}

func (d *slicedDevices) build() (err error) {
	e, s := d.e, d.sliced
	d.programs, err = e.g.Programs(func(info cl.Info) []kernels.Define {
		return []kernels.Define{
			define("GROUP", d.group(info)), define("WORDS", e.plan.words), define("VERTICES", s.vertices()), define("PLACES", s.places),
			define("CLASSES", len(s.classes)/3), define("DIGITS", s.digits), define("PLANES", s.planes),
			flag("SLICE_LOCAL", d.local(info)), flag("SLICE_SPLIT", d.items(info) == sliceBlock),
		}
	}, kernels.Get("solvers/annealslice.cl"))
	if err != nil {
		return err
	}
	u, f := cl.Mem[uint32](), cl.Mem[float32]()
	k := &d.kernels
	get := func(at *[]*cl.Kernel, name string, args ...cl.Arg) {
		if err == nil {
			*at, err = d.programs.Kernel(name, args...)
		}
	}
	get(&k.sweep, "annealslice_sweep", u, u, u, u, f, cl.U32, cl.U32, u, u, cl.U32, cl.U32, cl.U32, cl.U32, cl.U32, cl.U32, cl.U32, cl.Local)
	get(&k.gather, "annealslice_gather", u, u, u, cl.U32, cl.U32)
	get(&k.scatter, "annealslice_scatter", u, u, u, cl.U32, cl.U32)
	for _, info := range e.g.Infos() {
		if d.local(info) {
			return err
		}
	}
	get(&k.class, "annealslice_class", u, u, u, cl.U32, cl.U32, cl.F32, u, u, cl.U32, cl.U32, cl.U32, cl.U32, cl.U32, cl.U32, cl.U32)
	get(&k.count, "annealslice_count", cl.F32, u, cl.U32)
	return err
}
