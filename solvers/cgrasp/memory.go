package cgrasp

import (
	"fmt"
	"math"

	"github.com/clopt/clopt/cl"
	"github.com/clopt/clopt/problems"
	"github.com/clopt/clopt/shard"
	"github.com/clopt/clopt/solvers/device"
)

// The numbers of words, reals and counts of a slot, and the places of some of them. They are listed in
// kernels/solvers/cgrasp/cgrasp.cl.
const (
	graspWords, graspReals, graspCounts = 14, 7, 4

	graspWordPhase, graspWordWho, graspWordLeft, graspWordEnd = 0, 1, 5, 7
	graspWordMoved, graspWordOdd, graspWordUntil              = 9, 11, 12
	graspWordPart                                             = 13
	graspRealValue, graspRealBest                             = 1, 4
)

// graspDevice is the memory of one device.
type graspDevice struct {
	first, slots              int
	x, z, gain, before, at, y *shard.Reals
	mark                      *cl.Buffer[uint8]
	acc                       *shard.Sums
	words                     *cl.Buffer[uint32]
	reals                     *shard.Reals
	counts                    *cl.Buffer[uint64]
	x0                        *shard.Reals
	did                       *cl.Buffer[uint32] // units that a slot made in a launch, and whether more are left
	pace                      [2]shard.Pacer     // of a unit of a slot, in constructions and local searches
	hostWords, hostDid        []uint32
	hostReals                 []float64
	hostCounts                []uint64
}

// newGraspDevice returns a device with slots from number first on. Its host fields describe slots that have not begun.
func newGraspDevice(first, slots int) *graspDevice {
	o := &graspDevice{first: first, slots: slots, hostDid: make([]uint32, 2*slots),
		hostWords: make([]uint32, slots*graspWords), hostReals: make([]float64, slots*graspReals),
		hostCounts: make([]uint64, slots*graspCounts)}
	for k := range slots {
		o.hostWords[k*graspWords+graspWordWho] = uint32(first + k)
		o.hostReals[k*graspReals+graspRealBest] = math.Inf(1)
	}
	return o
}

// share describes the vectors of a device, for a problem of accs accumulators and given start points. The fields of o
// hold them. A start stores width points of a local search.
func (q *graspRules) share(o *graspDevice, prec problems.Precision, accs, width int, x0 []float64) device.Share {
	n := q.n
	local := fmt.Sprintf("points of local search: %d of a start, in %s", width, prec)
	starts := fmt.Sprintf("starts of %d variables in %s, with line searches and the best points", n, prec)
	return device.Share{Precision: prec, FirstUnit: o.first, Units: o.slots, Vectors: []device.Vector{
		{To: &o.y, Name: "ys", What: local, Rows: width * n, Per: device.Unit},
		{To: &o.x, Name: "xs", What: starts, Rows: n, Per: device.Unit, Kept: "points"},
		{To: &o.z, Name: "zs", What: starts, Rows: n, Per: device.Unit, Kept: "line searches"},
		{To: &o.gain, Name: "gains", What: starts, Rows: n, Per: device.Unit, Kept: "gains"},
		{To: &o.before, Name: "befores", What: starts, Rows: n, Per: device.Unit, Kept: "before"},
		{To: &o.at, Name: "ats", What: starts, Rows: n, Per: device.Unit, Kept: "best points"},
		{To: &o.mark, Name: "marks", What: starts, Rows: q.marks(), Per: device.Unit, Kept: "marks"},
		{To: &o.acc, Name: "accs", What: starts, Rows: accs, Per: device.Unit, Kept: "sums"},
		{To: &o.words, Name: "words", What: starts, Rows: graspWords, Per: device.Unit, Kept: "words",
			Data: o.hostWords},
		{To: &o.reals, Name: "reals", What: starts, Rows: graspReals, Per: device.Unit, Kept: "reals",
			Data: o.hostReals},
		{To: &o.counts, Name: "counts", What: starts, Rows: graspCounts, Per: device.Unit, Kept: "counts"},
		{To: &o.did, Name: "did", What: starts, Rows: 2, Per: device.Unit},
		{To: &o.x0, Name: "x0", What: "start points", Rows: max(n, len(x0)), Data: x0},
	}}
}
