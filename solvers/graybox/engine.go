package graybox

import (
	"context"
	"math"

	"github.com/clopt/clopt/cl"
	"github.com/clopt/clopt/problems"
	"github.com/clopt/clopt/problems/rng"
	"github.com/clopt/clopt/shard"
	"github.com/clopt/clopt/solvers"
	"github.com/clopt/clopt/solvers/device"
	"github.com/clopt/clopt/solvers/internal/host"
)

// partEngine holds the populations of all parts on the devices.
type partEngine struct {
	p         problems.Problem
	one       problems.Problem // p, or the problem that p repeats
	s         solvers.Setup
	shape     partShape
	check     bool
	localY    bool  // candidates are in local memory
	pairs     bool  // sums are pairs of float32
	writeVars int   // variables of all individuals that a group writes at a time
	ranking   []int // work-items that rank parents and children, by device
	layout    solvers.Info

	pl      *shard.Placement
	kernels struct {
		populate, best, gather, improve []*cl.Kernel
		evolve, begin, end              []*cl.Kernel // chains; begin also synchronous
		children, survive, write        []*cl.Kernel // synchronous

		draw, rows, adopt, refresh, assemble, total []*cl.Kernel // with colours
	}
	f         []float64 // best values of several runs, then their numbers of values that were not finite
	nonFinite []int64
	colour    int  // the current colour
	turned    bool // the turn of a colour has begun
	searching bool // row n of the accumulators belongs to the point that is improved
	paces     struct{ evolve, improve, begin, end, refresh, assemble shard.Pace }
	on        []*partShard
	memory    *device.Memory
}

func (e *partEngine) info() solvers.Info { return e.layout }

func (m *Graybox) partEngine(p problems.Problem, g *shard.Devices, s solvers.Setup, b partShape,
	shards []shard.Shard) (_ *partEngine, err error) {
	e := &partEngine{p: p, one: shard.Programmed(p), s: s, shape: b, check: g.Checked(),
		on: make([]*partShard, len(shards))}
	defer func() {
		if err != nil {
			e.close()
		}
	}()
	if err = e.place(m, g, shards); err != nil {
		return nil, err
	}
	sums := "sums"
	if e.pairs {
		sums = "pairs" // not float64
	}
	e.memory, err = device.Allocate(e.pl, func(i int, sh shard.Shard) device.Share {
		e.on[i] = &partShard{}
		return b.share(e.on[i], s.Precision, sh, e.localY, sums)
	})
	return e, err
}

func (e *partEngine) close() {
	e.memory.Close()
	if e.pl != nil {
		e.pl.Close()
	}
}

// args returns the arguments that all kernels have, followed by more, for the parts of shard s from number
// unit on. If parts have colours, these are the parts of the current colour.
func (e *partEngine) args(s, unit int, more ...any) []any {
	o, sh := e.on[s], e.pl.Shards()[s]
	key := e.s.Key
	turn0, turns := e.shape.turn(e.colour)
	return append([]any{o.x.Arg(), o.bias.Arg(), uint64(sh.Vars()), uint32(sh.ReadLo), o.acc.Arg(), o.slot, o.chain,
		o.pace.Arg(), o.now, o.work.Arg(), o.parts,
		uint32(e.shape.part(sh.TileLo)), uint32(unit), uint32(turn0), uint32(turns), key.Seed, key.Run}, more...)
}

// groups launches rows work-groups for each part of the current colour in some tiles from tile0 on. The
// arguments more follow those of args.
func (e *partEngine) groups(k []*cl.Kernel, s, rows, tile0, tiles int, more ...any) error {
	return e.groupsOf(e.pl.GroupSize(s), k, s, rows, tile0, tiles, more...)
}

// groupsOf is groups with work-groups of the given size.
func (e *partEngine) groupsOf(size int, k []*cl.Kernel, s, rows, tile0, tiles int, more ...any) error {
	b := e.shape
	unit, parts := e.shape.part(tile0), b.count(tiles)
	switch {
	case b.parts != nil:
		_, turns := b.turn(e.colour)
		for most := max(1, maxGroups/turns); tiles > most; tiles -= most {
			if err := e.launch(size, k, s, rows, e.shape.part(tile0), most*turns, more...); err != nil {
				return err
			}
			tile0 += most
		}
		unit, parts = e.shape.part(tile0), tiles*turns
	case b.colours > 1:
		end := unit + parts
		for unit%b.colours != e.colour {
			unit++
		}
		parts = (end - unit + b.colours - 1) / b.colours
	}
	return e.launch(size, k, s, rows, unit, parts, more...)
}

// maxGroups is the largest number of work-groups in the second dimension of a launch.
const maxGroups = 65535

