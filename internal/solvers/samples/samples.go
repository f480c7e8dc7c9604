// Package samples finds the best different points of a problem of a graph, after a run that has found a good one.
//
//	samples.go   Best: which search, and what it returns
//	pool.go      the best points that were seen, at a distance of each other
//	exact.go     all points of a small problem
//	walk.go      walks between the points of larger ones
package samples

import (
	"math/big"
	"slices"

	"github.com/clopt/clopt/problems"
	"github.com/clopt/clopt/problems/rng"
)

// Wanted says which points are kept.
type Wanted struct {
	Points   int // how many; 0: none
	Distance int // in how many variables two of them differ at least; 0 and 1: they are different
}

// Sample is a point.
type Sample struct {
	X     []uint8  // 0 or 1 of each variable
	Value *big.Rat // as the problem states it, in full if it is a problems.Exact
	Count int      // how many searches ended there; 1 at least
}

// all is the largest number of variables of a problem of which all points are seen.
const all = 20

// Best returns the best points of c that are wanted, the best first, and points of the same value in the order of their
// variables. It sees all points of a problem of up to 20 variables. Otherwise it walks on from x, the best point of a
// run, with draws of the key and a number of moves that depends on the graph alone; then one of the points may be
// better than x, and there may be other points as good. Fewer are returned where there are no more.
func Best(c problems.Cut, x []float64, w Wanted, key rng.Key) []Sample {
	g, n := c.Graph(), c.Domain().N
	s := &search{graph: g, free: n, side: make([]uint8, g.N())}
	c.Side(x, s.side)
	s.begin()
	p := newPool(w, n)
	if n <= all {
		s.everything(p)
	} else {
		s.walk(p, key)
	}
	sign := c.Info().Sign()
	point := make([]float64, n)
	var found []Sample
	for _, m := range p.members {
		unpack(m.row, s.side[:n])
		c.Point(s.side, point)
		k := Sample{X: make([]uint8, n), Count: max(m.count, 1)}
		for i, v := range point {
			k.X[i] = uint8(v)
		}
		if e, ok := c.(problems.Exact); ok {
			k.Value = e.ExactValue(point)
		} else {
			k.Value = new(big.Rat).SetFloat64(sign * c.Value(m.cut))
		}
		found = append(found, k)
	}
	slices.SortStableFunc(found, func(a, b Sample) int {
		if order := a.Value.Cmp(b.Value); order != 0 {
			return int(sign) * order
		}
		return slices.Compare(a.X, b.X)
	})
	return found
}
