package methods

import (
	"github.com/clopt/clopt/internal/solvers/search"
	"github.com/clopt/clopt/solvers"
)

// Search is a search on the host that only asks for values of points, which devices compute, or a function of the host.
// FromHost makes a method of it, which counts evaluations, keeps limits, remembers the best point, and is stored and
// resumed.
type Search = search.Search

// Start is where a Search begins, or goes on.
type Start = search.Start

// FromHost returns the method of the given traits whose runs are the searches that begin returns. begin reads the
// settings of the traits. Points are evaluated whole, on one device, or by the function of the host that a problem is.
func FromHost(t solvers.Traits, begin func(at Start) Search) solvers.Solver {
	return &search.Method{Of: t, Begin: begin}
}
