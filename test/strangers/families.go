package main

import (
	"fmt"
	"math"

	"github.com/clopt/clopt/problems/rng"
)

// A family is a kind of quadratic functions that people make of an aim and of rules. Its instances are functions of
// their sizes and of draws.
type family struct {
	name string
	// make returns an instance, and its smallest value, or NaN where it is not known. weight is that of the penalties,
	// in parts of the smallest one that people would choose.
	make  func(d *draws, size int, weight float64) (q *penalties, answer float64)
	sizes []int // of those for tuning and, in between, of those that are only reported
}

// families are fourteen such kinds. The variables are as many as the comment of each function says for a size.
var families = []family{
	{"bisection", bisection, []int{40, 60, 90, 100, 200, 300, 800, 1000, 2000, 3000}},
	{"cardinality", cardinality, []int{30, 50, 80, 90, 200, 250, 600, 700, 1500, 2000}},
	{"assignment", assignment, []int{5, 6, 8, 9, 16, 18, 30, 32, 45, 52}},
	{"tour", roundTrip, []int{5, 6, 8, 9, 12, 15, 24, 30, 40, 52}},
	{"places", layout, []int{5, 6, 8, 9, 12, 15, 20, 24, 30, 36}},
	{"colours", colours, []int{10, 12, 20, 24, 60, 80, 200, 240, 500, 600}},
	{"knapsack", slackened, []int{12, 15, 40, 50, 100, 150, 300, 400, 700, 900}},
	{"halves", halves, []int{20, 24, 40, 44, 60, 64, 90, 96, 150, 200}},
	{"autocorrelation", autocorrelation, []int{8, 9, 12, 13, 16, 18, 24, 25, 40, 45}},
	{"market", market, []int{20, 22, 25, 28, 30, 35, 40, 45, 60, 70}},
	{"independent", independent, []int{30, 36, 80, 90, 200, 300, 800, 1000, 2000, 3000}},
	{"portfolio", stockPicks, []int{20, 24, 60, 80, 150, 200, 400, 500, 800, 1000}},
	{"sacks", sacks, []int{15, 20, 30, 40, 60, 80, 150, 200, 400, 500}},
	{"shifts", shifts, []int{8, 10, 12, 15, 25, 30, 50, 60, 100, 120}},
}

// instance is one of a family.
type instance struct {
	name   string
	held   bool // only reported, not used to tune
	q      *penalties
	answer float64
}

// instances makes those of one half, one after the other. Penalties are between one and sixty times the smallest one.
func instances(held bool, use func(instance) error) error {
	for k, f := range families {
		for i, size := range f.sizes {
			if (i%2 == 1) != held {
				continue
			}
			weight := []float64{1, 2, 8, 25, 60}[(i/2+k)%5]
			q, answer := f.make(&draws{key: rng.Key{Seed: uint32(1000*k + size)}}, size, weight)
			name := fmt.Sprintf("%s-%d-%g", f.name, size, weight)
			if err := use(instance{name, held, q, answer}); err != nil {
				return err
			}
		}
	}
	return nil
}

var unknown = math.NaN()

// bisection: halves of a random graph of n vertices with few edges between them. n variables.
func bisection(d *draws, n int, weight float64) (*penalties, float64) {
	var q penalties
	for range 4 * n {
		if i, j := d.below(n), d.below(n); i != j { // an edge between the sides costs 1
			q.add(i, i, 1)
			q.add(j, j, 1)
			q.add(i, j, -2)
		}
	}
	q.square(weight, -float64(n/2), all(n)...)
	return &q, unknown
}

// all returns the sum of n variables.
func all(n int) (sum []weighted) {
	for i := range n {
		sum = append(sum, weighted{i, 1})
	}
	return sum
}

// cardinality: a fifth of n things, with gains and losses of pairs. n variables.
func cardinality(d *draws, n int, weight float64) (*penalties, float64) {
	var q penalties
	for i := range n {
		q.add(i, i, float64(d.below(201)-100))
		for j := range i {
			if d.below(4) == 0 {
				q.add(i, j, float64(d.below(201)-100))
			}
		}
	}
	q.square(50*weight, -float64(n/5), all(n)...)
	return &q, unknown
}

