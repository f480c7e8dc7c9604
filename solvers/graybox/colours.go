package graybox

import (
	"context"
	"math"
	"slices"

	"github.com/clopt/clopt/cl"
	"github.com/clopt/clopt/problems"
	"github.com/clopt/clopt/shard"
	"github.com/clopt/clopt/solvers/device"
	"github.com/clopt/clopt/solvers/internal/host"
)

// If neighbours read the variables of a part, the parts have two colours, even and odd, which move in turn,
// one cycle of MA-SW-Chains each. The value of a part is that of all components that read it. The other
// variables are those of the best point so far, which is assembled from the best points of all parts. They
// do not change during the turn of the part, so every decision is exact, and the value of the whole never
// rises. When the turn of a colour begins, its individuals are evaluated again, because their surroundings
// have changed. Work counts all evaluated components, including these and the value of the whole after each
// step.
//
// The parts that problems.PartsOf cuts tiles into are treated in the same way. If they have no component in
// common, there is one colour, and nothing is evaluated again.

// colourCosts returns the costs of a run, as sums over the costs of components.
func colourCosts(p problems.Problem, b *problems.Blocks, n int) chainsCosts {
	t, s := p.Tiling(), p.Structure()
	last := 0 // cost of the last tile, which may be shorter
	lo, hi := t.Comps(t.Tiles() - 1)
	for k := lo; k < hi; k++ {
		last += s.Cost(k)
	}
	c := chainsCosts{turn: make([]int64, b.Colours), evaluation: make([]int64, b.Colours)}
	for u := range t.Tiles() {
		own := int64(b.Cost)
		if u == t.Tiles()-1 {
			own = int64(last)
		}
		c.total += own
		if u > 0 {
			own += int64(b.BackCost)
		}
		c.evaluation[u%b.Colours] += own
	}
	for k, v := range c.evaluation {
		c.turn[k] = int64(n) * v
	}
	c.populate, c.report = int64(n)*c.total, c.total
	return c
}

// partCosts is colourCosts for parts that are cut from equal tiles.
func partCosts(parts *problems.Parts, n, tiles int) chainsCosts {
	c := chainsCosts{total: int64(tiles) * int64(parts.Cost), turn: make([]int64, parts.Colours),
		evaluation: make([]int64, parts.Colours)}
	for _, part := range parts.Parts {
		c.evaluation[part.Colour] += int64(tiles) * int64(part.Cost)
	}
	c.populate, c.report = int64(n)*c.total, c.total
	if parts.Colours == 1 {
		c.populate += int64(n) * c.total // the values of the parts, once
		return c
	}
	for k, v := range c.evaluation {
		c.turn[k] = int64(n) * v
	}
	return c
}

// turn returns the first part of a colour and the number of parts of that colour.
func (b partShape) turn(colour int) (first, count int) {
	if b.parts == nil {
		return 0, 1
	}
	for w, part := range b.parts.Parts {
		if part.Colour == colour {
			if count == 0 {
				first = w
			}
			count++
		}
	}
	return first, count
}

// mapAt returns the place in table at which the map of variables begins.
func (b partShape) mapAt() int {
	if b.parts == nil {
		return 0
	}
	n := 4 * len(b.parts.Parts)
	for _, part := range b.parts.Parts {
		n += len(part.Vars) + len(part.Comps)
	}
	return n
}

// table returns the parts in the form that kernels/solvers/graybox/graybox.cl reads.
func (b partShape) table() []uint32 {
	if b.parts == nil {
		return []uint32{0}
	}
	head, lists, before := make([]uint32, 0, 4*len(b.parts.Parts)), []uint32(nil), []uint32{0}
	owner, place := make([]uint32, b.used), make([]uint32, b.used)
	for i := range owner {
		owner[i] = math.MaxUint32
	}
	at := 4 * len(b.parts.Parts)
	for w, part := range b.parts.Parts {
		head = append(head, uint32(at), uint32(len(part.Vars)), uint32(at+len(part.Vars)), uint32(len(part.Comps)))
		at += len(part.Vars) + len(part.Comps)
		for k, v := range part.Vars {
			lists = append(lists, uint32(v))
			owner[v], place[v] = uint32(w), uint32(k)
		}
		before = append(before, before[w]+uint32(len(part.Vars)))
		for _, k := range part.Comps {
			lists = append(lists, uint32(k))
		}
	}
	return slices.Concat(head, lists, owner, place, before)
}

// partCount returns PARTS_PER_TILE, which is 0 if parts are tiles.
func (e *partEngine) partCount() int {
	if e.shape.parts == nil {
		return 0
	}
	return e.shape.per()
}

