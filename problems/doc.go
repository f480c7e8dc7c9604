// Package problems holds what is minimised: the contract of a problem, the
// benchmark functions of the CEC'2013 competition on large-scale optimization,
// classic test functions, objectives that a person writes in OpenCL C, and cuts of
// graphs, through which QUBO and Ising problems are stated as well.
//
//	f(x) = g(a),   a_j = Σ_k c_kj(x)      component k reads few variables
//
//	Problem ── Tiling   how variables and components are cut into tiles
//	   │    └─ Text     device text of the components c, with tables; package
//	   │                kernels holds the texts themselves
//	   ├─ Hosted        + an independent host reference, see Eval
//	   ├─ Partial       + Structure, which variables each component reads: a change of one
//	   │                  variable costs the components it touches, see Kept
//	   ├─ Boxed         + an interval for each variable
//	   ├─ Optimum       + the smallest value known
//	   ├─ Signed        + a maximization
//	   └─ Binary        + variables 0 and 1; Graphed: the cut of a graph
//
// Parse turns a text such as "cec2013/f4:mode=paper,n=1e6", "maxcut:G1.txt", or
// the path of a .cl file, into a Problem; List, Families and Describe tell what
// there is. Faults in what a person gave are *input.Error.
//
// Packages below: draw has the random numbers, graph the graphs and their files.
// Nothing here knows devices.
package problems
