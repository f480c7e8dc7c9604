package record

import (
	"fmt"

	"github.com/clopt/clopt/problems"
	"github.com/clopt/clopt/solvers"
	"github.com/clopt/clopt/solvers/runs/exact"
)

// Best is the best point of a run and its value.
type Best struct {
	F         exact.Number `json:"f"`
	FHost     exact.Number `json:"f_host"`
	Confirmed bool         `json:"confirmed"`
	Confirmer string       `json:"confirmer"`
	Tolerance exact.Number `json:"tolerance"`
	// Known is the best known value, Error the difference of the value to it, and Location the distance of the point to
	// the nearest optimal point. They are nil if they are unknown.
	Known    *exact.Number `json:"best_known,omitempty"`
	Error    *exact.Number `json:"error,omitempty"`
	Proven   bool          `json:"proven,omitempty"` // no value is better than Known
	Location *exact.Number `json:"location_error,omitempty"`
	XFile    *string       `json:"x_file"`
	XSHA256  *string       `json:"x_sha256"`
	SolFile  *string       `json:"sol_file,omitempty"` // the point as text, for variables that are 0 or 1
	Sums     []Sum         `json:"sums,omitempty"`     // those with a label
	// Rounding is the size of rounding errors in F where F is not larger, so that its digits and sign mean nothing.
	Rounding exact.Number `json:"rounding,omitempty"`
	Sampled  *Sampled     `json:"sampled,omitempty"` // nil: F was compared with no uniform points
}

// Sampled is what uniform points were worth that were drawn after the run to compare its value with them.
type Sampled struct {
	Points int          `json:"points"`
	Best   exact.Number `json:"best"`
	Better bool         `json:"better"` // Best is better than the value of the run
}

// Optimal reports whether it is proven that no value is better.
func (b Best) Optimal() bool { return b.Proven && b.Error != nil && *b.Error <= 0 }

// Sum is a sum of an objective at the best point.
type Sum struct {
	Sum   string       `json:"sum"` // s0, s1, …
	Label string       `json:"label"`
	Value exact.Number `json:"value"`
}

// BestOf returns the best point of a run of p, without its files.
func BestOf(p problems.Problem, res *solvers.Result) Best {
	info := p.Info()
	sign := info.Sign()
	b := Best{
		F: exact.Number(sign * res.F), FHost: exact.Number(sign * res.HostF), Confirmed: res.Confirmed,
		Confirmer: res.Confirmer, Tolerance: exact.Number(res.Tolerance), Rounding: exact.Number(res.Rounding),
	}
	if s := res.Sampled; s.Points > 0 {
		b.Sampled = &Sampled{s.Points, exact.Number(sign * s.Best), s.Better}
	}
	if known, ok := info.BestKnown(); ok {
		b.Known, b.Error = new(exact.Number(sign*known)), new(exact.Number(res.Again-known))
		b.Proven = info.Proven
	}
	if res.X != nil { // it is in memory
		if e, known := info.LocationError(res.X); known {
			b.Location = new(exact.Number(e))
		}
	}
	for j, label := range info.Sums {
		if label != "" && j < len(res.Sums) {
			b.Sums = append(b.Sums, Sum{fmt.Sprintf("s%d", j), label, exact.Number(res.Sums[j])})
		}
	}
	return b
}
