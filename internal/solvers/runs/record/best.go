package record

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"math/big"

	"github.com/clopt/clopt/internal/clc/smooth"
	"github.com/clopt/clopt/internal/solvers/runs/exact"
	"github.com/clopt/clopt/problems"
	"github.com/clopt/clopt/solvers"
)

// Best is the best point of a run and its value.
type Best struct {
	F         exact.Number `json:"f"`
	FHost     exact.Number `json:"f_host"`
	Confirmed bool         `json:"confirmed"`
	Confirmer string       `json:"confirmer"`
	WhyDevice string       `json:"why_device,omitempty"` // why the host did not confirm it by the text
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
	// Assignment has the value of each variable if they have names and there are at most MostNamed, in their order.
	Assignment Assignment `json:"assignment,omitempty"`
	Broken     []string   `json:"broken,omitempty"` // which constraints the point breaks
	// SamplesFile has the best different points, and Kept what they are worth; nil: nobody asked for them.
	SamplesFile *string `json:"samples_file,omitempty"`
	Kept        *Kept   `json:"kept,omitempty"`
	Sums        []Sum   `json:"sums,omitempty"` // those with a label
	// Rounding is the size of rounding errors in F where F is not larger, so that its digits and sign mean nothing.
	Rounding exact.Number `json:"rounding,omitempty"`
	// Slope is the norm of the gradient, without variables that are held by their bounds; nil if it is not known.
	// Converged says that the function is smooth, and that a descent ended there since its value falls no more, or that
	// the limit of the slope was met.
	Slope     *exact.Number `json:"slope,omitempty"`
	Converged bool          `json:"converged,omitempty"`
	// Kinks has the first places of the text where the function has kinks, and Steps those where it may jump.
	Kinks   []string `json:"kinks,omitempty"`
	Steps   []string `json:"steps,omitempty"`
	Sampled *Sampled `json:"sampled,omitempty"` // nil: F was compared with no uniform points
	Notes   []string `json:"notes,omitempty"`   // what to know about the value
	// Digits and KnownDigits are F, which is FHost then, and Known in full where they are whole numbers with more
	// digits than float64 may hold, and else "". The JSON has them in place of the numbers.
	Digits      string `json:"-"`
	KnownDigits string `json:"-"`
}

// Sampled is what uniform points were worth that were drawn after the run to compare its value with them.
type Sampled struct {
	Points int          `json:"points"`
	Best   exact.Number `json:"best"`
	Better bool         `json:"better"` // Best is better than the value of the run
}

// Optimal reports whether it is proven that no value is better.
func (b Best) Optimal() bool { return b.Proven && b.Error != nil && *b.Error <= 0 }

// Value returns F as a text that has all its digits.
func (b Best) Value() string { return cmp.Or(b.Digits, exact.Format(float64(b.F))) }

// BestKnown returns Known as such a text.
func (b Best) BestKnown() string { return cmp.Or(b.KnownDigits, exact.Format(float64(*b.Known))) }

// plain is a Best without methods.
type plain Best

// MarshalJSON writes the digits of numbers that have them.
func (b Best) MarshalJSON() ([]byte, error) {
	if b.Digits == "" && b.KnownDigits == "" {
		return json.Marshal(plain(b))
	}
	number := func(digits string, n exact.Number) json.RawMessage {
		if text, err := n.MarshalJSON(); digits == "" && err == nil {
			return text
		}
		return json.RawMessage(digits)
	}
	text := struct {
		F     json.RawMessage `json:"f"`
		FHost json.RawMessage `json:"f_host"`
		Known json.RawMessage `json:"best_known,omitempty"`
		plain
	}{number(b.Digits, b.F), number(b.Digits, b.FHost), nil, plain(b)}
	if b.Known != nil {
		text.Known = number(b.KnownDigits, *b.Known)
	}
	return json.Marshal(text)
}

// UnmarshalJSON reads what MarshalJSON writes.
func (b *Best) UnmarshalJSON(text []byte) error {
	var digits struct {
		F     json.Number `json:"f"`
		Known json.Number `json:"best_known"`
	}
	if err := errors.Join(json.Unmarshal(text, (*plain)(b)), json.Unmarshal(text, &digits)); err != nil {
		return err
	}
	whole := func(n json.Number) string {
		if v, ok := new(big.Int).SetString(n.String(), 10); ok && v.BitLen() > 53 {
			return n.String()
		}
		return ""
	}
	b.Digits, b.KnownDigits = whole(digits.F), whole(digits.Known)
	return nil
}

// ByFunction is the Confirmer of a function of the host, which was called again.
const ByFunction = "function"

// Sum is a sum of an objective at the best point.
type Sum struct {
	Sum   string       `json:"sum"` // s0, s1, …
	Label string       `json:"label"`
	Value exact.Number `json:"value"`
}

// mostPlaces is the number of kinks and of steps that a result lists.
const mostPlaces = 4

// places returns the first places of kinks or steps.
func places(causes []smooth.Cause, files []string) []string {
	words := smooth.InWords(causes, files)
	return words[:min(len(words), mostPlaces)]
}

// BestOf returns the best point of a run of p, without its files.
func BestOf(p problems.Problem, res *solvers.Result) Best {
	info := p.Info()
	sign := info.Sign()
	b := Best{
		F: exact.Number(sign * res.F), FHost: exact.Number(sign * res.HostF), Confirmed: res.Confirmed,
		Confirmer: res.Confirmer, WhyDevice: res.WhyDevice,
		Tolerance: exact.Number(res.Tolerance), Rounding: exact.Number(res.Rounding), Broken: res.Broken,
	}
	c, _ := problems.ClassOf(p)
	if s := res.Slope; s.Known {
		b.Slope = new(exact.Number(s.Norm))
		b.Converged = res.Converged
	}
	b.Kinks, b.Steps = places(c.Kinks, info.Files), places(c.Steps, info.Files)
	if res.Differences {
		b.Notes = append(b.Notes, "gradients were differences, since those that follow from the text did not agree "+
			"with values of the device")
	}
	if res.X != nil && res.HostF == res.F {
		b.Digits = problems.Digits(p, res.X, sign*res.F)
	}
	if res.Lost != "" {
		b.Notes = append(b.Notes, fmt.Sprintf("the value is 0 because %s is out of the range of float64 there, so "+
			"points cannot be told apart; let f be the logarithm of what it is, or scale it", res.Lost))
	}
	if res.Endless != "" {
		b.Notes = append(b.Notes, res.Endless+". Keep variables away from there with their bounds, guard the "+
			"formula, as in log(max(x, 1e-300)), or look at the sign of what is minimized")
	}
	if s := res.Sampled; s.Points > 0 {
		b.Sampled = &Sampled{s.Points, exact.Number(sign * s.Best), s.Better}
	}
	if known, ok := info.BestKnown(); ok {
		b.Known, b.Error = new(exact.Number(sign*known)), new(exact.Number(res.Again-known))
		b.Proven = info.Proven
		if x, ok := info.Optimum(); ok {
			b.KnownDigits = problems.Digits(p, x, sign*known)
			if e, ok := problems.Excess(p, res.X, x); ok && res.HostF == res.F {
				b.Error = new(exact.Number(e))
			}
		}
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
