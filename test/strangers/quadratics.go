package main

import (
	"bufio"
	"math"
	"slices"
)

// quadratics are problems of public reports with variables 0 and 1. Each writes its file, and returns the right answer,
// which it finds without the quadratic function.
var quadratics = []struct {
	file  string // "maxcut:" before it where a cut is wanted
	slack float64
	make  func(d *draws, w *bufio.Writer) (answer float64)
}{
	{"eight.csv", 0, eight}, {"sums.qubo", 0, sums}, {"sack.qubo", 0, sack}, {"heavysack.qubo", 0, heavySack},
	{"slots.qubo", 0, slots}, {"route.qubo", 1e-9, route}, {"provinces.json", 0, provinces}, {"sudoku.qubo", 0, sudoku},
	{"clauses.qubo", 0, clauses}, {"signs.qubo", 0, signs}, {"product.qubo", 0, product}, {"queens.coo", 0, queens},
	{"stocks.csv", 1e-12, stocks}, {"strength.coo", 0, strength}, {"kitchen.json", 1e-12, kitchen},
	{"disjoint.lp", 0, disjoint}, {"scales.coo", 1e-12, scales}, {"apart.coo", 0, apart},
	{"maxcut:rings.edgelist", 0, rings}, {"maxcut:wheel.graph", 0, wheel}, {"cells.coo", 1e-9, cells},
	{"covers.qubo", 0, covers},
}

// eight writes eight numbers that two people share: the square of the difference without its constant.
func eight(_ *draws, w *bufio.Writer) float64 {
	numbers := []float64{25, 7, 13, 31, 42, 17, 21, 10}
	all := 0.0
	for _, v := range numbers {
		all += v
	}
	var q penalties
	for i, v := range numbers {
		q.add(i, i, v*(v-all))
		for j, u := range numbers[:i] {
			q.add(i, j, 2*u*v)
		}
	}
	q.matrix(w)
	return -all * all / 4 // both get 83
}

// sums writes 24 numbers of nine digits with an even split.
func sums(d *draws, w *bufio.Writer) float64 {
	var sum []weighted
	difference := 0.0
	for i := range 23 {
		v := float64(1e8 + d.below(9e8))
		sum = append(sum, weighted{i, 2 * v})
		if difference > 0 {
			difference -= v
		} else {
			difference += v
		}
	}
	sum = append(sum, weighted{23, 2 * math.Abs(difference)})
	all := 0.0
	for _, a := range sum {
		all += a.factor / 2
	}
	var q penalties
	q.square(1, -all, sum...)
	q.qbsolv(w)
	return 0
}

// knapsack makes items with slack bits for the room that stays, and returns the best value by dynamic programming.
func knapsack(d *draws, items, most, room int, weight float64) (*penalties, float64) {
	var q penalties
	var sum []weighted
	best := make([]float64, room+1)
	for i := range items {
		size, value := 1+d.below(most), float64(1+d.below(50))
		q.add(i, i, -value)
		sum = append(sum, weighted{i, float64(size)})
		for r := room; r >= size; r-- {
			best[r] = max(best[r], best[r-size]+value)
		}
	}
	for left, bit := room, 1; left > 0; bit *= 2 {
		sum = append(sum, weighted{len(sum), float64(min(bit, left))})
		left -= min(bit, left)
	}
	q.square(weight, -float64(room), sum...)
	return &q, -slices.Max(best)
}

func sack(d *draws, w *bufio.Writer) float64 {
	q, best := knapsack(d, 20, 40, 150, 60)
	q.qbsolv(w)
	return best
}

func heavySack(d *draws, w *bufio.Writer) float64 {
	q, best := knapsack(d, 30, 200, 1500, 1000)
	q.qbsolv(w)
	return best
}

