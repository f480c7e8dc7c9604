package main

import (
	"bufio"
	"fmt"
	"math"
	"slices"
)

// permutations calls visit with each order of n things.
func permutations(n int, visit func(order []int)) {
	order := make([]int, n)
	for i := range order {
		order[i] = i
	}
	var swap func(k int)
	swap = func(k int) {
		if k == n {
			visit(order)
			return
		}
		for i := k; i < n; i++ {
			order[k], order[i] = order[i], order[k]
			swap(k + 1)
			order[k], order[i] = order[i], order[k]
		}
	}
	swap(0)
}

// slots writes eight machines for eight places: flows times distances, with penalties of 2000.
func slots(d *draws, w *bufio.Writer) float64 {
	const n = 8
	flow, far := many(n*n, func() float64 { return float64(d.below(10)) }), make([]float64, n*n)
	for i := range n {
		for j := range n {
			far[n*i+j] = math.Abs(float64(i%4-j%4)) + math.Abs(float64(i/4-j/4))
		}
	}
	var q penalties
	for i := range n {
		var row, column []int
		for j := range n {
			row, column = append(row, n*i+j), append(column, n*j+i)
			for k := range n {
				for l := range n {
					if k != i && l != j {
						q.add(n*i+j, n*k+l, flow[n*i+k]*far[n*j+l])
					}
				}
			}
		}
		q.one(2000, row...)
		q.one(2000, column...)
	}
	q.qbsolv(w)
	best := math.Inf(1)
	permutations(n, func(place []int) {
		cost := 0.0
		for i := range n {
			for k := range n {
				if k != i {
					cost += flow[n*i+k] * far[n*place[i]+place[k]]
				}
			}
		}
		best = min(best, cost)
	})
	return best
}

// route writes a tour through eleven cities with real distances, and penalties of 200.
func route(d *draws, w *bufio.Writer) float64 {
	const n = 11
	x := many(2*n, func() float64 { return 100 * d.uniform(0, 1) })
	far := func(i, j int) float64 { return math.Hypot(x[2*i]-x[2*j], x[2*i+1]-x[2*j+1]) }
	var q penalties
	for i := range n {
		var row, column []int
		for t := range n {
			row, column = append(row, n*i+t), append(column, n*t+i)
			for j := range n {
				if j != i {
					q.add(n*i+t, n*j+(t+1)%n, far(i, j))
				}
			}
		}
		q.one(200, row...)
		q.one(200, column...)
	}
	q.qbsolv(w)
	return tour(n, far)
}

// tour returns the length of the shortest tour, by the method of Held and Karp.
func tour(n int, far func(i, j int) float64) float64 {
	length := map[[2]int]float64{{1, 0}: 0}
	for range n - 1 {
		next := map[[2]int]float64{}
		for state, v := range length {
			for j := 1; j < n; j++ {
				to := [2]int{state[0] | 1<<j, j}
				if old, ok := next[to]; state[0]>>j&1 == 0 && (!ok || v+far(state[1], j) < old) {
					next[to] = v + far(state[1], j)
				}
			}
		}
		length = next
	}
	best := math.Inf(1)
	for state, v := range length {
		best = min(best, v+far(state[1], 0))
	}
	return best
}

// provinces writes the provinces of Canada, to be coloured with four colours.
func provinces(_ *draws, w *bufio.Writer) float64 {
	borders := [][2]int{{0, 1}, {0, 2}, {0, 3}, {1, 3}, {1, 5}, {2, 3}, {3, 5}, {4, 5}, {4, 6}, {6, 7}, {7, 8}, {8, 9},
		{8, 10}, {9, 11}, {5, 12}}
	var q penalties
	for i := range 13 {
		q.one(1, 4*i, 4*i+1, 4*i+2, 4*i+3)
	}
	for _, b := range borders {
		for c := range 4 {
			q.add(4*b[0]+c, 4*b[1]+c, 1)
		}
	}
	q.json(w)
	return 0
}

// sudoku writes a puzzle of 9 by 9, with 30 digits given.
func sudoku(d *draws, w *bufio.Writer) float64 {
	at := func(row, column, digit int) int { return 81*row + 9*column + digit }
	var q penalties
	for a := range 9 {
		for b := range 9 {
			var cell, row, column, box []int
			for c := range 9 {
				cell = append(cell, at(a, b, c))
				row = append(row, at(a, c, b))
				column = append(column, at(c, a, b))
				box = append(box, at(a/3*3+c/3, a%3*3+c%3, b))
			}
			for _, group := range [][]int{cell, row, column, box} {
				q.one(1, group...)
			}
		}
	}
	digits := d.shuffled(9)
	rows := d.shuffled(3)
	columns := d.shuffled(3)
	for _, cell := range d.choose(81, 30) {
		row, column := cell/9, cell%9
		r, c := rows[row/3]*3+row%3, columns[column/3]*3+column%3
		q.square(2, -1, weighted{at(row, column, digits[(3*(r%3)+r/3+c)%9]), 1})
	}
	q.qbsolv(w)
	return 0
}

