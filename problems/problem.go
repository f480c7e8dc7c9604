package problems

import (
	"math"

	"github.com/clopt/clopt/problems/graph"
)

// Problem is an objective f(x) = g(a), a_j = Σ_k c_kj(x), to be minimized over a box. The components c_k are device
// text; g runs on the host. A Problem is immutable and safe for concurrent use. Slices that its methods return belong
// to it: the caller must not change them.
type Problem interface {
	// Spec names the problem. catalog.Parse reads its String back.
	Spec() Spec
	// Info returns facts that are known about the problem, such as its optimum.
	Info() Info
	// Domain returns the set of points.
	Domain() Domain
	// Structure returns which variables each component reads and what it costs. It is Everything if nothing is known.
	// Its numbers of variables and components are those of Tiling.
	Structure() Structure
	// Linear returns c if f = constant + Σ_a c_a·acc_a, and nil if f does not have this form. If f has it, components
	// that share no variables can be minimized separately.
	Linear() []float64
	// Tiling divides variables and components into tiles.
	Tiling() Tiling
	// Accumulators is the length of a, at least 1.
	Accumulators() int
	// Objective returns g(acc), the value to be minimized. It does not keep or change acc, whose length is
	// Accumulators(). The result may be NaN or infinite.
	Objective(acc []float64) float64
	// Text returns the device text of the components in a form. The error is ErrNoForm where the problem does not have
	// the form, and a *PrecisionError where it cannot be evaluated in the precision.
	Text(Precision, Form) (Text, error)
	// Tolerance returns the relative difference up to which a device value of a precision agrees with the host
	// reference.
	Tolerance(Precision) float64
}

// Referenced is a Problem with an independent host reference in float64 Go.
// Built-in problems have one; a user's device text has none.
type Referenced interface {
	Problem
	// HostTile adds the components of tile t to acc[0:Accumulators()]. x holds the variables Tiling().Reads(t) in
	// order.
	HostTile(t int, x, acc []float64)
	// HostComponent adds c_k to acc[0:Accumulators()]. x[0] is variable number first, and x reaches at least to the
	// last variable that component k reads.
	HostComponent(k, first int, x, acc []float64)
	// ErrorScale is for sums to which Tolerance is not relative, for example because their terms cancel. It adds to
	// acc, for each accumulator, the size to which Tolerance is relative in the sum of the components [from, to). For
	// other sums it adds nothing. The components belong to one tile; x and first are as in HostComponent.
	ErrorScale(from, to, first int, x, acc []float64)
}

// Cut is a problem of variables 0 and 1 that is stated as a maximum cut. The first Domain().N vertices of its graph are
// the variables. QUBO and Ising problems have one more vertex, the root; its edges are their linear terms.
type Cut interface {
	Referenced
	// Graph returns the graph. A method may put the root on either side.
	Graph() *graph.Graph
	// Value returns the value to be minimized for a cut in units of the graph. It falls as the cut grows, and is the
	// float64 nearest to the exact value while the cut is below 2^53 units. Objective and the devices give the same
	// value for a point of that cut.
	Value(cut int64) float64
	// Point writes the point of a partition to x. side has Graph().N() elements, each 0 or 1, and x has Domain().N.
	Point(side []uint8, x []float64)
	// Side writes the partition of a point to side. Point is its inverse.
	Side(x []float64, side []uint8)
	// Refuses returns the error of Text for a precision without making the tables.
	Refuses(Precision) error
}

// Info holds facts about a problem, such as its best known value. A zero field means that nothing is known.
type Info struct {
	Title string // a name in words
	// Best is the smallest known value, or nil if no value is known. For a problem that is maximised it is the largest
	// known value, negated.
	Best *float64
	// Proven is true if no point has a smaller value than Best. A run that has found Best then ends, unless other
	// values may have the same float64.
	Proven bool
	// Optima returns points with the value Best, each of Domain().N numbers. The caller owns them. It is nil if no such
	// point is known.
	Optima func() [][]float64
	// Complete is true if Optima returns all global minimizers.
	Complete bool
	// Maximize is true if the problem was stated as a maximization. This library always minimizes, so values are
	// multiplied by Sign before they are shown to a person.
	Maximize bool
	// Target is a value that is good enough, or nil if there is none; negated for a problem that is maximized.
	Target *float64
	Sums   []string // what each accumulator is, in words; nil, or "" for one of them: unknown
	// Inferred is true if the Structure was found in the text; else NotInferred says why it could not be, if nothing is
	// declared.
	Inferred    bool
	NotInferred string
	// TextReads returns the Structure that the text has, and whether that is known. It is nil if clopt reads no text.
	TextReads func() (s Structure, ok bool)
	Notes     []string // remarks on parts of the files that the problem does not use
	// Warnings are places of a text that most likely means something else, as "FILE:LINE:COL: warning: …".
	Warnings []string
	// Milestones are the numbers of evaluations at which the benchmark of the
	// problem compares results, in increasing order.
	Milestones []int64
	Data       string   // where instance data come from: "official" or "generated"; see DataInWords
	Files      []string // that the problem was read from, the main one first
}

// Sign returns -1 for a problem that was stated as a maximization, and 1 for others.
func (i Info) Sign() float64 {
	if i.Maximize {
		return -1
	}
	return 1
}

// forget drops what is known about the smallest value.
func (i *Info) forget() {
	i.Best = nil
	i.Proven = false
	i.Optima = nil
	i.Complete = false
}

// BestKnown returns the smallest value known, and whether there is one.
func (i Info) BestKnown() (f float64, ok bool) {
	if i.Best == nil {
		return 0, false
	}
	return *i.Best, true
}

// Optimum returns a point of the value Best, and whether one is known. The caller owns the point.
func (i Info) Optimum() (x []float64, ok bool) {
	if i.Optima == nil {
		return nil, false
	}
	all := i.Optima()
	if len(all) == 0 {
		return nil, false
	}
	return all[0], true
}

// LocationError returns how far x is from the nearest global minimizer x*: the distance divided by |x*|, or the
// distance itself if x* is 0. ok is false unless all minimizers are known.
func (i Info) LocationError(x []float64) (e float64, ok bool) {
	if !i.Complete || i.Optima == nil {
		return 0, false
	}
	e = math.Inf(1)
	for _, at := range i.Optima() {
		distance, size := 0.0, 0.0
		for i, v := range at {
			distance = math.Hypot(distance, x[i]-v)
			size = math.Hypot(size, v)
		}
		if size > 0 {
			distance /= size
		}
		e = min(e, distance)
	}
	return e, !math.IsInf(e, 1)
}

// SourceOf returns the name of p for error messages: the file that it was read from, or its spec if there is no file.
func SourceOf(p Problem) string {
	if files := p.Info().Files; len(files) > 0 {
		return files[0]
	}
	return p.Spec().String()
}

// DataInWords returns the source of instance data for a reader, "" for a problem without such data.
func DataInWords(source string) string {
	switch source {
	case "":
		return ""
	case "generated":
		return "generated data, not the official instance"
	}
	return source + " data"
}
