package graybox

import (
	"fmt"
	"slices"

	"github.com/clopt/clopt/cl"
	"github.com/clopt/clopt/problems"
	"github.com/clopt/clopt/shard"
	"github.com/clopt/clopt/solvers/device"
)

// The numbers that a run keeps for each part, as in kernels/solvers/graybox/worker.cl.
const (
	partWords = 11
	pairs     = 10 // of lbfgs
)

// partShard is the memory of a shard.
type partShard struct {
	x       *shard.Reals // the best points of the parts, the points of the episodes, and start points
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

// kinds returns one more than the largest number of a search of c.
func (c class) kinds() int { return int(slices.Max(c.searches)) + 1 }

// chainReals returns how many reals a chain has besides those of its variables.
func (c class) chainReals() int {
	if c.kinds() > int(lbfgs) {
		return 9
	}
	return 2
}

// own returns where the reals of the searches begin in those of a part.
func (c class) own() int {
	n := 3 + 1 + c.chainReals() + 1
	if len(c.searches) > 1 {
		n += 3*c.kinds() - 1
	}
	if c.open {
		n += 2 + c.span
	}
	return n
}

// words returns how many words a run keeps for a part.
func (c class) words() int { return partWords + problems.Flag(c.open) }

// reals returns how many reals a run keeps for a part of n variables.
func (c class) reals(n int) int {
	most := 0
	for _, s := range c.searches {
		switch s {
		case solisWets:
			most = max(most, n)
		case lbfgs:
			if c.dense() {
				most = max(most, (5+n+2)*n)
			} else {
				most = max(most, (5+2*pairs)*n+pairs)
			}
		case cma:
			most = max(most, (2*n+12)*n+2*c.offspring())
		case axes:
			most = max(most, (n+2)*n)
		}
	}
	return c.own() + most
}

// tileReals returns how many reals a run keeps for all parts of a tile, or for each part if they are thin.
func (c class) tileReals() int {
	if !c.wide {
		return c.reals(c.span)
	}
	n := 0
	for _, part := range c.parts {
		n += c.reals(len(part.Vars))
	}
	return n
}

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

// plan returns the memory of a run on all of p.
func (m *Graybox) plan(p problems.Problem, prec problems.Precision, classes []class) shard.Plan {
	all := shard.Split(p.Tiling(), []int{p.Tiling().SuperTiles()}, []int{m.waves(p, classes)})[0] // the largest wave
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
