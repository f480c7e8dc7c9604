package graybox

import (
	"fmt"

	"github.com/clopt/clopt/cl"
	"github.com/clopt/clopt/problems"
	"github.com/clopt/clopt/shard"
	"github.com/clopt/clopt/solvers/device"
	"github.com/clopt/clopt/solvers/internal/memetic"
)

// partShard is the memory of one shard. The layouts are in kernels/solvers/graybox/graybox.cl.
type partShard struct {
	x, bias, pace, work, out *shard.Reals
	shape                    *shard.Reals // search=cma
	acc, childAcc            *shard.Sums
	slot, chain, now, parts  *cl.Buffer[uint32]
	mate, take               *cl.Buffer[uint32] // synchronous
}

// Checkpoints have all vectors that outlive a step: individuals, biases and the best point by variable, all others by
// part. A run that is split among devices in another way can then find its parts.

// share describes the vectors of a shard. The fields of o hold them. localY says that candidates are in local memory.
// sums is the name of the accumulators in checkpoints.
func (b partShape) share(o *partShard, prec problems.Precision, sh shard.Shard, localY bool,
	sums string) device.Share {
	table, parts := b.table(), b.count(sh.Tiles())
	points := fmt.Sprintf("population: %d points of %d variables in %s", b.stored, sh.Vars(), prec)
	shapes := fmt.Sprintf("shapes of local search: %d of a part, of up to %d variables squared", b.rows, b.span)
	states, children := fmt.Sprintf("values and states of %d parts", parts), "children of the parts"
	// Kernels take these vectors even if they do not use them.
	unused := device.Vector{What: "vectors that are not used", Rows: 1}
	bias, work, lists := unused, unused, unused
	if n := b.biases(); n > 0 {
		bias = device.Vector{What: fmt.Sprintf("biases of local search: %d of a part", n), Rows: n,
			Per: device.Variable, Kept: "bias"}
	}
	switch {
	case b.shared():
		work = device.Vector{What: "best point so far", Rows: 1, Per: device.Variable, Before: b.before,
			Kept: "point"}
	case !localY:
		work = device.Vector{What: "candidate", Rows: b.span}
	}
	if b.parts != nil {
		lists = device.Vector{What: "lists of parts", Rows: len(table)}
	}
	bias.To, bias.Name = &o.bias, "bias"
	work.To, work.Name = &o.work, "work"
	lists.To, lists.Name, lists.Data = &o.parts, "parts", table
	synchronous := 0 // individuals that have children
	if b.sync {
		synchronous = b.n
	}
	learnt := 0 // numbers per variable
	if b.offspring > 0 {
		learnt = b.rows * b.shapes()
	}
	return device.Share{Precision: prec, Variables: sh.Vars(), FirstPart: b.part(sh.TileLo), Parts: parts,
		Vectors: []device.Vector{
			{To: &o.x, Name: "x", What: points, Rows: b.stored, Per: device.Variable, Kept: "population"},
			bias,
			{To: &o.shape, Name: "shape", What: shapes, Rows: learnt, Per: device.Variable, Kept: "shape"},
			work,
			{To: &o.acc, Name: "acc", What: states, Rows: b.points * b.accs, Per: device.Part, Kept: sums},
			{To: &o.slot, Name: "slot", What: states, Rows: 2 * b.n, Per: device.Part, Kept: "slots"},
			{To: &o.chain, Name: "chain", What: states, Rows: 6 * b.rows, Per: device.Part, Kept: "chains"},
			{To: &o.pace, Name: "pace", What: states, Rows: b.paces() * b.rows, Per: device.Part, Kept: "pace"},
			{To: &o.now, Name: "now", What: states, Rows: 4, Per: device.Part, Kept: "now"},
			lists,
			{To: &o.out, Name: "out", What: "one piece of the best point", Rows: min(sh.Vars(), device.GatherVars)},
			{To: &o.mate, Name: "mate", What: children, Rows: synchronous, Per: device.Part},
			{To: &o.take, Name: "take", What: children, Rows: synchronous, Per: device.Part},
			{To: &o.childAcc, Name: "child_acc", What: children, Rows: synchronous * b.accs, Per: device.Part},
		}}
}

// leastLocal is the local memory that every device has, in bytes.
const leastLocal = 32 << 10

// plan returns the memory of a run on all of p. Whether candidates fit into local memory depends on the
// devices; the plan assumes the least that a device may have.
func (b partShape) plan(p problems.Problem, prec problems.Precision) shard.Plan {
	t := p.Tiling()
	_, with := b.local(prec, b.group(), 1)
	all := shard.Split(t, []int{t.SuperTiles()}, nil)[0]
	items := append(b.share(&partShard{}, prec, all, with <= leastLocal, "sums").Items(),
		device.SumsItem(p, b.n*b.accs))
	return shard.Plan{Items: append(items, device.TableItems(p, prec, b.form, 1)...), Ways: memetic.Ways(b.n, prec)}
}
