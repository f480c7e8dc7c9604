package mixing

import (
	"context"

	"github.com/clopt/clopt/cl"
	"github.com/clopt/clopt/kernels"
	"github.com/clopt/clopt/solvers/device"
	"github.com/clopt/clopt/solvers/mixing/internal/host"
)

// slicedDevices anneals 32 chains a word on the devices of an engine. A device
// has the blocks of 32 individuals that any of its own is in; those of a border
// are made on both sides of it, with the same bits.
type slicedDevices struct {
	annealDevices
	kernels struct{ sweep, class, gather, scatter []*cl.Kernel }
	tables  []slicedTables
}

// slicedTables is one device's share.
type slicedTables struct {
	entries, fours, sums, classes, vertex, place *cl.Buffer[uint32]
	words                                        *cl.Buffer[uint32] // of the population in progress
	first, count                                 int                // blocks of individuals
	local                                        bool               // words live in local memory
	group                                        int
}

// share lists the vectors of t that do not change.
func (t *slicedTables) share(s *host.Sliced) device.Share {
	const what = "graph by classes of vertices"
	return device.Share{Vectors: []device.Vector{
		list(&t.entries, "entries", what, s.Entries),
		list(&t.fours, "fours", what, s.Fours),
		list(&t.sums, "sums", what, s.Sums),
		list(&t.classes, "classes", what, s.Classes),
		list(&t.vertex, "vertex", what, s.Vertex),
		list(&t.place, "place", what, s.Place),
	}}
}

// growing lists those of the population that is annealed.
func (t *slicedTables) growing(s *host.Sliced, own *annealShare) device.Share {
	return device.Share{Units: t.count, Vectors: []device.Vector{
		{To: &t.words, Name: "words", What: "chains, 32 to a word", Rows: max(1, s.Places), Per: device.Unit},
		own.counts(t.count),
	}}
}

func (d *slicedDevices) start() (err error) {
	if err := d.build(); err != nil {
		return err
	}
	d.lists, err = device.AllocateOn(d.e.g.Do, func(i int, dev *cl.Device) device.Share {
		d.tables[i].local, d.tables[i].group = d.local(dev.Info()), d.group(dev.Info())
		return d.tables[i].share(d.Sliced)
	})
	return err
}

func (d *slicedDevices) anneal(ctx context.Context, p *host.Population, from, to int,
	when uint32) (made int64, rest bool, err error) {
	if from == 0 {
		if err := d.begin(p); err != nil {
			return 0, false, err
		}
	}
	blocks := host.WordsOfChains(p.N)
	done := make([]uint32, 2*blocks)
	err = d.e.g.Do(func(i int, dev *cl.Device) error {
		t, share := &d.tables[i], d.on[i]
		if d.e.live[p].on[i].count == 0 {
			return nil
		}
		err := d.e.g.Slices(ctx, dev, &share.pace, t.count, func(lo, hi, pieces int) error {
			return d.launch(ctx, i, dev, p, lo, hi, from, to, when, pieces)
		})
		if err != nil {
			return err
		}
		return share.done.Read(0, done[2*t.first:2*(t.first+t.count)])
	})
	if err != nil {
		return 0, false, err
	}
	made, rest = d.total(from, done, func(b int) int { return min(host.ChainsPerWord, p.N-b*host.ChainsPerWord) })
	return made, rest, nil
}