// clauses writes 160 clauses of three of 40 variables, all of which hold at one point, with a variable more for each.
func clauses(d *draws, w *bufio.Writer) float64 {
	const variables = 40
	point := many(variables, func() float64 { return float64(d.below(2)) })
	var q penalties
	for z := variables; z < variables+160; {
		list := d.choose(variables, 3)
		wrong := many(3, func() float64 { return float64(d.below(2)) }) // the values that break the clause
		if point[list[0]] == wrong[0] && point[list[1]] == wrong[1] && point[list[2]] == wrong[2] {
			continue
		}
		// The clause is broken where the three literals u are one: u0·u1·u2, and z is u0·u1.
		literal := func(j int) (constant float64, a weighted) {
			return 1 - wrong[j], weighted{list[j], 2*wrong[j] - 1}
		}
		multiply := func(weight float64, c1 float64, a weighted, c2 float64, b weighted) {
			q.offset += weight * c1 * c2
			q.add(a.i, a.i, weight*a.factor*c2)
			q.add(b.i, b.i, weight*b.factor*c1)
			q.add(a.i, b.i, weight*a.factor*b.factor)
		}
		c0, a0 := literal(0)
		c1, a1 := literal(1)
		c2, a2 := literal(2)
		both := weighted{z, 1}
		multiply(1, 0, both, c2, a2)
		multiply(2, c0, a0, c1, a1)
		multiply(-4, 0, both, c0, a0)
		multiply(-4, 0, both, c1, a1)
		q.add(z, z, 6)
		z++
	}
	q.qbsolv(w)
	return 0
}

// signs writes the search for a sequence of 20 signs with small autocorrelations.
func signs(_ *draws, w *bufio.Writer) float64 {
	correlations(20, 200).qbsolv(w)
	return 26 // known for 20 signs
}

// correlations makes the sum of the squared autocorrelations of n signs, with a variable for each product of two.
func correlations(n int, weight float64) *penalties {
	var q penalties
	z := n
	of := map[[2]int]int{} // the variable of a product
	for i := range n {
		for j := range i {
			q.product(weight, z, i, j)
			of[[2]int{j, i}] = z
			z++
		}
	}
	for lag := 1; lag < n; lag++ {
		factors, constant := map[int]float64{}, 0.0
		for i := range n - lag { // (2x-1)(2y-1) = 4xy - 2x - 2y + 1
			factors[of[[2]int{i, i + lag}]] += 4
			factors[i] -= 2
			factors[i+lag] -= 2
			constant++
		}
		var sum []weighted
		for i := range z {
			if factors[i] != 0 {
				sum = append(sum, weighted{i, factors[i]})
			}
		}
		q.square(1, constant, sum...)
	}
	return &q
}

// product writes 899 as a product of two odd numbers of five bits, with a variable for each product of bits.
func product(_ *draws, w *bufio.Writer) float64 {
	var q penalties
	sum := []weighted{}
	constant := 1.0 - 899
	for i := range 4 { // both factors have a last bit of one
		sum = append(sum, weighted{i, math.Exp2(float64(i + 1))}, weighted{4 + i, math.Exp2(float64(i + 1))})
		for j := range 4 {
			z := 8 + 4*i + j
			q.product(20000, z, i, 4+j)
			sum = append(sum, weighted{z, math.Exp2(float64(i + j + 2))})
		}
	}
	q.square(1, constant, sum...)
	q.qbsolv(w)
	return 0 // 29 times 31
}

// stocks writes six of 24 stocks by risk and gain in small numbers; the matrix has no place for the offset.
func stocks(d *draws, w *bufio.Writer) float64 {
	const n, chosen, weight = 24, 6, 0.5
	factor := many(3*n, func() float64 { return 0.03 * d.normal() })
	risk := func(i, j int) float64 {
		v := dot(factor[3*i:3*i+3], factor[3*j:3*j+3])
		if i == j {
			v += 0.0001
		}
		return v
	}
	gain := many(n, func() float64 { return 0.001 * d.uniform(0, 3) })
	var q penalties
	sum := []weighted{}
	for i := range n {
		q.add(i, i, risk(i, i)-gain[i])
		for j := range i {
			q.add(i, j, 2*risk(i, j))
		}
		sum = append(sum, weighted{i, 1})
	}
	q.square(weight, -chosen, sum...)
	q.matrix(w)
	best := math.Inf(1)
	for set := range 1 << n {
		if count(set) != chosen {
			continue
		}
		v := 0.0
		for i := range n {
			if set>>i&1 == 0 {
				continue
			}
			v += risk(i, i) - gain[i]
			for j := range i {
				if set>>j&1 != 0 {
					v += 2 * risk(i, j)
				}
			}
		}
		best = min(best, v)
	}
	return best - q.offset
}

func count(set int) (ones int) {
	for ; set != 0; set &= set - 1 {
		ones++
	}
	return ones
}

