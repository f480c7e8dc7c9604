package lbfgs

import (
	"fmt"

	"github.com/clopt/clopt/problems"
	"github.com/clopt/clopt/shard"
	"github.com/clopt/clopt/solvers/device"
)

// vectors are those of a shard, as kernels/solvers/lbfgs/lbfgs.cl describes them.
type vectors struct {
	x, y, best, current, gradient, direction, pairs *shard.Reals
	slope                                           *shard.Reals // of the accumulators
	weights                                         *shard.Reals // of the rows of pairs, and the gradient
	parts, tape                                     *shard.Reals // of exact gradients, see adjoint
	kinks                                           *shard.Reals // widths and multipliers, see rounding
}

// share lists the vectors of a shard that stores n variables, to be held by o.
func (m *LBFGS) share(o *vectors, p problems.Problem, prec problems.Precision, n int) device.Share {
	point, skip := fmt.Sprintf("points of %d variables", n), before(p.Structure())
	return device.Share{Precision: prec, Variables: n, Vectors: []device.Vector{
		{To: &o.x, Name: "x", What: point, Rows: 1, Per: device.Variable, Before: skip, Kept: "point"},
		{To: &o.y, Name: "y", What: point, Rows: 1, Per: device.Variable, Before: skip},
		{To: &o.best, Name: "best", What: point, Rows: 1, Per: device.Variable, Kept: "best"},
		{To: &o.current, Name: "current", What: point, Rows: 1, Per: device.Variable, Kept: "current"},
		{To: &o.gradient, Name: "gradient", What: "gradient and direction", Rows: 1, Per: device.Variable,
			Kept: "gradient"},
		{To: &o.direction, Name: "direction", What: "gradient and direction", Rows: 1, Per: device.Variable},
		{To: &o.pairs, Name: "pairs", What: "changes of the point and the gradient", Rows: 2 * m.rows(),
			Per: device.Variable, Kept: "pairs"},
		{To: &o.slope, Name: "slope", What: "weights of sums", Rows: p.Accumulators()},
		{To: &o.weights, Name: "weights", What: "weights of sums", Rows: 2*m.rows() + 1},
	}}
}

// Plan returns the vectors of a run, and the tables of both programs.
func (m *LBFGS) Plan(p problems.Problem, prec problems.Precision) shard.Plan {
	if problems.CallOf(p) != nil {
		return shard.Plan{}
	}
	share := m.share(&vectors{}, p, prec, p.Domain().N)
	exact := adjointOf(p, prec)
	share.Parts = p.Structure().Components()
	share.Vectors = append(share.Vectors, exact.vectors(&vectors{}, p, p.Domain().N, nil)...)
	plan := shard.Plan{Items: share.Items()}
	plan.Items = append(plan.Items, device.TableItems(p, prec, problems.Tile, 1)...)
	plan.Items = append(plan.Items, device.TouchItems(p, prec, problems.Item)...)
	plan.Items = append(plan.Items, exact.tableItems(p.Structure())...)
	if exact != nil && exact.rounded != nil {
		plan.Items = append(plan.Items, device.SumsItem(p, max(2, p.Accumulators())))
	}
	plan.Items = append(plan.Items, device.SumsItem(p, p.Accumulators()), device.SumsItem(p, dots*m.rows()+1))
	return plan
}