// launch launches rows work-groups for each of the given number of parts.
func (e *partEngine) launch(size int, k []*cl.Kernel, s, rows, unit, parts int, more ...any) error {
	return k[e.pl.Shards()[s].Device].Launch([]int{rows * size, parts}, []int{size, 1}, e.args(s, unit, more...)...)
}

// tables appends the tables of the problem to arguments.
func (e *partEngine) tables(s int, more ...any) []any { return append(more, e.pl.Tables(s)...) }

// whole reports whether all tiles are one part.
func (e *partEngine) whole() bool { return e.shape.tiles > 1 }

func (e *partEngine) populate(ctx context.Context) error {
	n := e.shape.n
	if e.shape.shared() {
		return e.populateColours(ctx)
	}
	shards := e.pl.Shards()
	if err := e.upload(); err != nil {
		return err
	}
	if err := e.pl.Scan(ctx, n*e.shape.accs, func(s int, part *shard.Sums, tile0, tiles int) error {
		if e.whole() {
			if tile0 != shards[s].TileLo {
				return nil // there is one part, which was launched already
			}
			tiles = shards[s].Tiles()
		}
		return e.groups(e.kernels.populate, s, n, tile0, tiles, e.tables(s, uint32(len(e.s.X0)), part.Arg())...)
	}, func(int, *shard.Sums) error { return nil }); err != nil {
		return err
	}
	if !e.check {
		return nil
	}
	if e.whole() {
		return e.checkWhole()
	}
	return e.compare(n)
}

// upload stores the start points as the first individuals.
func (e *partEngine) upload() error {
	return e.pl.Each(func(s int, sh shard.Shard, d *cl.Device) error {
		for j, x := range e.s.X0 {
			own := e.p.Domain().Stored(e.s.Precision, sh.ReadLo, x[sh.ReadLo:sh.ReadHi])
			if err := e.on[s].x.Write(j*sh.Vars(), own); err != nil {
				return err
			}
		}
		return nil
	})
}

// compare compares the tiles of the first n individuals with the host reference.
func (e *partEngine) compare(n int) error {
	return e.pl.Check(e.s.Key, n, func(j, lo, hi int) ([]float64, error) { return e.first(j, lo, hi), nil })
}

// first returns the initial variables [lo, hi) of individual j.
func (e *partEngine) first(j, lo, hi int) []float64 {
	if n := e.one.Domain().N; e.shape.runs > 0 && j >= len(e.s.X0) {
		key := e.s.Key
		key.Run += uint32(lo / n)
		return host.Drawn(e.p, e.s.Precision, key, uint32(j), 0, rng.Init, 0, n)
	}
	if j < len(e.s.X0) {
		return e.p.Domain().Stored(e.s.Precision, lo, e.s.X0[j][lo:hi])
	}
	return host.Drawn(e.p, e.s.Precision, e.s.Key, uint32(j), 0, rng.Init, lo, hi)
}

// checkWhole compares the values of the first three individuals with the host reference, for one part of
// many tiles.
func (e *partEngine) checkWhole() error {
	h, ok := e.p.(problems.Referenced)
	if !ok {
		return nil
	}
	return e.pl.Each(func(s int, sh shard.Shard, d *cl.Device) error {
		acc := make([]float64, 3*e.shape.accs)
		if err := e.on[s].acc.Read(0, acc); err != nil {
			return err
		}
		for j, got := range shard.Values(e.p, acc) {
			want, err := problems.Eval(h, e.first(j, 0, e.p.Domain().N))
			if err != nil {
				return err
			}
			if tol := e.p.Tolerance(e.s.Precision); host.Finite(want) && !(math.Abs(got-want) <= tol*math.Abs(want)) {
				return &shard.CheckError{Device: d.String(), Point: j, Got: got, Want: want}
			}
		}
		return nil
	})
}

func (e *partEngine) evolve(when uint32, count int) error {
	return e.pl.Rounds(&e.paces.evolve, count, e.whole(), func(s, tile0, tiles, from, rounds int) error {
		return e.groups(e.kernels.evolve, s, 1, tile0, tiles, e.tables(s, when+uint32(from), uint32(rounds))...)
	})
}

func (e *partEngine) begin(cycle uint32) error {
	e.searching = true
	return e.pl.Rounds(&e.paces.begin, 1, e.whole(), func(s, tile0, tiles, _, _ int) error {
		return e.groups(e.kernels.begin, s, 1, tile0, tiles, cycle)
	})
}

func (e *partEngine) improve(when uint32, count int) error {
	return e.search(when, count, 1)
}

