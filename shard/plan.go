package shard

import (
	"context"
	"fmt"
	"math"
	"time"

	"github.com/clopt/clopt/cl"
	"github.com/clopt/clopt/internal/problems/hostmem"
	"github.com/clopt/clopt/internal/problems/rescale"
	"github.com/clopt/clopt/problems"
)

// Plan is the memory of a run before it is allocated.
type Plan struct {
	Items []PlanItem
	// Units is the number of units that are shared between devices, such as groups of chains, for a run that is split
	// by replicas and not by variables; 0: it is split by super-tiles.
	Units int
	// Host is what each process of the run keeps in the memory of the host, if that may be much. Fixed means nothing
	// there.
	Host []PlanItem
}

// PlanItem is one vector or table of a run. Bytes is the size over all devices together, shared in proportion to the
// super-tiles (or units) of each, or, when Fixed, the size on each device.
type PlanItem struct {
	What  string
	Bytes int64
	Fixed bool
}

// DevicePlan is the memory of a run on one device.
type DevicePlan struct {
	Info    cl.Info
	Weight  float64
	Supers  int   // super-tiles or units owned; 0: the device stays idle
	Bytes   int64 // planned
	Limit   int64 // bytes that the plan may take there
	Largest int64 // the largest single vector; beyond Info.MaxAlloc it is tried whole and split if the device refuses
}

// PlanError means that a run does not fit in the memory of the devices.
type PlanError struct{ Need, Have int64 } // bytes

func (e *PlanError) Error() string {
	return fmt.Sprintf("does not fit: the run needs %s and the devices offer %s", Bytes(e.Need), Bytes(e.Have))
}

// Bytes returns a size as a text in binary units.
func Bytes(n int64) string { return hostmem.Bytes(n) }

// Total returns the size of the plan, in bytes, on one device that holds everything.
func (p Plan) Total() int64 { return SizeOf(p.Items) }

// Fit deals the super-tiles of t to devices in proportion to weights, within the given fraction of each device's
// memory. Devices that are one chip opened several times share its memory. It returns a *PlanError if the run does not
// fit.
func (p Plan) Fit(t problems.Tiling, infos []cl.Info, weights []float64, fraction float64) ([]DevicePlan, error) {
	if len(infos) == 0 {
		return nil, nil
	}
	type chip struct {
		host, address string // ranks of one host may see other devices with the same index
		index         int
	}
	chipOf := func(i cl.Info) chip { return chip{i.Host, i.Address, i.Index} }
	opened := map[chip]int64{}
	for _, i := range infos {
		opened[chipOf(i)]++
	}
	var fixed, shared, largest int64
	for _, it := range p.Items {
		if it.Fixed {
			fixed += it.Bytes
			continue
		}
		shared += it.Bytes
		largest = max(largest, it.Bytes)
	}
	n, whole := t.SuperTiles(), t.Whole
	if p.Units > 0 {
		n, whole = p.Units, false
	}
	plans, limit := make([]DevicePlan, len(infos)), make([]int, len(infos))
	have := int64(0)
	for i, info := range infos {
		offer := int64(float64(info.GlobalMem/opened[chipOf(info)]) * fraction)
		plans[i] = DevicePlan{Info: info, Weight: weights[i], Limit: offer}
		have += offer
		if room := offer - fixed; room < 0 || weights[i] == 0 {
			limit[i] = 0
		} else if shared > 0 {
			limit[i] = int(min(float64(n), float64(room)/float64(shared)*float64(n)))
		} else {
			limit[i] = n
		}
	}
	var counts []int
	if whole {
		counts = make([]int, len(infos))
		best := -1
		for i := range infos {
			if limit[i] >= n && (best < 0 || weights[i] > weights[best]) {
				best = i
			}
		}
		if best < 0 {
			return nil, &PlanError{Need: fixed + shared, Have: have}
		}
		counts[best] = n
	} else if counts = apportion(n, weights, limit); counts == nil {
		return nil, &PlanError{Need: fixed*int64(len(infos)) + shared, Have: have}
	}
	for i, c := range counts {
		plans[i].Supers = c
		if c > 0 {
			plans[i].Bytes = fixed + shared*int64(c)/int64(n)
			plans[i].Largest = largest * int64(c) / int64(n)
		}
	}
	return plans, nil
}

// FitHost returns a *hostmem.Error if the host has too little memory for a run. Processors among the devices of its
// plans take theirs from the same memory.
func (p Plan) FitHost(plans []DevicePlan) error {
	need := SizeOf(p.Host)
	for _, d := range plans {
		if d.Info.Type == cl.CPU && d.Info.Rank == 0 {
			need += d.Bytes
		}
	}
	return hostmem.Check("the run", need)
}

// SizeOf returns the size of some vectors or tables, in bytes.
func SizeOf(items []PlanItem) (n int64) {
	for _, it := range items {
		n += it.Bytes
	}
	return n
}

// Fit plans a run of p on the devices. Without weights in the options, devices of one kind get equal shares, and the
// speeds of different kinds are measured. A run of one process that keeps much in the memory of the host is compared
// with that, too: the error is a *hostmem.Error then. Without devices there is no plan.
func (g *Devices) Fit(ctx context.Context, plan Plan, p problems.Problem, prec problems.Precision) ([]DevicePlan,
	error) {
	w := g.weights()
	if g.opt.Weights == nil && !g.oneKind() {
		var err error
		if w, err = g.measure(ctx, p, prec); err != nil {
			return nil, err
		}
	}
	plans, err := plan.Fit(p.Tiling(), g.Infos(), w, g.opt.Memory)
	if err == nil && plan.Host != nil && !g.Shared() {
		err = plan.FitHost(plans)
	}
	return plans, err
}

// measure evaluates uniform points of a few super-tiles on one device after the other, and returns their speeds in
// tiles times points per second.
func (g *Devices) measure(ctx context.Context, p problems.Problem, prec problems.Precision) ([]float64, error) {
	if !p.Domain().OneBox() {
		p = rescale.Normalized(p)
	}
	t := p.Tiling()
	w := make([]float64, len(g.devices))
	for i, d := range g.devices {
		if d == nil {
			continue
		}
		alone := g.alone(i)
		shards := Split(t, []int{min(t.SuperTiles(), 8)}, nil)
		const points = 16
		pl, err := Place(alone, p, prec, shards, Drawn(), points*p.Accumulators(), nil)
		if err != nil {
			return nil, err
		}
		fastest := math.Inf(1)
		for k := range 4 { // the first one warms up
			start := time.Now()
			if _, err = pl.Eval(ctx, points, func(int) []any {
				return []any{uint32(0), uint32(0), uint32(0), uint32(0), uint32(0)}
			}); err != nil {
				break
			}
			if k > 0 {
				fastest = min(fastest, time.Since(start).Seconds())
			}
		}
		pl.Close()
		if err != nil {
			return nil, err
		}
		w[i] = float64(shards[0].Tiles()) / fastest
	}
	return w, Gather(g, w, func(device int) int { return device + 1 })
}

// Supers returns the number of super-tiles of each device of a plan.
func Supers(plans []DevicePlan) []int {
	n := make([]int, len(plans))
	for i, p := range plans {
		n[i] = p.Supers
	}
	return n
}