// show writes the rows of each device's own individuals, and spreads them.
func (d *slicedDevices) show(p *host.Population) error {
	err := d.e.g.Do(func(i int, _ *cl.Device) error {
		r, t := d.e.live[p].on[i], &d.tables[i]
		for lo := r.first; lo < r.first+r.count; lo += maxRows {
			rows := min(maxRows, r.first+r.count-lo)
			if err := d.kernels.scatter[i].Launch([]int{(len(d.Sliced.Place) + 31) / 32, rows}, nil,
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
func (d *slicedDevices) begin(p *host.Population) (err error) {
	d.growing.Close()
	d.growing, err = device.AllocateOn(d.e.g.Do, func(i int, _ *cl.Device) device.Share {
		r, t := d.e.live[p].on[i], &d.tables[i]
		t.first, t.count = 0, 0
		if r.count > 0 {
			t.first = r.first / host.ChainsPerWord
			t.count = host.WordsOfChains(r.first+r.count) - t.first
		}
		return t.growing(d.Sliced, d.on[i])
	})
	if err != nil {
		return err
	}
	return d.e.g.Do(func(i int, _ *cl.Device) error {
		r, t := d.e.live[p].on[i], &d.tables[i]
		if t.count == 0 {
			return nil
		}
		return d.kernels.gather[i].Launch([]int{d.Sliced.Places, t.count}, nil, r.parents, t.vertex, t.words,
			uint32(t.first), uint32(p.N))
	})
}

// alone is how many places a work-group sweeps alone at most, where there are
// blocks enough for all.
const alone = 1 << 15

// launch runs sweeps [from, to) of blocks [lo, hi) of the device, in pieces.
func (d *slicedDevices) launch(ctx context.Context, i int, dev *cl.Device, p *host.Population, lo, hi, from, to int,
	when uint32, pieces int) error {
	t, share, s, key := &d.tables[i], d.on[i], d.Sliced, d.Key
	if d.kernels.class == nil || !d.e.m.spill && (s.Places <= alone || hi-lo >= dev.Info().ComputeUnits) {
		room := 8
		if t.local {
			room += 4 * s.Places
		}
		return sweepInPieces(ctx, dev, from, to, pieces, func(from, to uint32) error {
			return d.kernels.sweep[i].Launch([]int{(hi - lo) * t.group}, []int{t.group}, t.entries, t.fours, t.sums,
				t.classes, share.temps, from, to, t.words, share.done, uint32(lo), uint32(t.first), uint32(p.N),
				p.Who(0), when, key.Seed, key.Run, cl.LocalBytes(room))
		})
	}
	return d.byClass(ctx, i, dev, lo, hi-lo, from, to, 16, func(sweep int) error {
		for k := 0; k < len(s.Classes); k += 3 {
			begin, end, vertices := s.Classes[k], s.Classes[k+1], s.Classes[k+2]
			if begin == end {
				continue
			}
			items := d.items(dev.Info()) * int(end-begin)
			if err := d.kernels.class[i].Launch([]int{items, hi - lo}, nil, t.entries, t.fours, t.sums, begin, vertices,
				d.Temps[sweep], t.words, share.done, uint32(lo), uint32(t.first), uint32(p.N), p.Who(0),
				when+uint32(sweep), key.Seed, key.Run); err != nil {
				return err
			}
		}
		return nil
	})
}

// local says whether a block of chains lives in local memory.
func (d *slicedDevices) local(info cl.Info) bool {
	return info.Type != cl.CPU && !d.e.m.spill && int64(4*d.Sliced.Places+1024) <= info.LocalMem
}

// items is the work-items that decide a block of places: each four of them, or,
// where that would leave most of a group idle, one. An item that has four makes
// one draw for all, and a processor has no group.
func (d *slicedDevices) items(info cl.Info) int {
	if blocks := d.largest(); info.Type != cl.CPU && blocks*host.SliceBlock <= splitPlaces || d.e.m.split {
		return host.SliceBlock
	}
	return host.SliceBlock / 4
}

// splitPlaces is how many places a class has at most for an item each.
const splitPlaces = 4096

// largest is the blocks of the largest class.
func (d *slicedDevices) largest() (blocks int) {
	for k := 0; k < len(d.Sliced.Classes); k += 3 {
		blocks = max(blocks, int(d.Sliced.Classes[k+1]-d.Sliced.Classes[k]))
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
	e, s := d.e, d.Sliced
	err = d.annealDevices.build(func(info cl.Info) []kernels.Define {
		return []kernels.Define{
			device.Define("GROUP", d.group(info)), device.Define("WORDS", e.plan.words),
			device.Define("VERTICES", len(s.Place)), device.Define("PLACES", s.Places),
			device.Define("CLASSES", len(s.Classes)/3),
			device.Define("DIGITS", s.Digits), device.Define("PLANES", s.Planes),
			device.Flag("SLICE_LOCAL", d.local(info)), device.Flag("SLICE_SPLIT", d.items(info) == host.SliceBlock),
		}
	}, kernels.Get("solvers/mixing/slice.cl"))
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
	get(&k.sweep, "mixing_slice_sweep", u, u, u, u, f, cl.U32, cl.U32, u, u, cl.U32, cl.U32, cl.U32, cl.U32, cl.U32,
		cl.U32, cl.U32, cl.Local)
	get(&k.gather, "mixing_slice_gather", u, u, u, cl.U32, cl.U32)
	get(&k.scatter, "mixing_slice_scatter", u, u, u, cl.U32, cl.U32)
	for _, info := range e.g.Infos() {
		if d.local(info) {
			return err
		}
	}
	if err == nil {
		k.class, err = d.byClasses("mixing_slice_class", u, u, u, cl.U32, cl.U32, cl.F32, u, u, cl.U32, cl.U32, cl.U32,
			cl.U32, cl.U32, cl.U32, cl.U32)
	}
	return err
}