// ones adds that a table of m·m variables has a single 1 in each row and each column.
func (q *penalties) ones(m int, weight float64) {
	for i := range m {
		var row, column []int
		for j := range m {
			row, column = append(row, i*m+j), append(column, j*m+i)
		}
		q.one(weight, row...)
		q.one(weight, column...)
	}
}

// assignment: m people for m jobs. m² variables.
func assignment(d *draws, m int, weight float64) (*penalties, float64) {
	var q penalties
	costs := make([][]float64, m)
	for i := range m {
		costs[i] = many(m, func() float64 { return float64(1 + d.below(100)) })
		for j, c := range costs[i] {
			q.add(i*m+j, i*m+j, c)
		}
	}
	q.ones(m, 100*weight)
	return &q, cheapest(costs)
}

// cheapest returns the cost of the best assignment of rows to columns, by shortest paths with potentials.
func cheapest(costs [][]float64) (sum float64) {
	m := len(costs)
	u, v, of := make([]float64, m+1), make([]float64, m+1), make([]int, m+1) // columns from 1 on; of 0: no row
	for row := 1; row <= m; row++ {
		of[0] = row
		least, from, used := make([]float64, m+1), make([]int, m+1), make([]bool, m+1)
		for j := range least {
			least[j] = math.Inf(1)
		}
		at := 0
		for of[at] != 0 {
			used[at] = true
			next, delta := 0, math.Inf(1)
			for j := 1; j <= m; j++ {
				if used[j] {
					continue
				}
				if c := costs[of[at]-1][j-1] - u[of[at]] - v[j]; c < least[j] {
					least[j], from[j] = c, at
				}
				if least[j] < delta {
					next, delta = j, least[j]
				}
			}
			for j := range used {
				if used[j] {
					u[of[j]] += delta
					v[j] -= delta
				} else {
					least[j] -= delta
				}
			}
			at = next
		}
		for at != 0 {
			of[at], at = of[from[at]], from[at]
		}
	}
	for j := 1; j <= m; j++ {
		sum += costs[of[j]-1][j-1]
	}
	return sum
}

// roundTrip: a round trip through m cities in a square. m² variables.
func roundTrip(d *draws, m int, weight float64) (*penalties, float64) {
	var q penalties
	x, y := many(m, func() float64 { return d.uniform(0, 1000) }), many(m, func() float64 { return d.uniform(0, 1000) })
	for i := range m {
		for j := range i {
			far := math.Round(math.Hypot(x[i]-x[j], y[i]-y[j]))
			for at := range m {
				q.add(i*m+at, j*m+(at+1)%m, far)
				q.add(j*m+at, i*m+(at+1)%m, far)
			}
		}
	}
	q.ones(m, 1000*weight)
	return &q, unknown
}

// layout: m machines for m places in a grid, flows times distances. m² variables.
func layout(d *draws, m int, weight float64) (*penalties, float64) {
	var q penalties
	width := int(math.Ceil(math.Sqrt(float64(m))))
	for i := range m {
		for j := range i {
			flow := float64(max(0, d.below(15)-5))
			for a := range m {
				for b := range m {
					far := math.Abs(float64(a%width-b%width)) + math.Abs(float64(a/width-b/width))
					q.add(i*m+a, j*m+b, flow*far)
				}
			}
		}
	}
	q.ones(m, 100*weight)
	return &q, unknown
}

// colours: vertices with one of five colours, other ones at the ends of each edge, which is possible. 5n variables.
func colours(d *draws, n int, weight float64) (*penalties, float64) {
	const k = 5
	var q penalties
	of := many(n, func() float64 { return float64(d.below(k)) })
	for range 5 * n {
		i, j := d.below(n), d.below(n)
		if of[i] == of[j] {
			continue
		}
		for c := range k {
			q.add(k*i+c, k*j+c, 1)
		}
	}
	for i := range n {
		q.one(weight, k*i, k*i+1, k*i+2, k*i+3, k*i+4)
	}
	return &q, 0
}

// slackened: a knapsack of n items, with slack bits for the room that stays.
func slackened(d *draws, n int, weight float64) (*penalties, float64) {
	return knapsack(d, n, 100, 20*n, 50*weight)
}

