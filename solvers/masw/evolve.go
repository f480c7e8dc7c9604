package masw

import (
	"cmp"
	"context"
	"maps"
	"slices"

	"github.com/clopt/clopt/cl"
	"github.com/clopt/clopt/internal/solvers/memetic"
	"github.com/clopt/clopt/problems"
	"github.com/clopt/clopt/problems/rng"
	"github.com/clopt/clopt/shard"
	"github.com/clopt/clopt/solvers/device"
)

// A portion is a range of whole tiles. Portion q of K begins at tile floor(q·T/K). Most portions lie inside
// one super-tile, and the device that owns it chooses their mates. The host chooses the mates of two other
// kinds. A portion that crosses the border of a super-tile has distances that are sums over several
// super-tiles. A portion with the first tiles of a shard, in a problem with a halo, has variables that the
// shard before stores too. The first kind follows from the problem and K alone. The second depends on the
// shards, but its sums are the same wherever they are added. If one device has everything, it adds these
// sums itself in the order of the host, and nothing is read back (masw_join).

// borderPortion is a portion whose mates the host chooses. Its pieces, one per super-tile, are
// pieces[from:to].
type borderPortion struct{ q, from, to int }

// borderPiece is a range of tiles inside one super-tile.
type borderPiece struct{ lo, hi int }

func portionOf(t problems.Tiling, portions, tile int) int {
	return int((int64(tile+1)*int64(portions) - 1) / int64(t.Tiles()))
}

func firstTile(t problems.Tiling, portions, q int) int {
	return int(int64(q) * int64(t.Tiles()) / int64(portions))
}

func (l *layout) portionOfVar(i int) int {
	t := l.tiling
	return portionOf(t, l.portions, min(max(i, 0)/t.TileVars, t.Tiles()-1))
}

// borders lists the portions whose mates the host chooses, in order.
func borders(t problems.Tiling, portions int, shards []shard.Shard) (border []borderPortion, pieces []borderPiece) {
	needs := map[int]bool{}
	for s := 1; s < t.SuperTiles(); s++ {
		first, _ := t.SuperTile(s)
		if q := portionOf(t, portions, first); firstTile(t, portions, q) < first {
			needs[q] = true
		}
	}
	if t.Halo > 0 {
		for _, sh := range shards[1:] {
			// The shard before may store variables of the tiles before last.
			last := sh.TileLo + (t.Halo+t.TileVars-1)/t.TileVars
			for tile := sh.TileLo; tile < min(last, t.Tiles()); tile++ {
				needs[portionOf(t, portions, tile)] = true
			}
		}
	}
	super := 0
	for _, q := range slices.Sorted(maps.Keys(needs)) {
		b := borderPortion{q: q, from: len(pieces)}
		lo, hi := firstTile(t, portions, q), firstTile(t, portions, q+1)
		for ; super < t.SuperTiles(); super++ {
			a, z := t.SuperTile(super)
			if a = max(a, lo); a < min(z, hi) {
				pieces = append(pieces, borderPiece{a, min(z, hi)})
			}
			if z > hi {
				break // the next portion may begin in it
			}
		}
		b.to = len(pieces)
		border = append(border, b)
	}
	return border, pieces
}

// piecesBefore returns the number of border pieces of tiles before a tile. No piece crosses the border of a shard.
func (l *layout) piecesBefore(tile int) int {
	n, _ := slices.BinarySearchFunc(l.pieces, tile, func(p borderPiece, tile int) int {
		return cmp.Compare(p.lo, tile)
	})
	return n
}

// candidates returns three distinct individuals other than j, as masw_candidates does.
func candidates(key rng.Key, n, q, j, when uint32) [3]uint32 {
	w := key.Words(q, j, when, rng.Mate)
	return memetic.Others(w[:3], n, j)
}

// generation makes and evaluates one generation of children, and selects the survivors.
func (r *maswRun) generation(ctx context.Context) ([]float64, error) {
	if err := r.choose(ctx); err != nil {
		return nil, err
	}
	key := r.s.Key
	shards := r.children.Shards()
	sums, err := r.children.Eval(ctx, r.all(), func(s int) []any {
		o, sh := r.on[s], shards[s]
		return []any{o.x.Arg(), o.mate, o.mutatedVar, o.mutationDelta.Arg(), childrenOf{Stride: uint64(sh.Vars()),
			Lo: uint32(sh.ReadLo), Q0: uint32(o.q0), Individuals: uint32(r.all()), Seed: key.Seed, Run: key.Run,
			When: r.states[0].Generation}}
	})
	if err != nil {
		return nil, err
	}
	f := shard.Values(r.p, sums)
	swaps := r.survivors(f)
	if err := r.write(swaps); err != nil {
		return nil, err
	}
	for k := range r.states {
		st := &r.states[k]
		lo, hi := r.of(k)
		children := f[lo:hi]
		for own := r.swapsOf(swaps, k); len(own) > 0; own = own[2:] {
			slot, child := own[0], own[1]
			st.F[slot], st.Chains[slot] = children[child], chain{}
		}
		st.Generation++
		st.Phase++
	}
	return f, nil
}

