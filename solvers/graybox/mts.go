package graybox

import (
	"github.com/clopt/clopt/kernels"
	"github.com/clopt/clopt/problems"
	"github.com/clopt/clopt/shard"
)

// With search=mts the local search of a part is MTS-LS1 of Tseng and Chen (2008,
// "Multiple trajectory search for large scale global optimization",
// doi:10.1109/CEC.2008.4631210) in place of Solis and Wets: one variable after the
// other is moved by a step of its own, however many there are, where a step of all
// of them must suit all. That is what methods for thousands of variables that have little
// to do with each other end with. Of a chain it remembers the step and the
// place in the sweep. As with search=cma a part has one chain at a time, which goes on where it stopped
// until its step is nothing.

// Steps of a chain of search=mts as parts of the box: the first one, as in the paper, and
// the one below which it is over, which changes little but the last digits of a variable.
const (
	widest    = 0.4
	leastFP64 = 1e-15
	leastFP32 = 1e-7
)

// follows says that chains of a part are followed to their end, one at a time.
func (m *Graybox) follows() bool { return m.Search == "cma" || m.Search == "mts" }

// mtsDefines are those of kernels/solvers/graybox/mts.cl.
func mtsDefines(prec problems.Precision) []kernels.Define {
	least := leastFP64
	if prec == problems.FP32 {
		least = leastFP32
	}
	return []kernels.Define{{Name: "MTS_WIDEST", Value: shard.Literal(widest)},
		{Name: "MTS_LEAST", Value: shard.Literal(least)}}
}
