package solvers

import (
	"context"

	"github.com/clopt/clopt/problems/draw"
	"github.com/clopt/clopt/problems/graph"
)

// polish is what new individuals go through before they are evaluated.
type polish struct {
	anneal *annealer // nil: nothing
	plan   cooling
}

func newPolish(m *GOMEA, g *graph.Graph, key draw.Key) (p polish) {
	return p
}

func (p *polish) edges() int64 { return 0 }

func (p *polish) values() int64 { return 0 }

func (p *polish) row(ctx context.Context, q *population, i int) error {
	return ctx.Err()
}

type annealer struct{}
type cooling struct{}