// survivors selects the survivors of each run. f has the values of all children. swaps has the number of survivors of
// each run, and then room for the pairs of each.
func (r *maswRun) survivors(f []float64) (swaps []uint32) {
	swaps = slices.Grow(r.chosen[:0], r.runs+2*r.all())[:r.runs+2*r.all()]
	for k := range r.states {
		lo, hi := r.of(k)
		room := r.runs + 2*lo
		swaps[k] = uint32(len(r.selection.survive(swaps[room:room], r.states[k].F, f[lo:hi])) / 2)
	}
	r.chosen = swaps
	return swaps
}

// swapsOf returns the pairs of a run: a slot, the child that takes it, and so on.
func (r *maswRun) swapsOf(swaps []uint32, run int) []uint32 {
	room := r.runs + 2*r.n*run
	return swaps[room : room+2*int(swaps[run])]
}

// choose fills the tables of mates of this generation.
func (r *maswRun) choose(ctx context.Context) error {
	if r.mates > 1 {
		return r.chooseFarthest(ctx)
	}
	return r.children.Each(func(s int, _ shard.Shard, _ *cl.Device) error {
		o := r.on[s]
		return r.kernels.draw.Launch(s, []int{o.q1 - o.q0, r.all()}, nil,
			device.Values{"when": r.states[0].Generation})
	})
}

// chooseFarthest chooses the farthest candidates. The distances over a portion at a border are sums of its pieces.
func (r *maswRun) chooseFarthest(ctx context.Context) error {
	when, all := r.states[0].Generation, r.all()
	shards := r.children.Shards()
	found := make([]float64, len(r.pieces)*3*all)
	err := r.children.Scan(ctx, 3*all, func(s int, part *shard.Sums, tile0, tiles int) error {
		sh, size := shards[s], r.children.GroupSize(s)
		args := device.Values{"dist": part, "first": sh.TileLo, "tile0": tile0, "when": when}
		if r.columns[sh.Device] {
			return r.kernels.columns.Launch(s, []int{tiles * size, r.runs}, []int{size, 1}, args)
		}
		return r.kernels.distance.Launch(s, []int{all * size, tiles}, []int{size, 1}, args)
	}, func(s int, part *shard.Sums) error {
		o, sh := r.on[s], shards[s]
		if err := r.kernels.mate.Launch(s, []int{o.q1 - o.q0, all}, nil,
			device.Values{"dist": part, "first": sh.TileLo, "last": sh.TileHi, "when": when}); err != nil {
			return err
		}
		if len(o.owned) == 0 {
			return nil
		}
		if err := r.kernels.piece.Launch(s, []int{3 * all, len(o.owned)}, nil,
			device.Values{"dist": part}); err != nil {
			return err
		}
		if o.borders != nil {
			return r.kernels.join.Launch(s, []int{all, len(r.border)}, nil, device.Values{"sums": o.pieceOut,
				"when": when})
		}
		out := make([]float64, len(o.owned)*3*all)
		if err := o.pieceOut.Read(0, out); err != nil {
			return err
		}
		for k, piece := range o.owned {
			copy(found[piece*3*all:], out[k*3*all:(k+1)*3*all])
		}
		return nil
	})
	if err != nil || len(r.border) == 0 || r.joins {
		return err
	}
	if err := shard.GatherShards(r.children, found, func(s int) int {
		return r.piecesBefore(shards[s].TileHi) * 3 * all
	}); err != nil {
		return err
	}
	rows := make([][]uint16, len(r.border))
	for i, b := range r.border {
		rows[i] = make([]uint16, all)
		for p := range all {
			var d [3]float64
			for k := b.from; k < b.to; k++ {
				for c := range d {
					d[c] += found[(k*all+p)*3+c]
				}
			}
			key := r.s.Key
			key.Run += uint32(p / r.n)
			c := candidates(key, uint32(r.n), uint32(b.q), uint32(p%r.n), when)
			best := 0
			for k := 1; k < r.mates; k++ {
				if d[k] > d[best] {
					best = k
				}
			}
			rows[i][p] = uint16(c[best])
		}
	}
	return r.children.Each(func(s int, sh shard.Shard, d *cl.Device) error {
		o := r.on[s]
		for i, b := range r.border {
			if b.q >= o.q0 && b.q < o.q1 {
				if err := o.mate.Send((b.q-o.q0)*all, rows[i]); err != nil {
					return err
				}
			}
		}
		return nil
	})
}

// mostWritten is the largest number of variables of a child that a work-group of masw_write makes.
const mostWritten = 256

// write stores the children of survivors in their slots, in place.
func (r *maswRun) write(swaps []uint32) error {
	most, total := 0, 0 // children of a run, and of all runs
	for _, n := range swaps[:r.runs] {
		most, total = max(most, int(n)), total+int(n)
	}
	if most == 0 {
		return nil
	}
	return r.children.Each(func(s int, sh shard.Shard, d *cl.Device) error {
		o := r.on[s]
		if err := o.chosen.Send(0, swaps); err != nil {
			return err
		}
		size := r.children.GroupSize(s)
		// With fewer children there is room for more variables of each.
		vars, wide := 4, 0
		for 2*vars*most <= r.n*r.writeVars && 2*vars <= mostWritten {
			vars, wide = 2*vars, wide+1
		}
		groups := (sh.ReadHi - sh.ReadLo&^3 + vars - 1) / vars
		return r.children.Slices(s, groups, total, func(block, n int) error {
			return r.kernels.write.Launch(s, []int{n * size, r.runs}, []int{size, 1}, device.Values{
				"group0": block, "when": r.states[0].Generation, "wide": wide})
		})
	})
}
