package cut

import (
	"github.com/clopt/clopt/problems"
	"github.com/clopt/clopt/problems/graph"
)

// NewQUBO is f(y) = Σ a_i·y_i + Σ q_ij·y_i·y_j over y in {0, 1}^n, minimised, or
// maximised if maximize. q is used up. Its spec cannot be parsed.
func NewQUBO(q *graph.Quadratic, maximize bool) *Cut {
	c := &Cut{spec: problems.Spec{Family: "qubo"}, n: len(q.Linear), sign: 1, factor: 1, divisor: 2}
	if maximize {
		q, c.sign = q.Negated(), -1
	}
	c.g = q.QUBO()
	return newCut(c) // y_i is 1 where i is not on the root's side, 0
}

// NewIsing is E(s) = Σ h_i·s_i + Σ J_ij·s_i·s_j over s in {-1, 1}^n, minimised, or
// maximised if maximize; variable i is 1 where s_i is. q is used up. Its spec
// cannot be parsed.
func NewIsing(q *graph.Quadratic, maximize bool) *Cut {
	c := &Cut{spec: problems.Spec{Family: "ising"}, n: len(q.Linear), sign: 1, factor: 2, root: noRoot}
	if maximize {
		q, c.sign = q.Negated(), -1
	}
	c.g, c.constant = q.Ising()
	if c.g.N() > c.n {
		c.root = 1
	}
	return newCut(c)
}
