package graybox

import (
	"math"
	"slices"
	"strings"

	"github.com/clopt/clopt/cl"
	"github.com/clopt/clopt/kernels"
	"github.com/clopt/clopt/problems"
	"github.com/clopt/clopt/shard"
	"github.com/clopt/clopt/solvers"
	"github.com/clopt/clopt/solvers/device"
)

// engine is a problem that was divided into parts, with the kernels of their classes on all devices. The blocks of a
// run have it in common.
type engine struct {
	p        problems.Problem
	s        solvers.Setup
	classes  []class
	coef     []float64          // of the accumulators, at the begin
	checked  bool               // values are compared with the host, and stored ones with an evaluation
	stepCost int64              // of the components of a step
	onlyCPU  bool               // all devices are processors
	places   []*shard.Placement // of each class
	whole    *shard.Placement   // evaluates the best point of open parts
}

// The cost of the components of a step: some hundredths of a second on the fastest devices, so that the launches
// and waits of a step take little of it, and some seconds on slow ones.
const (
	costOfGPU = 1 << 33
	costOfCPU = 1 << 23
)

// stepCost returns the one of these that holds for devices: the smaller one if one is a processor.
func stepCost(devices []cl.Info) int64 {
	if slices.ContainsFunc(devices, func(i cl.Info) bool { return i.Type == cl.CPU }) {
		return costOfCPU
	}
	return costOfGPU
}

// build compiles the kernels of each class for the devices of a plan.
func build(p problems.Problem, g *shard.Devices, s solvers.Setup, classes []class,
	plans []shard.DevicePlan) (_ engine, err error) {
	e := engine{p: p, s: s, classes: classes, checked: g.Checked(), stepCost: stepCost(g.Infos()),
		onlyCPU: !slices.ContainsFunc(g.Infos(), func(i cl.Info) bool { return i.Type != cl.CPU })}
	defer func() {
		if err != nil {
			e.close()
		}
	}()
	if err := checkLocal(p, g.Infos(), s.Precision, classes); err != nil {
		return e, err
	}
	shards := shard.Split(p.Tiling(), shard.Supers(plans), nil)
	for _, c := range classes {
		view := shard.View{Group: c.group(), Serial: c.serial, Single: true, Form: problems.Item,
			Parts: []kernels.Part{kernels.Get("solvers/graybox/view.cl")}}
		pl, err := shard.Place(g, p, s.Precision, shards, view, p.Accumulators()+reported, e.defines(c), texts()...)
		if err != nil {
			return e, err
		}
		e.places = append(e.places, pl)
	}
	if classes[0].open {
		e.whole, err = shard.Place(g, problems.Tiled(p), s.Precision, tiled(p, shards), shard.Plain(),
			p.Accumulators(), nil)
	}
	return e, err
}

// texts returns the texts of the kernels, after that of the problem.
func texts() []kernels.Part {
	parts := []kernels.Part{kernels.Struct("extent", device.Extent{}), kernels.Struct("graybox_layout", classLayout{}),
		kernels.Struct("graybox_range", partsRange{}), kernels.Struct("graybox_turn", turnOrders{})}
	for _, name := range []string{"part", "searches", "lbfgs", "cma", "axes", "worker", "restarts", "batch", "graybox",
		"report"} {
		parts = append(parts, kernels.Get("solvers/graybox/"+name+".cl"))
	}
	return parts
}

// checkLocal refuses wide parts for which a device has too little local memory.
func checkLocal(p problems.Problem, devices []cl.Info, prec problems.Precision, classes []class) error {
	text, err := p.Text(prec, problems.Item)
	if err != nil {
		return err
	}
	for _, c := range classes {
		need := int64((c.localRows()*c.room(false)+text.Scratch)*prec.Bits()/8 + 8*c.group()) // and a sum of each item
		for _, i := range devices {
			if c.wide && need > i.LocalMem {
				return solvers.Settingf("graybox: a part of %s has %d variables and needs %d bytes of local memory, "+
					"of which %s has %d; use the method masw", p.Spec(), c.span, need, i.Name, i.LocalMem)
			}
		}
	}
	return nil
}