// halves: n numbers of at most n/2 and at most 20 bits with an even split. n variables.
func halves(d *draws, n int, _ float64) (*penalties, float64) {
	var q penalties
	bits := min(n/2, 20)
	numbers := many(n, func() float64 { return float64(1 + d.word()>>(32-bits)) })
	var sum []weighted
	total := 0.0
	for i, v := range numbers {
		total += v
		sum = append(sum, weighted{i, v})
	}
	if math.Mod(total, 2) != 0 {
		sum[0].factor++
		total++
	}
	q.square(1, -total/2, sum...)
	return &q, 0
}

// autocorrelation: n signs with small autocorrelations, with a variable for each product. n(n+1)/2 variables.
func autocorrelation(_ *draws, n int, weight float64) (*penalties, float64) {
	known := []float64{8: 8, 9: 12, 12: 10, 13: 6, 16: 24, 18: 25, 20: 26, 24: 36, 25: 36}
	q := correlations(n, float64(4*n)*weight)
	if n < len(known) {
		return q, known[n]
	}
	return q, unknown
}

// market: how to split n products into two divisions, for three retailers. n variables.
func market(d *draws, n int, _ float64) (*penalties, float64) {
	var q penalties
	split := many(n, func() float64 { return float64(d.below(2)) })
	for range 3 {
		var sum []weighted
		right := 0.0
		for i := range n {
			a := float64(d.below(100))
			sum, right = append(sum, weighted{i, a}), right+a*split[i]
		}
		q.square(1, -right, sum...)
	}
	return &q, 0
}

// independent: as many as possible of n vertices without an edge between them. n variables.
func independent(d *draws, n int, weight float64) (*penalties, float64) {
	var q penalties
	for i := range n {
		q.add(i, i, -1)
	}
	edges := map[[2]int]bool{}
	for range 4 * n {
		i, j := d.below(n), d.below(n)
		if e := [2]int{min(i, j), max(i, j)}; i != j && !edges[e] {
			edges[e] = true
			q.add(i, j, 1+weight)
		}
	}
	return &q, unknown
}

// stockPicks: a tenth of n stocks by risk and gain. n variables.
func stockPicks(d *draws, n int, weight float64) (*penalties, float64) {
	const factors = 5
	var q penalties
	load := many(factors*n, func() float64 { return 0.1 * d.normal() })
	for i := range n {
		q.add(i, i, dot(load[factors*i:factors*(i+1)], load[factors*i:factors*(i+1)])+0.01-d.uniform(0, 0.1))
		for j := range i {
			q.add(i, j, 2*dot(load[factors*i:factors*(i+1)], load[factors*j:factors*(j+1)]))
		}
	}
	q.square(0.05*weight, -math.Ceil(float64(n)/10), all(n)...)
	for pair, v := range q.terms {
		q.terms[pair] = math.Round(v*1e8) / 1e8
	}
	return &q, unknown
}

// sacks: n things of four sizes, such as weight and room, each with a limit and its slack bits. n variables and more.
func sacks(d *draws, n int, weight float64) (*penalties, float64) {
	var q penalties
	for i := range n {
		q.add(i, i, -float64(1+d.below(50)))
	}
	next := n
	for range 4 {
		sum := make([]weighted, n)
		for i := range sum {
			sum[i] = weighted{i, float64(1 + d.below(50))}
		}
		next = q.most(20*weight, 10*n, next, sum)
	}
	return &q, unknown
}

// most adds a penalty where a sum is above a limit, with slack bits from variable next on. It returns the next one.
func (q *penalties) most(weight float64, limit, next int, sum []weighted) int {
	for left, bit := limit, 1; left > 0; bit *= 2 {
		sum = append(sum, weighted{next, float64(min(bit, left))})
		left -= min(bit, left)
		next++
	}
	q.square(weight, -float64(limit), sum...)
	return next
}

// shifts: n tasks for five people, each of whom has a limit of hours, with slack bits. 5n variables and more.
func shifts(d *draws, n int, weight float64) (*penalties, float64) {
	const people = 5
	var q penalties
	hours := make([][]weighted, people)
	total := 0
	for i := range n {
		size := 5 + d.below(20)
		total += size
		var row []int
		for k := range people {
			v := people*i + k
			row = append(row, v)
			q.add(v, v, float64(10+d.below(40)))
			hours[k] = append(hours[k], weighted{v, float64(size)})
		}
		q.one(50*weight, row...)
	}
	next := people * n
	for _, sum := range hours {
		next = q.most(10*weight, total*11/(10*people), next, sum)
	}
	return &q, unknown
}