// search improves rows individuals of each part.
func (e *partEngine) search(when uint32, count, rows int) error {
	return e.pl.Rounds(&e.paces.improve, count, e.whole(), func(s, tile0, tiles, from, rounds int) error {
		more := []any{when + uint32(from), uint32(rounds)}
		if e.shape.offspring > 0 {
			more = append(more, e.on[s].shape.Arg())
		}
		return e.groups(e.kernels.improve, s, e.pl.Groups(s, rows), tile0, tiles, e.tables(s, more...)...)
	})
}

func (e *partEngine) end() error {
	e.searching = false
	return e.pl.Rounds(&e.paces.end, 1, e.whole(), func(s, tile0, tiles, _, _ int) error {
		return e.groups(e.kernels.end, s, 1, tile0, tiles)
	})
}

// candidates returns the number of rows of a part that may be its best: the individuals and, during a local
// search, the point that is improved.
func (e *partEngine) candidates() uint32 {
	if e.searching {
		return uint32(e.shape.n + 1)
	}
	return uint32(e.shape.n)
}

// best adds the best values of the parts in the order of tiles and super-tiles. It also counts the values
// that were not finite, where a value of one part counts as its fraction of a point.
func (e *partEngine) best(ctx context.Context) (float64, int64, error) {
	if e.shape.shared() {
		return e.bestColours(ctx)
	}
	if e.shape.runs > 0 {
		var err error
		if e.f, e.nonFinite, err = e.bests(ctx); err != nil {
			return 0, 0, err
		}
		return e.f[0], e.nonFinite[0], nil
	}
	shards, rows := e.pl.Shards(), e.candidates()
	sums, err := e.pl.Reduce(ctx, e.shape.accs+1, func(s int, part *shard.Sums, tile0, tiles int) error {
		if e.whole() {
			if tile0 != shards[s].TileLo {
				return nil
			}
			tiles = shards[s].Tiles()
		}
		return e.kernels.best[shards[s].Device].Launch([]int{e.shape.count(tiles)}, nil,
			e.args(s, e.shape.part(tile0), rows, part.Arg())...)
	})
	if err != nil {
		return 0, 0, err
	}
	strange := sums[e.shape.accs] / float64(e.shape.count(e.shape.total))
	return e.p.Objective(sums[:e.shape.accs]), int64(math.Ceil(strange)), nil
}

// bests is best for each of several runs.
func (e *partEngine) bests(ctx context.Context) (f []float64, nonFinite []int64, err error) {
	rows, width := e.candidates(), e.shape.accs+1
	f, nonFinite = make([]float64, e.shape.runs), make([]int64, e.shape.runs)
	sums, err := e.runSums(ctx, width, func(s int, part *shard.Sums, tile0, tiles int) error {
		return e.kernels.best[e.pl.Shards()[s].Device].Launch([]int{tiles}, nil, e.args(s, tile0, rows, part.Arg())...)
	})
	if err != nil {
		return nil, nil, err
	}
	for run, v := range sums {
		f[run], nonFinite[run] = e.p.Objective(v[:width-1]), int64(v[width-1])
	}
	return f, nonFinite, nil
}

// incumbent reads the best point.
func (e *partEngine) incumbent(x []float64) error {
	return e.pl.ReadPoint(x, e.readBest)
}

// readBest copies variables of the best point from number lo on, which belong to shard s: of the point that was assembled
// last, or of the best rows of the parts.
func (e *partEngine) readBest(s, lo int, dst []float64) error {
	sh := e.pl.Shards()[s]
	if b := e.shape; b.shared() {
		return e.on[s].work.Read(b.before+lo-sh.VarLo, dst)
	}
	for from := 0; from < len(dst); from += device.GatherVars {
		to := min(from+device.GatherVars, len(dst))
		if err := e.kernels.gather[sh.Device].Launch([]int{to - from}, nil,
			e.args(s, e.shape.part(sh.TileLo), uint32(lo+from), e.on[s].out.Arg())...); err != nil {
			return err
		}
		if err := e.on[s].out.Read(0, dst[from:to]); err != nil {
			return err
		}
	}
	return nil
}

// incumbentOf is incumbent for one of several runs, which are on the devices of this rank.
func (e *partEngine) incumbentOf(run int, x []float64) error {
	if e.shape.runs == 0 {
		return e.incumbent(x)
	}
	begin := run * e.one.Domain().N
	return e.pl.Each(func(s int, sh shard.Shard, _ *cl.Device) error {
		from, to := max(sh.VarLo, begin), min(sh.VarHi, begin+len(x))
		if from >= to {
			return nil
		}
		return e.readBest(s, from, x[from-begin:to-begin])
	})
}