// close releases the kernels.
func (e *engine) close() {
	for _, pl := range e.places {
		pl.Close()
	}
	if e.whole != nil {
		e.whole.Close()
	}
}

// defines returns the defines of the kernels of a class.
func (e *engine) defines(c class) []kernels.Define {
	set := 0
	for _, s := range c.searches {
		set |= 1 << s
	}
	least, difference := 1e-15, math.Cbrt(0x1p-52)
	if e.s.Precision == problems.FP32 {
		least, difference = 1e-7, math.Cbrt(0x1p-23)
	}
	floor := 0.05
	defines := []kernels.Define{
		kernels.Flag("OPEN", c.open), kernels.Number("COVERS", max(1, c.covers)),
		kernels.Number("PLACE_BITS", placeBits),
		kernels.Flag("WIDE_PARTS", c.wide), kernels.Number("SPAN", c.room(e.onlyCPU)), kernels.Flag("LINEAR", c.linear),
		kernels.Number("MOST_EACH", mostEach), kernels.Number("PAIRS", pairs),
		kernels.Number("CHAIN_REALS", c.chainReals()), kernels.Number("SEARCH_KINDS", c.kinds()),
		kernels.Flag("DENSE", c.dense()),
		kernels.Number("SEARCHES", set), kernels.Number("SEARCH_COUNT", len(c.searches)),
		kernels.Number("ALL_SEARCHES", len(names)),
		{Name: "FLOOR", Value: problems.Literal(floor)}, {Name: "MTS_WIDEST", Value: problems.Literal(0.4)},
		{Name: "MTS_LEAST", Value: problems.Literal(least)}, {Name: "DIFFERENCE", Value: problems.Literal(difference)},
	}
	if slices.Contains(c.searches, cma) {
		defines = append(defines, cmaDefines()...)
	}
	return defines
}

// cmaDefines returns the defines of kernels/solvers/graybox/cma.cl.
func cmaDefines() []kernels.Define {
	var weights, effective []string
	for better := fewestOffspring / 2; better <= mostOffspring/2; better *= 2 {
		list := make([]float64, better)
		total := 0.0
		squares := 0.0
		for k := range list {
			list[k] = math.Log(float64(better)+0.5) - math.Log(float64(k+1))
			total += list[k]
		}
		for _, w := range list {
			w /= total
			squares += w * w
			weights = append(weights, problems.Literal(w))
		}
		effective = append(effective, problems.Literal(1/squares))
	}
	return []kernels.Define{
		{Name: "CMA_WEIGHTS", Value: strings.Join(weights, ", ")},
		{Name: "CMA_EFFECTIVE", Value: strings.Join(effective, ", ")},
	}
}

// partsRange is which parts a launch works on: the struct graybox_range of the kernels.
type partsRange struct {
	From  uint32 // first tile, from that of the shard on
	Parts uint32 // of the launch
	First uint32 // part of a tile
	Count uint32 // parts of a tile
	Each  uint32 // parts of a group of work-items
}

// turnOrders is what a launch does with each part: the struct graybox_turn of the kernels.
type turnOrders struct {
	Quota    uint32 // evaluations of the launch, at most
	Most     uint32 // evaluations of the run, at most
	Patience uint32 // restarts that find nothing better after which the part rests
	Given    uint32 // start points
	Pass     uint32 // round of blocks
	Begins   uint32 // 1: the first launch of a turn
}

// tiled returns the shards with which the best point of open parts is evaluated. The tiles are those that p had before
// gathered.
func tiled(p problems.Problem, shards []shard.Shard) []shard.Shard {
	t := problems.Tiled(p).Tiling()
	if t == p.Tiling() {
		return shards
	}
	supers := make([]int, shards[0].Device+1)
	supers[shards[0].Device] = t.SuperTiles()
	return shard.Split(t, supers, nil)
}

// partsIn returns the number of parts of so many tiles.
func (e *engine) partsIn(tiles int64) int64 { return tiles * int64(e.classes[0].all) }

// costOf returns the cost of an evaluation of all parts of so many tiles.
func (e *engine) costOf(tiles int64) int64 { return tiles * int64(e.classes[0].cost) }
