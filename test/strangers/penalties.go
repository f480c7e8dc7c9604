package main

import (
	"bufio"
	"fmt"
	"maps"
	"slices"
)

// penalties is a quadratic function of variables that are 0 or 1, as people make it of an aim and of penalties for
// rules that are broken. The smallest value of such a function is wanted.
type penalties struct {
	n      int
	terms  map[[2]int]float64 // of i <= j; x_i itself where i = j
	offset float64
}

// weighted is one term of a sum: a variable with its factor.
type weighted struct {
	i      int
	factor float64
}

// add adds v·x_i·x_j.
func (q *penalties) add(i, j int, v float64) {
	if q.terms == nil {
		q.terms = map[[2]int]float64{}
	}
	q.n = max(q.n, i+1, j+1)
	q.terms[[2]int{min(i, j), max(i, j)}] += v
}

// square adds weight·(constant + the sum)².
func (q *penalties) square(weight, constant float64, sum ...weighted) {
	q.offset += weight * constant * constant
	for k, a := range sum {
		q.add(a.i, a.i, weight*a.factor*(a.factor+2*constant))
		for _, b := range sum[:k] {
			q.add(a.i, b.i, 2*weight*a.factor*b.factor)
		}
	}
}

// one adds weight where the number of ones among the variables is not one, and more where it is far from one.
func (q *penalties) one(weight float64, variables ...int) {
	var sum []weighted
	for _, i := range variables {
		sum = append(sum, weighted{i, 1})
	}
	q.square(weight, -1, sum...)
}

// product adds weight or more where x_z is not x_i·x_j.
func (q *penalties) product(weight float64, z, i, j int) {
	q.add(i, j, weight)
	q.add(z, i, -2*weight)
	q.add(z, j, -2*weight)
	q.add(z, z, 3*weight)
}

// pairs returns the pairs of variables in rising order.
func (q *penalties) pairs() [][2]int {
	return slices.SortedFunc(maps.Keys(q.terms), func(a, b [2]int) int { return slices.Compare(a[:], b[:]) })
}

// qbsolv writes the format of qbsolv, with the offset as its tools write it.
func (q *penalties) qbsolv(w *bufio.Writer) {
	couplers := 0
	for pair := range q.terms {
		if pair[0] != pair[1] {
			couplers++
		}
	}
	fmt.Fprintf(w, "c offset : %v\np qubo 0 %d %d %d\n", q.offset, q.n, q.n, couplers)
	for i := range q.n {
		fmt.Fprintln(w, i, i, q.terms[[2]int{i, i}])
	}
	for _, pair := range q.pairs() {
		if pair[0] != pair[1] {
			fmt.Fprintln(w, pair[0], pair[1], q.terms[pair])
		}
	}
}

// coo writes the list of dimod, which has no place for the offset.
func (q *penalties) coo(w *bufio.Writer) {
	fmt.Fprintln(w, "# vartype=BINARY")
	for _, pair := range q.pairs() {
		fmt.Fprintln(w, pair[0], pair[1], q.terms[pair])
	}
}

// matrix writes a symmetric matrix, a row a line.
func (q *penalties) matrix(w *bufio.Writer) {
	for i := range q.n {
		for j := range q.n {
			if j > 0 {
				fmt.Fprint(w, ",")
			}
			v := q.terms[[2]int{min(i, j), max(i, j)}]
			if i != j {
				v /= 2
			}
			fmt.Fprint(w, v)
		}
		fmt.Fprintln(w)
	}
}

// lp writes the format of CPLEX as modelling tools do, with the offset as a variable that is fixed at one.
func (q *penalties) lp(w *bufio.Writer) {
	fmt.Fprintf(w, "\\ENCODING=ISO-8859-1\nMinimize\n obj: %v one", q.offset)
	for i := range q.n {
		if v := q.terms[[2]int{i, i}]; v != 0 {
			fmt.Fprintf(w, " %+g x%d", v, i)
		}
	}
	fmt.Fprint(w, " + [")
	for _, pair := range q.pairs() {
		if v := q.terms[pair]; pair[0] != pair[1] && v != 0 {
			fmt.Fprintf(w, " %+g x%d*x%d", 2*v, pair[0], pair[1])
		}
	}
	fmt.Fprint(w, " ]/2\nSubject To\nBounds\n one = 1\nBinaries\n")
	for i := range q.n {
		fmt.Fprintf(w, " x%d", i)
	}
	fmt.Fprint(w, "\nEnd\n")
}

// json writes a binary quadratic model of dimod.
func (q *penalties) json(w *bufio.Writer) {
	list := func(one func(i int) any, n int) {
		fmt.Fprint(w, "[")
		for i := range n {
			if i > 0 {
				fmt.Fprint(w, ", ")
			}
			fmt.Fprint(w, one(i))
		}
		fmt.Fprint(w, "]")
	}
	var pairs [][2]int
	for _, pair := range q.pairs() {
		if pair[0] != pair[1] {
			pairs = append(pairs, pair)
		}
	}
	fmt.Fprintf(w, `{"type": "BinaryQuadraticModel", "version": {"bqm_schema": "3.0.0"}, "use_bytes": false, `+
		`"index_type": "uint16", "bias_type": "float64", "num_variables": %d, "num_interactions": %d, `+
		`"variable_labels": `, q.n, len(pairs))
	list(func(i int) any { return fmt.Sprintf(`"x[%d]"`, i) }, q.n)
	fmt.Fprintf(w, `, "variable_type": "BINARY", "offset": %v, "info": {}, "linear_biases": `, q.offset)
	list(func(i int) any { return q.terms[[2]int{i, i}] }, q.n)
	fmt.Fprint(w, `, "quadratic_biases": `)
	list(func(i int) any { return q.terms[pairs[i]] }, len(pairs))
	fmt.Fprint(w, `, "quadratic_head": `)
	list(func(i int) any { return pairs[i][0] }, len(pairs))
	fmt.Fprint(w, `, "quadratic_tail": `)
	list(func(i int) any { return pairs[i][1] }, len(pairs))
	fmt.Fprintln(w, "}")
}
