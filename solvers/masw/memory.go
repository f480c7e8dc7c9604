package masw

import (
	"fmt"

	"github.com/clopt/clopt/cl"
	"github.com/clopt/clopt/problems"
	"github.com/clopt/clopt/problems/rng"
	"github.com/clopt/clopt/shard"
	"github.com/clopt/clopt/solvers/device"
)

// layout determines the memory of a run.
type layout struct {
	tiling   problems.Tiling
	prec     problems.Precision
	key      rng.Key
	n        int // individuals of a run
	runs     int // made together
	portions int
	border   []borderPortion
	pieces   []borderPiece
	joins    bool // the only device chooses the mates of border portions itself
	ahead    int  // largest number of steps that the device makes before the host reads them; 0: the host decides
}

func (m *MASW) layout(p problems.Problem, prec problems.Precision, shards []shard.Shard, runs int) layout {
	t := p.Tiling()
	l := layout{tiling: t, prec: prec, n: m.population(p.Domain().N, prec), runs: runs, portions: m.portions(t),
		joins: true}
	l.border, l.pieces = borders(t, l.portions, shards)
	if small(p, l.n) {
		l.ahead = max(1, min(m.iterations(), mostValues/l.all()))
	}
	return l
}

// all returns the number of individuals of all runs. Those of a run follow each other.
func (l *layout) all() int { return l.runs * l.n }

// of returns the individuals of a run: numbers from lo to before hi.
func (l *layout) of(run int) (lo, hi int) { return run * l.n, (run + 1) * l.n }

// maswShard is the memory of one shard.
type maswShard struct {
	x, bias       *shard.Reals       // [individual][stored variable]
	mate          *cl.Buffer[uint16] // [portion - q0][individual], like the next two; the number within the run
	mutatedVar    *cl.Buffer[uint32] // the variable that mutation changes; n if none
	mutationDelta *shard.Reals       // what mutation adds to it
	q0, q1        int                // portions that the stored variables touch
	when          *cl.Buffer[uint32] // counter of the draws of each individual's deviation
	move          *shard.Reals       // rho, scale, sign of each individual
	chosen        *cl.Buffer[uint32] // swaps of a generation, accepted steps, or new chains
	pieces        *cl.Buffer[uint32] // border pieces that lie here, as tile ranges
	pieceOut      *shard.Sums
	// of each border portion: its number, its first and end piece; nil if the host adds pieces
	borders *cl.Buffer[uint32]
	owned   []int // indices of those pieces in layout.pieces

	// Where the device decides: see ahead.go, and kernels/solvers/masw/climb.cl for the layout.
	values, born, pace, history *cl.Buffer[float64]
	chain                       *cl.Buffer[uint32]
	x0, bias0                   *shard.Reals
}

// share describes the vectors of a shard. The fields of o hold them.
func (l *layout) share(o *maswShard, sh shard.Shard) device.Share {
	o.q0, o.q1 = l.portionOfVar(sh.ReadLo), l.portionOfVar(sh.ReadHi-1)+1
	// The last tiles may have no variables of their own.
	o.q1 = max(o.q1, portionOf(l.tiling, l.portions, sh.TileHi-1)+1)
	var ranges, joined []uint32
	for i, piece := range l.pieces {
		if piece.lo >= sh.TileLo && piece.hi <= sh.TileHi {
			o.owned = append(o.owned, i)
			ranges = append(ranges, uint32(piece.lo-sh.TileLo), uint32(piece.hi-sh.TileLo))
		}
	}
	if l.joins && len(ranges) > 0 {
		for _, b := range l.border {
			joined = append(joined, uint32(b.q), uint32(b.from), uint32(b.to))
		}
	}
	all := l.all()
	points := fmt.Sprintf("%d points of %d variables in %s", all, l.tiling.N, l.prec)
	const mates, steps, borders = "mates and mutations", "steps of individuals", "portions at borders"
	const before = "points and biases before the steps that the device makes"
	decided := problems.Flag(l.ahead > 0) * all // individuals that the device decides about
	return device.Share{Precision: l.prec, Variables: sh.Vars(), Parts: o.q1 - o.q0, Vectors: []device.Vector{
		{To: &o.x, Name: "x", What: "population: " + points, Rows: all, Per: device.Variable, Kept: "population"},
		{To: &o.bias, Name: "b", What: "biases of local search: " + points, Rows: all, Per: device.Variable,
			Kept: "bias"},
		{To: &o.mate, Name: "mate", What: mates, Rows: all, Per: device.Part},
		{To: &o.mutatedVar, Name: "mutated_var", What: mates, Rows: all, Per: device.Part},
		{To: &o.mutationDelta, Name: "mutation_delta", What: mates, Rows: all, Per: device.Part},
		{To: &o.when, Name: "when", What: steps, Rows: all},
		{To: &o.move, Name: "move", What: steps, Rows: 3 * all},
		{To: &o.chosen, Name: "chosen", What: steps, Rows: 2*all + l.runs},
		{To: &o.pieces, Name: "pieces", What: borders, Rows: len(ranges), Data: ranges},
		{To: &o.pieceOut, Name: "out", What: borders, Rows: len(o.owned) * 3 * all},
		{To: &o.borders, Name: "borders", What: borders, Rows: len(joined), Data: joined},
		{To: &o.values, Name: "values", What: steps, Rows: 2 * decided},
		{To: &o.born, Name: "born", What: steps, Rows: decided},
		{To: &o.pace, Name: "pace", What: steps, Rows: 2 * decided},
		{To: &o.chain, Name: "chain", What: steps, Rows: chainNumbers * decided},
		{To: &o.history, Name: "history", What: steps, Rows: l.ahead * decided},
		{To: &o.x0, Name: "x0", What: before, Rows: decided, Per: device.Variable},
		{To: &o.bias0, Name: "b0", What: before, Rows: decided, Per: device.Variable},
	}, Values: device.Values{
		"stride": uint64(sh.Vars()), "lo": sh.ReadLo, "vars": sh.Vars(), "q0": o.q0, "seed": l.key.Seed,
		"run": l.key.Run, "individuals": all,
	}}
}
