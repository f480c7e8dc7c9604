package graybox

import (
	"cmp"
	"fmt"

	"github.com/clopt/clopt/cl"
	"github.com/clopt/clopt/problems"
	"github.com/clopt/clopt/shard"
	"github.com/clopt/clopt/solvers/device"
)

// partShard is the memory of a shard.
type partShard struct {
	x       *shard.Reals // the best points of the parts, the points of the restarts, and start points
	kept    *shard.Reals // the best point, if the objective is not linear in its sums; nil: the first row of x
	coefs   *cl.Buffer[uint64]
	classes []classShard
}

// classShard is the memory of the parts of a class.
type classShard struct {
	words, table *cl.Buffer[uint32]
	reals        *shard.Reals
	acc          *shard.Sums
}

// points is the name of the vector of a block whose columns are variables. Those of the others are tiles.
const points = "points"

// before returns how many variables before those of a shard its parts read.
func before(p problems.Problem) int {
	if _, from, to, ok := p.Structure().Window(); ok && p.Tiling().Halo > 0 {
		return to - from
	}
	return 0
}

// share lists the vectors of a shard, to be held by o.
func share(o *partShard, p problems.Problem, prec problems.Precision, sh shard.Shard, classes []class,
	starts int) device.Share {
	accs := p.Accumulators()
	o.classes = make([]classShard, len(classes))
	s := device.Share{Precision: prec, Variables: sh.Vars(), FirstPart: sh.TileLo, Parts: sh.Tiles()}
	s.Vectors = []device.Vector{
		{To: &o.x, Name: "x", What: fmt.Sprintf("%d points of %d variables in %s", 2+starts, sh.Vars(), prec),
			Rows: 2 + starts, Per: device.Variable, Before: before(p), Kept: points},
		{To: &o.kept, Name: "kept", What: "the best point", Rows: problems.Flag(p.Linear() == nil),
			Per: device.Variable, Kept: "best"},
		{To: &o.coefs, Name: "coefs", What: "coefficients of the sums", Rows: accs},
	}
	for i, c := range classes {
		on, per := &o.classes[i], len(c.parts)
		reals := device.Vector{To: &on.reals, Name: fmt.Sprintf("reals%d", i), What: "states of searches",
			Rows: c.tileReals(), Wide: per, Per: device.Part}
		if c.wide {
			reals.Wide = 0
		}
		s.Vectors = append(s.Vectors, reals,
			device.Vector{To: &on.words, Name: fmt.Sprintf("words%d", i), What: "states of parts", Rows: c.words(),
				Wide: per, Per: device.Part},
			device.Vector{To: &on.acc, Name: fmt.Sprintf("acc%d", i), What: "values of parts", Rows: 2 * partSums(p),
				Wide: per, Per: device.Part},
			device.Vector{To: &on.table, Name: fmt.Sprintf("table%d", i), What: "lists of parts",
				Data: c.table(p.Tiling().TileVars), Rows: len(c.table(p.Tiling().TileVars))})
	}
	for i := range s.Vectors[1:] {
		if v := &s.Vectors[1+i]; v.Per == device.Part {
			v.Kept = v.Name
		}
	}
	return s
}

// blockVars is the number of variables of a block, about.
const blockVars = 1 << 24

// blocks returns the number of blocks of a problem. There is one if the objective is not linear in its sums, or if
// parts have components in common.
func (m *Graybox) blocks(p problems.Problem, classes []class) int {
	t, size := p.Tiling(), cmp.Or(m.block, blockVars)
	if p.Linear() == nil || classes[0].open {
		return 1
	}
	return min(max(1, (t.N+size/2)/size), t.SuperTiles())
}

// reported is the number of sums that graybox_report makes besides the accumulators: states of the parts, and the work
// and the gain of each search.
const (
	states   = 5
	reported = states + 2*len(names)
)

// plan returns the memory of a run on all of p.
func (m *Graybox) plan(p problems.Problem, prec problems.Precision, classes []class) shard.Plan {
	all := shard.Split(p.Tiling(), []int{p.Tiling().SuperTiles()}, []int{m.blocks(p, classes)})[0] // the largest block
	plan := shard.Plan{Items: share(&partShard{}, p, prec, all, classes, 0).Items()}
	for range classes {
		plan.Items = append(plan.Items, device.SumsItem(p, p.Accumulators()+reported))
		plan.Items = append(plan.Items, device.TableItems(p, prec, problems.Item, 1)...)
	}
	if classes[0].open { // for the value of the best point
		plan.Items = append(plan.Items, device.SumsItem(p, p.Accumulators()))
		plan.Items = append(plan.Items, device.TableItems(p, prec, problems.Tile, 1)...)
	}
	return plan
}
