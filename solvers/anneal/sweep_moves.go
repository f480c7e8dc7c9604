package anneal

import (
	"context"

	"github.com/clopt/clopt/problems"
	"github.com/clopt/clopt/shard"
	"github.com/clopt/clopt/solvers/device"
)

// move queues n sweeps of the variables of a colour in some tiles of shard s.
func (e *sweepEngine) move(s, tile0, tiles, colour int, t float64, sweep uint32, n int) error {
	turn := e.turns[colour]
	from, to := e.extent(tile0, tiles, turn)
	items := int(to - from)
	if p := uint32(e.shape.colours.Period); p > 0 && items > 0 {
		items = int((to-1)/p-from/p+1) * int(turn.per)
	}
	if items == 0 {
		return nil
	}
	return e.items(e.kernels.move, s, items, device.Values{
		"of": colourOf{Off: turn.off, Per: turn.per, From: from, To: to}, "t": e.real(t), "sweep": sweep, "sweeps": n})
}

// moves makes sweeps, numbered from first on, at temperature t.
func (e *sweepEngine) moves(ctx context.Context, t float64, first uint32, sweeps int) error {
	if e.shape.fused() {
		return e.pl.Rounds(ctx, &e.pace, sweeps, false, new([]shard.Stretch), func(s, tile0, tiles, from, n int) error {
			return e.move(s, tile0, tiles, 0, t, first+uint32(from), n)
		})
	}
	colours := e.shape.colours.Count
	passes, rounds := sweeps*colours, 1
	if e.crosses() { // one pass at a time, each followed by an exchange
		passes, rounds = 1, passes
	}
	for round := range rounds {
		if err := e.pl.Passes(ctx, &e.pace, passes, func(s, tile0, tiles, pass int) error {
			k := round + pass
			return e.move(s, tile0, tiles, k%colours, t, first+uint32(k/colours), 1)
		}); err != nil {
			return err
		}
		if err := e.exchange(); err != nil {
			return err
		}
	}
	return nil
}

// extent returns the range of the variables of some tiles, or of their places in the order of a colour.
func (e *sweepEngine) extent(tile0, tiles int, turn sweepTurn) (from, to uint32) {
	t := e.p.Tiling()
	if e.shape.colours.Period == 0 {
		all, per := uint64(t.Tiles()), uint64(turn.per)
		return turn.off + uint32(uint64(tile0)*per/all), turn.off + uint32(uint64(tile0+tiles)*per/all)
	}
	lo, _ := t.Vars(tile0)
	_, hi := t.Vars(tile0 + tiles - 1)
	return uint32(lo), uint32(hi)
}

// sweepTotal has sums over the moves of a sweep.
type sweepTotal struct {
	size  float64 // of |change| of f
	tried float64 // their number
	step  float64 // of the steps that were accepted, as shares of their intervals
}

func (s *sweepTotal) add(other sweepTotal) {
	s.size += other.size
	s.tried += other.tried
	s.step += other.step
}

// sums makes a turn of one colour with the variables which, which+every, … of each tile. If trial, it accepts no
// move. It returns the changes of the accumulators, and sums over all moves.
func (e *sweepEngine) sums(ctx context.Context, t float64, sweep uint32, colour, every, which int,
	trial bool) (change []float64, total sweepTotal, err error) {
	turn := e.turns[colour]
	sums, err := e.pl.Reduce(ctx, sweepSums(e.p), func(s int, part *shard.Sums, tile0, tiles int) error {
		sh, size := e.pl.Shards()[s], e.pl.GroupSize(s)
		return e.kernels.sums.Launch(s, []int{size, tiles}, []int{size, 1}, device.Values{
			"sums": part, "first": sh.TileLo, "t": e.real(t), "sweep": sweep,
			"of": someOf{Off: turn.off, Per: turn.per, Tile0: uint32(tile0), Every: uint32(every), Which: uint32(which),
				Trial: uint32(problems.Flag(trial))}})
	})
	if err != nil {
		return nil, total, err
	}
	if !trial {
		err = e.exchange()
	}
	n := e.p.Accumulators()
	return sums[:n], sweepTotal{sums[n], sums[n+1], sums[n+2]}, err
}

// crosses reports whether shards read variables of other shards.
func (e *sweepEngine) crosses() bool {
	return len(e.on) > 1 && (e.shape.before > 0 || e.p.Tiling().Halo > 0)
}

// exchange copies the variables that shards read from their neighbours.
func (e *sweepEngine) exchange() error {
	return device.Exchange(e.pl, e.shape.before, func(s int) *shard.Reals { return e.on[s].x })
}
