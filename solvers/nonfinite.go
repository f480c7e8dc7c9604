package solvers

import (
	"context"
	"fmt"

	"github.com/clopt/clopt/internal/shard/trial"
	"github.com/clopt/clopt/internal/solvers/host"
	"github.com/clopt/clopt/internal/solvers/judge"
	"github.com/clopt/clopt/problems"
	"github.com/clopt/clopt/shard"
)

// NonFiniteError means that a run has found no finite value of the objective.
type NonFiniteError struct {
	Evaluations int64
	// At says which components are not finite at the start point that has the fewest of them; its All is 0 where that
	// is not known.
	At trial.Terms
	// Lost is the part of the formula of the objective that is beyond float64 there; "" if none is known.
	Lost string
}

func (e *NonFiniteError) Error() string {
	where := ""
	switch {
	case e.At.Odd > 0:
		where = fmt.Sprintf("; at the best start point %v", e.At)
	case e.At.All > 0:
		where = "; at the best start point all components are finite, and the value that is made of their sums is not"
		if e.Lost != "" {
			where += ", because " + e.Lost + " is out of the range of float64: let f be the logarithm of what it is"
		}
	}
	return fmt.Sprintf("the objective gave no finite value in %d evaluations%s; check its domain and the bounds, or "+
		"give a point at which it is finite (--x0)", e.Evaluations, where)
}

// A run ends after so many steps, and so many evaluations since one more part has had a finite value, if no point has
// had one.
const (
	stepsBeforeNonFinite  = 3
	pointsBeforeNonFinite = 1000
)

// hopeless reports whether a run that has found no finite value has made enough steps, and enough evaluations since it
// has found one for a part more.
func (l *loop) hopeless() bool {
	if n := l.run.Info().Finite; n > l.finite {
		l.finite, l.grew = n, l.last.Evaluations
	}
	return l.last.Step >= stepsBeforeNonFinite && l.last.Evaluations-l.grew >= pointsBeforeNonFinite
}

const mostDrawn = 8 // start points of which the best one is looked for

// nonFinite returns the error of a run that has found no finite value.
func (l *loop) nonFinite() error {
	e := &NonFiniteError{Evaluations: l.last.Evaluations}
	if l.g.Shared() || problems.CallOf(l.p) != nil || l.p.Tiling().M > judge.MostTerms || l.p.Domain().Binary {
		return e
	}
	starts, d := l.s.X0, l.p.Domain()
	if len(starts) == 0 {
		for k := range mostDrawn {
			x := make([]float64, d.N)
			host.Uniform(d, l.s.Key, k, x)
			starts = append(starts, d.Stored(l.s.Precision, 0, x))
		}
	}
	for _, x := range starts[:min(len(starts), mostDrawn)] {
		at, err := terms(l.g, l.p, l.s.Precision, x)
		if err != nil {
			return e // it is no reason to hide what was found
		}
		if e.At.All == 0 || at.Odd < e.At.Odd {
			e.At = at
		}
	}
	if e.At.All > 0 && e.At.Odd == 0 {
		e.Lost = problems.LostOf(l.p, e.At.Sums)
	}
	return e
}

// terms returns what the components of p add at x. Its Sums are nil if p has neither a host reference nor an item form.
func terms(g *shard.Devices, p problems.Problem, prec problems.Precision, x []float64) (trial.Terms, error) {
	if h, ok := p.(problems.Referenced); ok {
		return trial.TermsOf(h, x), nil
	}
	return trial.TermsAt(context.Background(), g, p, prec, x)
}
