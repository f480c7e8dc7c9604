package anneal

import (
	"fmt"
	"math"
	"slices"

	"github.com/clopt/clopt/cl"
	"github.com/clopt/clopt/problems"
	"github.com/clopt/clopt/shard"
	"github.com/clopt/clopt/solvers/device"
)

// saDevice is the memory of one device.
type saDevice struct {
	first, groups int         // of chains, on this device
	pace          shard.Pacer // of a segment of a group
	part          shard.Pacer // of a step of a chain of each compute unit
	open          saPart      // the segment that has begun, in some groups
	made          int64       // start points and moves of the Step so far
	x             *shard.Reals
	acc           *shard.Sums
	f             *shard.Reals
	logAt         *cl.Buffer[uint32]
	logOld        *shard.Reals
	nowBest       *shard.Reals
	nowMoves      *cl.Buffer[uint32]
	recF, recX    *shard.Reals
	outF, outX    [2]*shard.Reals // alternating: points of the last epoch, and of this one
	odd           *cl.Buffer[uint32]
	tried, taken  *cl.Buffer[uint32]
	wide          *shard.Reals
	temperature   *shard.Reals
}

func (d *saDevice) width() int { return d.groups * chainGroup }

// share describes the vectors of a device. The fields of d hold them. A unit is a group of chains, and a
// vector with a number for each chain of a device has those of one variable, or of one step, side by side.
func (m *SA) share(d *saDevice, p problems.Problem, prec problems.Precision) device.Share {
	n, sch := p.Domain().N, m.schedule()
	chains := fmt.Sprintf("chains: %d to a group, points of %d variables in %s", chainGroup, n, prec)
	segment := fmt.Sprintf("moves of a segment of %d steps", sch.segment)
	const values, best, adaptive = "their accumulators and values", "best points of groups: current, previous and ever",
		"widths and counts of the neighbour"
	none := slices.Repeat([]float64{math.Inf(1)}, d.groups)
	// Without the adaptive neighbour, kernels take these vectors but do not use them.
	widths := 1
	per := device.Device
	wide := []float64(nil)
	kept := [3]string{}
	if m.neighbour() == "adaptive" {
		widths = n
		per = device.Unit
		kept = [3]string{"tried", "taken", "widths"}
		for i := range n {
			lo, hi := p.Domain().In(prec).Interval(i)
			wide = append(wide, hi-lo)
		}
		wide = slices.Repeat(wide, d.groups)
	}
	return device.Share{Precision: prec, FirstUnit: d.first / chainGroup, Units: d.groups, Vectors: []device.Vector{
		{To: &d.x, Name: "x", What: chains, Rows: n, Wide: chainGroup, Per: device.Unit, Kept: "points"},
		{To: &d.acc, Name: "acc", What: values, Rows: p.Accumulators(), Wide: chainGroup, Per: device.Unit,
			Kept: "sums"},
		{To: &d.f, Name: "f", What: values, Rows: chainGroup, Per: device.Unit, Kept: "values"},
		{To: &d.logAt, Name: "log_at", What: segment, Rows: chainGroup * sch.segment, Per: device.Unit},
		{To: &d.logOld, Name: "log_old", What: segment, Rows: chainGroup * sch.segment, Per: device.Unit},
		{To: &d.nowBest, Name: "now_best", What: segment, Rows: chainGroup, Per: device.Unit},
		{To: &d.nowMoves, Name: "now_moves", What: segment, Rows: chainGroup, Per: device.Unit},
		{To: &d.recF, Name: "rec_f", What: best, Rows: 1, Per: device.Unit, Data: none, Kept: "records"},
		{To: &d.recX, Name: "rec_x", What: best, Rows: n, Per: device.Unit, Kept: "record points"},
		{To: &d.outF[0], Name: "out_f", What: best, Rows: 1, Per: device.Unit},
		{To: &d.outX[0], Name: "out_x", What: best, Rows: n, Per: device.Unit},
		{To: &d.outF[1], Name: "in_f", What: best, Rows: 1, Per: device.Unit},
		{To: &d.outX[1], Name: "in_x", What: best, Rows: n, Per: device.Unit},
		{To: &d.odd, Name: "odd", What: values, Rows: 1, Per: device.Unit, Kept: "not finite"},
		{To: &d.tried, Name: "tried", What: adaptive, Rows: widths, Per: per, Kept: kept[0]},
		{To: &d.taken, Name: "taken", What: adaptive, Rows: widths, Per: per, Kept: kept[1]},
		{To: &d.wide, Name: "wide", What: adaptive, Rows: widths, Per: per, Data: wide, Kept: kept[2]},
		{To: &d.temperature, Name: "temperature", What: "temperatures", Rows: len(sch.levels), Data: sch.levels},
	}}
}
