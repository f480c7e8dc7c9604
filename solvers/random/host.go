package random

import (
	"github.com/clopt/clopt/internal/solvers/host"
	"github.com/clopt/clopt/internal/solvers/search"
	"github.com/clopt/clopt/problems"
	"github.com/clopt/clopt/problems/rng"
)

// onHost returns random search of functions of the host, with the points that devices draw.
func (r *Random) onHost(p problems.Problem) *search.Method {
	return &search.Method{Of: r.Traits(), Blind: true, Begin: func(at search.Start) search.Search {
		return &uniform{Start: at, p: p, batch: r.batch(at.Domain.N)}
	}}
}

// uniform is random search of a function of the host.
type uniform struct {
	search.Start
	p     problems.Problem
	batch int
	drawn struct{ Points int64 }
}

// Next evaluates one batch, or as much of it as fits.
func (u *uniform) Next(eval search.Eval) (more bool) {
	points := make([][]float64, max(1, min(int64(u.batch), u.Room())))
	for k := range points {
		who, when := counter(u.drawn.Points + int64(k))
		points[k] = host.Drawn(u.p, problems.FP64, u.Key, who, when, rng.Random, 0, u.Domain.N)
	}
	eval(points...)
	u.drawn.Points += int64(len(points))
	return true
}

// State points to the number of points so far.
func (u *uniform) State() any { return &u.drawn }

// Steady says that Next changes nothing before its values are known.
func (u *uniform) Steady() {}
