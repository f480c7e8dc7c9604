package lm

import (
	"math"
	"slices"

	"github.com/clopt/clopt/problems"
)

// sorted sorts a list of variables and drops those that are in it twice.
func sorted(list []int) []int {
	slices.Sort(list)
	return slices.Compact(list)
}

// dot returns the inner product of two vectors of one length, as four sums of every fourth product.
func dot(a, b []float64) float64 {
	b = b[:len(a)]
	var s0, s1, s2, s3 float64
	i := 0
	for ; i+4 <= len(a); i += 4 {
		s0 += a[i] * b[i]
		s1 += a[i+1] * b[i+1]
		s2 += a[i+2] * b[i+2]
		s3 += a[i+3] * b[i+3]
	}
	for ; i < len(a); i++ {
		s0 += a[i] * b[i]
	}
	return (s0 + s1) + (s2 + s3)
}

// order is an order of the variables in which those that components have in common are near each other, and the
// envelope of JᵀJ in it: row i has numbers from column first[i] to the diagonal only.
type order struct {
	place []int // of each variable
	first []int // by place
}

// newOrder visits the variables breadth-first, from the last variable of a first visit (Cuthill and McKee 1969; George
// and Liu 1979 for the start). Every connected part of the problem is a range of places.
func newOrder(s problems.Structure) *order {
	n := s.Variables()
	o := &order{place: make([]int, n), first: make([]int, n)}
	v := &visit{s: s, round: make([]int, n), opened: make([]int, s.Components())}
	end := 0
	for i := range n {
		if v.round[i] > 0 { // it belongs to a part that is done
			continue
		}
		all := v.from(i)
		all = v.from(all[len(all)-1])
		for _, i := range all {
			o.place[i] = end
			end++
		}
	}
	for i := range n {
		o.first[i] = i
	}
	var reads []int
	for k := range s.Components() {
		reads = s.Reads(k, reads[:0])
		low := n
		for _, i := range reads {
			low = min(low, o.place[i])
		}
		for _, i := range reads {
			o.first[o.place[i]] = min(o.first[o.place[i]], low)
		}
	}
	return o
}

// visit visits variables through the components that read them.
type visit struct {
	s      problems.Structure
	rounds int
	round  []int // in which a variable was visited last; 0: never
	opened []int // in which the variables of a component were visited last
}

// from returns the variables that are connected with variable i, in the order of the visit.
func (v *visit) from(i int) []int {
	v.rounds++
	v.round[i] = v.rounds
	all := []int{i}
	var comps, reads []int
	for at := 0; at < len(all); at++ {
		comps = v.s.ComponentsOf(all[at], comps[:0])
		for _, k := range comps {
			if v.opened[k] == v.rounds {
				continue
			}
			v.opened[k] = v.rounds
			reads = v.s.Reads(k, reads[:0])
			for _, h := range reads {
				if v.round[h] < v.rounds {
					v.round[h] = v.rounds
					all = append(all, h)
				}
			}
		}
	}
	return all
}

// cells returns the number of cells of the envelope.
func (o *order) cells() (n int) {
	for i, first := range o.first {
		n += i - first + 1
	}
	return n
}

// matrix is a symmetric matrix, or its Cholesky factor, within an envelope.
type matrix struct {
	*order
	rows [][]float64 // row i has the columns first[i] to i
}

func (o *order) matrix() *matrix {
	a := &matrix{order: o, rows: make([][]float64, len(o.first))}
	cells := make([]float64, o.cells())
	for i, first := range o.first {
		n := i - first + 1
		a.rows[i], cells = cells[:n:n], cells[n:]
	}
	return a
}

func (a *matrix) clear() {
	for _, row := range a.rows {
		clear(row)
	}
}

// add adds v to the cell of variables i and h.
func (a *matrix) add(i, h int, v float64) {
	i, h = a.place[i], a.place[h]
	i, h = max(i, h), min(i, h)
	a.rows[i][h-a.first[i]] += v
}

// factor sets a to the Cholesky factor of b + λ diag b, and reports whether that is positive.
func (a *matrix) factor(b *matrix, lambda float64) bool {
	for i, row := range a.rows {
		copy(row, b.rows[i])
		last := len(row) - 1
		if row[last] = row[last] * (1 + lambda); row[last] == 0 {
			row[last] = 1 // nothing depends on the variable
		}
		for c := range row {
			j := a.first[i] + c
			from := max(a.first[i], a.first[j])
			other := a.rows[j][from-a.first[j]:]
			row[c] -= dot(row[from-a.first[i]:c], other[:j-from])
			if j < i {
				row[c] /= other[j-from]
			}
		}
		if !(row[last] > 0) || math.IsInf(row[last], 0) {
			return false
		}
		row[last] = math.Sqrt(row[last])
	}
	return true
}

// solve sets d to the solution of a aᵀ d = -g, for the factor a. d and g are by variable.
func (a *matrix) solve(g, d []float64) {
	x := make([]float64, len(g))
	for i, at := range a.place {
		x[at] = -g[i]
	}
	for i, row := range a.rows {
		last := len(row) - 1
		x[i] = (x[i] - dot(row[:last], x[a.first[i]:i])) / row[last]
	}
	for i, row := range slices.Backward(a.rows) {
		last := len(row) - 1
		x[i] /= row[last]
		for c, v := range row[:last] {
			x[a.first[i]+c] -= v * x[i]
		}
	}
	for i, at := range a.place {
		d[i] = x[at]
	}
}
