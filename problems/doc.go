// Package problems is the contract of a problem, the function to be minimized:
//
//	f(x) = g(a),   a_j = Σ_k c_kj(x)      component k reads few variables
//
//	Problem ── Spec       its name, which catalog.Parse reads back
//	   │    ├─ Info       title, best known value and points, sense, files
//	   │    ├─ Domain     an interval for each variable, or 0 and 1
//	   │    ├─ Structure  what each component reads and costs: windows, lists, lists that
//	   │    │             repeat, everything. Blocks, parts, colours and evaluation by
//	   │    │             differences follow from it
//	   │    ├─ Tiling     how variables and components are divided into tiles
//	   │    └─ Text       device text of the components, with tables, in up to three
//	   │                  forms; package kernels holds the texts themselves
//	   ├─ Referenced      + an independent host reference, see Eval and DeltaEvaluator
//	   └─ Cut             + the graph of a maximum cut
//
// WithBounds and Maximized change a problem, and lose nothing.
// The packages below are the families (cec2013, classic, cut, opencl), each with a Family; package catalog finds a
// problem by its text. Errors in the input of a person are *input.Error. Nothing here depends on devices.
package problems
