package cut

import (
	"github.com/clopt/clopt/problems"
	"github.com/clopt/clopt/problems/graph"
)

// NewQUBO returns the problem of f(y) = Σ a_i·y_i + Σ q_ij·y_i·y_j over y in {0, 1}^n, to be minimised, or maximised if
// maximize is set. It takes over q. Its spec cannot be parsed.
func NewQUBO(q *graph.Quadratic, maximize bool) *Cut {
	c := &Cut{spec: problems.Spec{Family: "qubo"}, n: len(q.Linear), sign: 1, factor: 1, divisor: 2}
	if maximize {
		q, c.sign = q.Negated(), -1
	}
	c.g = q.QUBO()
	return newCut(c) // y_i is 1 where i is not on the root's side, 0
}

// NewIsing returns the problem of E(s) = Σ h_i·s_i + Σ J_ij·s_i·s_j over s in {-1, 1}^n, to be minimised, or maximised
// if maximize is set; variable i is 1 where s_i is 1, and 0 where it is -1. It takes over q. Its spec cannot be parsed.
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
