package lm

import (
	"math"
	"slices"
)

// sorted sorts a list of variables and drops those that are in it twice.
func sorted(list []int) []int {
	slices.Sort(list)
	return slices.Compact(list)
}

// dot returns the inner product of a and the beginning of b, as four sums of every fourth product.
func dot(a, b []float64) float64 {
	b = b[:len(a)]
	var s0, s1, s2, s3 float64
	for ; len(a) >= 4; a, b = a[4:], b[4:] {
		s0 += a[0] * b[0]
		s1 += a[1] * b[1]
		s2 += a[2] * b[2]
		s3 += a[3] * b[3]
	}
	for i, v := range a {
		s0 += v * b[i]
	}
	return (s0 + s1) + (s2 + s3)
}

// dots returns dot(a, c) and dot(b, c), for a and b of one length. It reads c once.
func dots(a, b, c []float64) (p, q float64) {
	b, c = b[:len(a)], c[:len(a)]
	var p0, p1, p2, p3, q0, q1, q2, q3 float64
	for ; len(a) >= 4; a, b, c = a[4:], b[4:], c[4:] {
		c0 := c[0]
		c1 := c[1]
		c2 := c[2]
		c3 := c[3]
		p0 += a[0] * c0
		p1 += a[1] * c1
		p2 += a[2] * c2
		p3 += a[3] * c3
		q0 += b[0] * c0
		q1 += b[1] * c1
		q2 += b[2] * c2
		q3 += b[3] * c3
	}
	for i, v := range c {
		p0 += a[i] * v
		q0 += b[i] * v
	}
	return (p0 + p1) + (p2 + p3), (q0 + q1) + (q2 + q3)
}

// matrix is a symmetric matrix within an envelope. It has room for the parts of a wave, less some.
type matrix struct {
	*order
	numbers []float64
	from    []int // by place: where its row begins
}

func (o *order) matrix(wave []int, waves int, less func(q part) bool) *matrix {
	a := &matrix{order: o, from: make([]int, len(o.first))}
	used := make([]int, waves)
	for c, q := range o.parts {
		if less(q) {
			continue
		}
		for i := q.lo; i < q.hi; i++ {
			a.from[i] = used[wave[c]]
			used[wave[c]] += i - o.first[i] + 1
		}
	}
	a.numbers = make([]float64, slices.Max(used))
	return a
}

// row returns row i, from column first[i] to the diagonal.
func (a *matrix) row(i int) []float64 { return a.numbers[a.from[i]:][:i-a.first[i]+1] }

// clear sets the rows of a part, and its variables in g, to 0.
func (a *matrix) clear(q part, g []float64) {
	for i := q.lo; i < q.hi; i++ {
		clear(a.row(i))
		g[a.at[i]] = 0
	}
}

// add adds the products of a stack that reads some variables to JᵀJ, and to Jᵀr in g, half the gradient of Σ r².
func (a *matrix) add(vars []int, products, g []float64) {
	for v, i := range vars {
		g[i] += products[0]
		own := a.place[i]
		row := a.row(own)
		for w, p := range products[1 : v+2] {
			if at := a.place[vars[w]]; at <= own {
				row[at-a.first[own]] += p
			} else {
				a.numbers[a.from[at]+own-a.first[at]] += p
			}
		}
		products = products[v+2:]
	}
}

// leave sets the rows and columns of some variables of a part to 0.
func (a *matrix) leave(q part, out []bool) {
	for i := q.lo; i < q.hi; i++ {
		row := a.row(i)
		for c := range row {
			if out[a.at[i]] || out[a.at[a.first[i]+c]] {
				row[c] = 0
			}
		}
	}
}

// factor is a Cholesky factor of the equations of a part. Its vectors are used again for other parts.
type factor struct {
	*order
	q       part
	numbers []float64
	rows    [][]float64 // by place, from q.lo on
	x       []float64
}

// of sets l to the factor of the rows b + λ diag b of a part, and reports whether those are positive. It works on two
// rows at a time where these begin in the same column.
func (l *factor) of(b *matrix, q part, lambda float64) bool {
	l.order = b.order
	l.q = q
	l.rows = l.rows[:0]
	l.numbers = slices.Grow(l.numbers[:0], b.cells(q))
	for i := q.lo; i < q.hi; i++ {
		from := len(l.numbers)
		l.numbers = append(l.numbers, b.row(i)...)
		row := l.numbers[from:]
		l.rows = append(l.rows, row)
		last := len(row) - 1
		row[last] *= 1 + lambda
		if row[last] == 0 {
			row[last] = 1 // nothing depends on the variable
		}
	}
	for i := q.lo; i < q.hi; {
		two := i+1 < q.hi && l.first[i+1] == l.first[i]
		row, below := l.rows[i-q.lo], []float64(nil)
		if two {
			below = l.rows[i-q.lo+1]
		}
		for j := l.first[i]; j < i; j++ {
			c, from := j-l.first[i], max(l.first[i], l.first[j])
			other := l.rows[j-q.lo][from-l.first[j]:]
			if first := from - l.first[i]; two {
				p, r := dots(row[first:c], below[first:c], other)
				row[c], below[c] = (row[c]-p)/other[c-first], (below[c]-r)/other[c-first]
			} else {
				row[c] = (row[c] - dot(row[first:c], other)) / other[c-first]
			}
		}
		if !diagonal(row) {
			return false
		}
		if i++; two {
			c := i - 1 - l.first[i]
			below[c] = (below[c] - dot(below[:c], row)) / row[c]
			if !diagonal(below) {
				return false
			}
			i++
		}
	}
	return true
}

// diagonal completes a row of a factor with its last number, and reports whether that is positive.
func diagonal(row []float64) bool {
	last := len(row) - 1
	row[last] -= dot(row[:last], row)
	if !(row[last] > 0) || math.IsInf(row[last], 0) {
		return false
	}
	row[last] = math.Sqrt(row[last])
	return true
}

// solve sets the variables of the part in d to the solution of l lᵀ d = -g. d and g are by variable.
func (l *factor) solve(g, d []float64) {
	x := l.x[:0]
	for _, i := range l.variables(l.q) {
		x = append(x, -g[i])
	}
	l.x = x
	for i, row := range l.rows {
		last := len(row) - 1
		x[i] = (x[i] - dot(row[:last], x[i-last:i])) / row[last]
	}
	for i, row := range slices.Backward(l.rows) {
		last := len(row) - 1
		x[i] /= row[last]
		for c, v := range row[:last] {
			x[i-last+c] -= v * x[i]
		}
	}
	for c, i := range l.variables(l.q) {
		d[i] = x[c]
	}
}
