package problems

import "errors"

// Sum is the problem of a sum of components, made of a few facts, a device text and a reference in Go. A type that
// embeds it can say more, such as an ErrorScale.
type Sum struct {
	Name  Spec
	About Info
	Box   Domain
	Reads Structure
	// Code has the components and the objective, in all forms and precisions.
	Code Text
	// FP64 and FP32 are the Tolerance in each precision.
	FP64, FP32 float64
	// Component returns c_k. x[0] is variable number first, and x reaches at least to the last variable that component
	// k reads.
	Component func(k, first int, x []float64) float64
}

// Spec returns Name.
func (s *Sum) Spec() Spec { return s.Name }

// Info returns About.
func (s *Sum) Info() Info { return s.About }

// Domain returns Box.
func (s *Sum) Domain() Domain { return s.Box }

// Structure returns Reads.
func (s *Sum) Structure() Structure { return s.Reads }

// Tiling returns that of the structure.
func (s *Sum) Tiling() Tiling { return s.Reads.Tiling() }

// Linear returns 1.
func (s *Sum) Linear() []float64 { return []float64{1} }

// Accumulators returns 1.
func (s *Sum) Accumulators() int { return 1 }

// Objective returns the sum.
func (s *Sum) Objective(acc []float64) float64 { return acc[0] }

// Text returns Code.
func (s *Sum) Text(prec Precision, form Form) (Text, error) {
	if err := CheckText(prec, form); err != nil {
		return Text{}, err
	}
	switch {
	case s.Component == nil:
		return Text{}, errors.New("Sum.Component is nil; it returns a component on the host")
	case form == Residuals:
		return Text{}, ErrNoForm
	}
	return s.Code, nil
}

// Tolerance returns FP64 or FP32.
func (s *Sum) Tolerance(prec Precision) float64 {
	if prec == FP32 {
		return s.FP32
	}
	return s.FP64
}

// HostTile adds the components of tile t.
func (s *Sum) HostTile(t int, x, acc []float64) { AddTile(s, t, x, acc) }

// HostComponent adds component k.
func (s *Sum) HostComponent(k, first int, x, acc []float64) { acc[0] += s.Component(k, first, x) }

// ErrorScale adds nothing: no terms cancel.
func (s *Sum) ErrorScale(from, to, first int, x, acc []float64) {}

// AddTile is the HostTile that adds the components of a tile one by one, by HostComponent.
func AddTile(p Referenced, t int, x, acc []float64) {
	first, _ := p.Tiling().Reads(t)
	from, to := p.Tiling().Comps(t)
	for k := from; k < to; k++ {
		p.HostComponent(k, first, x, acc)
	}
}
