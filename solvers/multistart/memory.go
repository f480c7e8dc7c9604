package multistart

import (
	"fmt"

	"github.com/clopt/clopt/cl"
	"github.com/clopt/clopt/problems"
	"github.com/clopt/clopt/shard"
	"github.com/clopt/clopt/solvers/device"
)

// The numbers that a run keeps for each part, as in kernels/solvers/multistart/multistart.cl.
const (
	partWords = 11
	ownReals  = 8  // before those of the searches
	pairs     = 10 // of lbfgs
)

// partShard is the memory of a shard.
type partShard struct {
	x       *shard.Reals // the best point, the points of the episodes, and start points
	classes []classShard
}

// classShard is the memory of the parts of a class.
type classShard struct {
	words, table *cl.Buffer[uint32]
	reals        *shard.Reals
	acc          *shard.Sums
}

// reals returns how many reals a run keeps for each part of a class.
func (c class) reals() int {
	n := ownReals
	for _, s := range c.searches {
		switch s {
		case solisWets:
			n = max(n, ownReals+c.span)
		case lbfgs:
			n = max(n, ownReals+(4+2*pairs)*c.span+pairs)
		}
	}
	return n
}

// share lists the vectors of a shard, to be held by o.
func share(o *partShard, p problems.Problem, prec problems.Precision, sh shard.Shard, classes []class,
	starts int) device.Share {
	accs := p.Accumulators()
	o.classes = make([]classShard, len(classes))
	s := device.Share{Precision: prec, Variables: sh.Vars(), FirstPart: sh.TileLo, Parts: sh.Tiles()}
	s.Vectors = []device.Vector{
		{To: &o.x, Name: "x", What: fmt.Sprintf("%d points of %d variables in %s", 2+starts, sh.Vars(), prec),
			Rows: 2 + starts, Per: device.Variable, Kept: "points"},
	}
	for i, c := range classes {
		on, per := &o.classes[i], len(c.parts)
		reals := device.Vector{To: &on.reals, Name: fmt.Sprintf("reals%d", i), What: "states of searches",
			Rows: c.reals(), Wide: per, Per: device.Part}
		if c.wide {
			reals.Rows, reals.Wide = per*reals.Rows, 0
		}
		s.Vectors = append(s.Vectors, reals,
			device.Vector{To: &on.words, Name: fmt.Sprintf("words%d", i), What: "states of parts", Rows: partWords,
				Wide: per, Per: device.Part},
			device.Vector{To: &on.acc, Name: fmt.Sprintf("acc%d", i), What: "values of parts", Rows: 2 * accs,
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
func (m *Multistart) plan(p problems.Problem, prec problems.Precision, classes []class) shard.Plan {
	all := shard.Split(p.Tiling(), []int{p.Tiling().SuperTiles()}, nil)[0]
	plan := shard.Plan{Items: share(&partShard{}, p, prec, all, classes, 0).Items()}
	for range classes {
		plan.Items = append(plan.Items, device.SumsItem(p, p.Accumulators()+reported))
		plan.Items = append(plan.Items, device.TableItems(p, prec, problems.Item, 1)...)
	}
	if prec == problems.FP64 {
		plan.Ways = append(plan.Ways, "single precision (--precision fp32)")
	}
	plan.Ways = append(plan.Ways, "one search (--set search=mts)", "more devices (--devices)")
	return plan
}