// populateColours evaluates the individuals as whole points. The best of them is the first best point.
func (e *partEngine) populateColours(ctx context.Context) error {
	b, n := e.shape, e.shape.n
	if err := e.upload(); err != nil {
		return err
	}
	if err := e.pl.Each(func(s int, sh shard.Shard, d *cl.Device) error {
		items := device.Quads(sh)
		if b.runs > 0 {
			items = sh.Vars()
		}
		return e.kernels.draw[sh.Device].Launch([]int{items, n}, nil,
			e.args(s, sh.TileLo, uint32(sh.Vars()), uint32(len(e.s.X0)))...)
	}); err != nil {
		return err
	}
	sums, err := e.runSums(ctx, n*b.accs, func(s int, part *shard.Sums, tile0, tiles int) error {
		return e.launch(e.pl.GroupSize(s), e.kernels.rows, s, n, 0, tiles,
			e.tables(s, uint32(n), uint32(e.pl.Shards()[s].TileLo), uint32(tile0), part.Arg())...)
	})
	if err != nil {
		return err
	}
	if e.check {
		if err := e.compare(n); err != nil {
			return err
		}
	}
	best := make([]int, len(sums)) // of each run
	for run := range sums {
		f := shard.Values(e.p, sums[run])
		for j := range f {
			if host.Better(f[j], f[best[run]]) {
				best[run] = j
			}
		}
	}
	if err := e.pl.Each(func(s int, sh shard.Shard, d *cl.Device) error {
		if b.runs == 0 {
			return e.adopt(s, 0, sh.Vars(), 0, b.count(sh.Tiles()), best[0])
		}
		for run := sh.TileLo; run < sh.TileHi; run++ {
			k, n := run-sh.TileLo, e.one.Domain().N
			if err := e.adopt(s, k*n, n, k*b.per(), b.per(), best[run]); err != nil {
				return err
			}
		}
		return nil
	}); err != nil {
		return err
	}
	return e.exchange()
}

// adopt copies individual row to the best point so far, for vars variables and some parts of shard s.
func (e *partEngine) adopt(s, from, vars, part, parts, row int) error {
	sh := e.pl.Shards()[s]
	return e.kernels.adopt[sh.Device].Launch([]int{max(vars, parts)}, nil,
		e.args(s, e.shape.part(sh.TileLo), uint32(from), uint32(vars), uint32(part), uint32(parts), uint32(row))...)
}

// runSums returns the sums over all tiles, as pl.Reduce does, or separately for each of several runs.
func (e *partEngine) runSums(ctx context.Context, width int,
	launch func(s int, part *shard.Sums, tile0, tiles int) error) ([][]float64, error) {
	if e.shape.runs == 0 {
		sums, err := e.pl.Reduce(ctx, width, launch)
		return [][]float64{sums}, err
	}
	sums := make([][]float64, e.shape.runs)
	err := e.pl.Scan(ctx, width, launch, func(s int, part *shard.Sums) error {
		sh := e.pl.Shards()[s]
		all := make([]float64, width*sh.Tiles())
		if err := part.Read(0, all); err != nil {
			return err
		}
		for k := range sh.Tiles() {
			sums[sh.TileLo+k] = all[k*width : (k+1)*width]
		}
		return nil
	})
	return sums, err
}

// exchange copies the variables that parts read beyond the borders of their shard from the shards that own them.
func (e *partEngine) exchange() error {
	return device.Exchange(e.pl, e.shape.before, func(s int) *shard.Reals { return e.on[s].work })
}

func (e *partEngine) turn(colour int) error {
	if !e.shape.shared() || e.shape.colours == 1 && e.turned {
		return nil
	}
	e.colour, e.turned = colour, true
	return e.pl.Rounds(&e.paces.refresh, 1, false, func(s, tile0, tiles, _, _ int) error {
		return e.groups(e.kernels.refresh, s, e.shape.n, tile0, tiles, e.tables(s)...)
	})
}

// bestColours assembles the best point and evaluates it.
func (e *partEngine) bestColours(ctx context.Context) (float64, int64, error) {
	if e.turned {
		if err := e.pl.Rounds(&e.paces.assemble, 1, false, func(s, tile0, tiles, _, _ int) error {
			return e.groups(e.kernels.assemble, s, 1, tile0, tiles, e.candidates())
		}); err != nil {
			return 0, 0, err
		}
		if err := e.exchange(); err != nil {
			return 0, 0, err
		}
	}
	return e.total(ctx)
}

// total evaluates the best point so far, or that of each run.
func (e *partEngine) total(ctx context.Context) (float64, int64, error) {
	b := e.shape
	sums, err := e.runSums(ctx, b.accs+1, func(s int, part *shard.Sums, tile0, tiles int) error {
		return e.launch(e.pl.GroupSize(s), e.kernels.total, s, 1, 0, tiles,
			e.tables(s, uint32(e.pl.Shards()[s].TileLo), uint32(tile0), part.Arg())...)
	})
	if err != nil {
		return 0, 0, err
	}
	e.f, e.nonFinite = make([]float64, len(sums)), make([]int64, len(sums))
	for run, v := range sums {
		strange := v[b.accs] * float64(max(b.runs, 1)) / float64(b.count(b.total))
		e.f[run], e.nonFinite[run] = e.p.Objective(v[:b.accs]), int64(math.Ceil(strange))
	}
	return e.f[0], e.nonFinite[0], nil
}