// strength writes a rule about two products, each of which has a variable of its own.
func strength(_ *draws, w *bufio.Writer) float64 {
	var q penalties // x, y, z, xy, yz
	q.add(0, 0, -1)
	q.add(1, 1, -1)
	q.add(2, 2, -1)
	q.product(5, 3, 0, 1)
	q.product(5, 4, 1, 2)
	q.square(100, -1, weighted{3, 1}, weighted{4, 1})
	q.coo(w)
	return smallest(&q) - q.offset
}

// smallest returns the smallest value by trying every point.
func smallest(q *penalties) float64 {
	best := math.Inf(1)
	for point := range 1 << q.n {
		v := q.offset
		for pair, a := range q.terms {
			if point>>pair[0]&1 != 0 && point>>pair[1]&1 != 0 {
				v += a
			}
		}
		best = min(best, v)
	}
	return best
}

// disjoint writes 18 sets of 30 things with values, of which none may share a thing.
func disjoint(d *draws, w *bufio.Writer) float64 {
	const sets = 18
	var members, values []int
	for range sets {
		set := 0
		for _, i := range d.choose(30, 4) {
			set |= 1 << i
		}
		members, values = append(members, set), append(values, 1+d.below(20))
	}
	var q penalties
	for i := range sets {
		q.add(i, i, -float64(values[i]))
		for j := range i {
			if members[i]&members[j] != 0 {
				q.add(i, j, 50)
			}
		}
	}
	q.offset = 12.5
	q.lp(w)
	best := 0
	for point := range 1 << sets {
		used, value := 0, 0
		for i := range sets {
			if point>>i&1 == 0 {
				continue
			}
			if used&members[i] != 0 {
				value = -1
				break
			}
			used, value = used|members[i], value+values[i]
		}
		best = max(best, value)
	}
	return 12.5 - float64(best)
}

// scales writes fifteen variables with weights from a millionth to a million.
func scales(d *draws, w *bufio.Writer) float64 {
	var q penalties
	for i := range 15 {
		q.add(i, i, math.Round(100*d.normal())*1e-6)
		for j := range i {
			switch d.below(3) {
			case 0:
				q.add(i, j, float64(1000000*d.below(3)))
			case 1:
				q.add(i, j, math.Round(100*d.normal())*1e-6)
			}
		}
	}
	q.coo(w)
	return smallest(&q)
}

// apart writes a random graph of 36 vertices, of which as many as possible are wanted without an edge between them.
func apart(d *draws, w *bufio.Writer) float64 {
	const n = 36
	var near [n]int
	var q penalties
	for i := range n {
		q.add(i, i, -1)
		for j := range i {
			if d.uniform(0, 1) < 0.2 {
				near[i] |= 1 << j
				near[j] |= 1 << i
				q.add(i, j, 2)
			}
		}
	}
	q.coo(w)
	var most func(left int) int
	most = func(left int) int {
		if left == 0 {
			return 0
		}
		i := 0
		for left>>i&1 == 0 {
			i++
		}
		with := 1 + most(left&^(1<<i)&^near[i])
		if count(left&near[i]) == 0 {
			return with
		}
		return max(with, most(left&^(1<<i)))
	}
	return -float64(most(1<<n - 1))
}

// covers writes the fewest of 16 sets that hold each of 12 things, with slack bits for things held more than once.
func covers(d *draws, w *bufio.Writer) float64 {
	const sets, things = 16, 12
	members := make([]int, sets)
	for i := range members {
		for _, thing := range d.choose(things, 4) {
			members[i] |= 1 << thing
		}
	}
	var q penalties
	for i := range sets {
		q.add(i, i, 1)
	}
	next := sets
	for thing := range things {
		var sum []weighted
		for i, set := range members {
			if set>>thing&1 != 0 {
				sum = append(sum, weighted{i, 1})
			}
		}
		for left, bit := len(sum)-1, 1; left > 0; bit *= 2 {
			sum = append(sum, weighted{next, -float64(min(bit, left))})
			left -= min(bit, left)
			next++
		}
		q.square(10, -1, sum...)
	}
	q.qbsolv(w)
	best := sets
	for point := range 1 << sets {
		held := 0
		for i, set := range members {
			if point>>i&1 != 0 {
				held |= set
			}
		}
		if held == 1<<things-1 {
			best = min(best, count(point))
		}
	}
	return float64(best)
}