// queens writes sixteen queens on a board; the file has no place for the offset of 32.
func queens(_ *draws, w *bufio.Writer) float64 {
	const n = 16
	var q penalties
	for i := range n {
		var row, column []int
		for j := range n {
			row, column = append(row, n*i+j), append(column, n*j+i)
			for k := range i {
				for _, l := range []int{j - (i - k), j + (i - k)} {
					if l >= 0 && l < n {
						q.add(n*i+j, n*k+l, 1)
					}
				}
			}
		}
		q.one(1, row...)
		q.one(1, column...)
	}
	q.coo(w)
	return -2 * n
}

// kitchen writes three jobs on a mixer and an oven within ten minutes, with an early end: the weights of late ends grow
// from step to step.
func kitchen(_ *draws, w *bufio.Writer) float64 {
	tasks := []struct{ job, machine, time int }{{0, 0, 1}, {0, 1, 4}, {1, 0, 1}, {1, 1, 3}, {2, 1, 2}}
	const end = 10
	var q penalties
	for i, a := range tasks {
		var starts []int
		for t := range end {
			if t+a.time <= end {
				starts = append(starts, end*i+t)
			} else {
				q.add(end*i+t, end*i+t, 5)
			}
			if i == len(tasks)-1 || tasks[i+1].job != a.job {
				q.add(end*i+t, end*i+t, math.Pow(4, float64(t+a.time-end)))
			}
			for j, b := range tasks[:i] {
				for u := range end {
					overlap := a.machine == b.machine && t < u+b.time && u < t+a.time
					if overlap || a.job == b.job && t < u+b.time {
						q.add(end*i+t, end*j+u, 5)
					}
				}
			}
		}
		q.one(5, starts...)
	}
	q.json(w)
	late := func(t int) float64 { return math.Pow(4, float64(t-end)) }
	best := math.Inf(1)
	permutations(3, func(order []int) { // of the jobs in the oven
		var sum float64
		oven := 0
		mixer := 0
		for _, job := range order {
			if job != 2 {
				mixer++
				oven = max(oven, mixer)
			}
			oven += []int{4, 3, 2}[job]
			sum += late(oven)
		}
		best = min(best, sum)
	})
	return best
}

// rings writes two rings of five with spokes, as networkx writes edges, for the largest cut.
func rings(_ *draws, w *bufio.Writer) float64 {
	for i := range 5 {
		fmt.Fprintln(w, i, (i+1)%5, "{}")
		fmt.Fprintln(w, i, i+5, "{}")
		fmt.Fprintln(w, i+5, (i+2)%5+5, "{}")
	}
	return 12 // Petersen's graph
}

// wheel writes a hub with nine spokes and a rim, as METIS reads graphs, for the largest cut.
func wheel(_ *draws, w *bufio.Writer) float64 {
	fmt.Fprintln(w, "% a wheel")
	fmt.Fprintln(w, 10, 18)
	fmt.Fprintln(w, "2 3 4 5 6 7 8 9 10")
	for i := range 9 {
		fmt.Fprintln(w, 1, (i+8)%9+2, (i+1)%9+2)
	}
	return 13 // with h of the nine rim vertices apart from the hub: h + 2h for h <= 4, and 5 gives 5 + 8
}

// cells writes a picture of ten columns and 100 rows with noise, whose neighbours agree, as spins. The answer is found
// cell by cell, for all values of the last ten.
func cells(d *draws, w *bufio.Writer) float64 {
	const columns, rows, agree = 10, 100, 0.8
	fmt.Fprintln(w, "# vartype=SPIN")
	best := make([]float64, 1<<columns) // by the last ten cells, the last one in bit 0
	spin := func(bit int) float64 { return float64(2*(bit&1) - 1) }
	for i := range columns * rows {
		row, column := i/columns, i%columns
		field := d.normal() - 0.4
		if row%20 < 10 {
			field += 0.8
		}
		fmt.Fprintln(w, i, i, -field)
		if column+1 < columns {
			fmt.Fprintln(w, i, i+1, -agree)
		}
		if row+1 < rows {
			fmt.Fprintln(w, i, i+columns, -agree)
		}
		next := slices.Repeat([]float64{math.Inf(1)}, len(best))
		for last, v := range best {
			for bit := range 2 {
				to := (last<<1 | bit) & (len(best) - 1)
				value := v - field*spin(bit)
				if column > 0 {
					value -= agree * spin(bit) * spin(last)
				}
				if row > 0 {
					value -= agree * spin(bit) * spin(last>>(columns-1))
				}
				next[to] = min(next[to], value)
			}
		}
		best = next
	}
	return slices.Min(best)
}
