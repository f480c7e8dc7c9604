package lm

import "github.com/clopt/clopt/problems"

// jacobian says where the residuals of a problem and their derivatives are: the residuals of all components one after
// the other, and for each component and each variable that it reads the derivatives of its residuals.
type jacobian struct {
	s     problems.Structure
	rows  []int // component k has the residuals rows[k] to rows[k+1]-1
	reads []int // and the variables list[reads[k]:reads[k+1]], in increasing order
	list  []int
	at    []int // and from at[k] on, for each of them, the derivatives of all its residuals
}

func newJacobian(s problems.Structure) *jacobian {
	m := s.Components()
	j := &jacobian{s: s, rows: make([]int, m+1), reads: make([]int, m+1), at: make([]int, m+1)}
	for k := range m {
		from := len(j.list)
		j.list = s.Reads(k, j.list)
		j.list = append(j.list[:from], sorted(j.list[from:])...)
		reads, squares := len(j.list)-from, s.Squares(k)
		j.rows[k+1], j.reads[k+1] = j.rows[k]+squares, j.reads[k]+reads
		j.at[k+1] = j.at[k] + reads*squares
	}
	return j
}

// cells returns the number of derivatives.
func (j *jacobian) cells() int { return j.at[len(j.at)-1] }

// variables returns those that component k reads.
func (j *jacobian) variables(k int) []int { return j.list[j.reads[k]:j.reads[k+1]] }

// column returns the derivatives of the residuals of component k by variable number v of those that it reads, among all
// derivatives.
func (j *jacobian) column(all []float64, k, v int) []float64 {
	m := j.rows[k+1] - j.rows[k]
	return all[j.at[k]+v*m:][:m]
}

// residuals returns those of component k among all.
func (j *jacobian) residuals(all []float64, k int) []float64 { return all[j.rows[k]:j.rows[k+1]] }

// squares returns the sum of the squares of the residuals of a part.
func (j *jacobian) squares(residuals []float64, q part) (sum float64) {
	for _, k := range q.components {
		r := j.residuals(residuals, k)
		sum += dot(r, r)
	}
	return sum
}

// normal sets the rows of a part in a to those of JᵀJ, and its variables in g to Jᵀr, half the gradient of Σ r².
func (j *jacobian) normal(derivatives, residuals []float64, q part, a *matrix, g []float64) {
	a.clear(q)
	for _, i := range a.variables(q) {
		g[i] = 0
	}
	for _, k := range q.components {
		vars, r := j.variables(k), j.residuals(residuals, k)
		for v, i := range vars {
			column := j.column(derivatives, k, v)
			g[i] += dot(column, r)
			for w, h := range vars[:v+1] {
				a.add(i, h, dot(column, j.column(derivatives, k, w)))
			}
		}
	}
}
