package graybox

import (
	"math"
	"slices"

	"github.com/clopt/clopt/cl"
	"github.com/clopt/clopt/kernels"
	"github.com/clopt/clopt/problems"
	"github.com/clopt/clopt/shard"
	"github.com/clopt/clopt/solvers"
	"github.com/clopt/clopt/solvers/device"
)

// engine is a problem that was cut into parts, with the kernels of their classes on all devices. The waves of a run
// have it in common.
type engine struct {
	p        problems.Problem
	s        solvers.Setup
	classes  []class
	coef     []float64          // of the accumulators, at the begin
	checked  bool               // values are compared with the host, and stored ones with an evaluation
	stepCost int64              // of the components of a step
	places   []*shard.Placement // of each class
	whole    *shard.Placement   // evaluates the best point of open parts
}

// build compiles the kernels of each class for the devices of a plan.
func build(p problems.Problem, g *shard.Devices, s solvers.Setup, classes []class,
	plans []shard.DevicePlan) (_ engine, err error) {
	e := engine{p: p, s: s, classes: classes, checked: g.Checked(), stepCost: stepCost(g.Infos())}
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
		pl, err := shard.Place(g, p, s.Precision, shards, view, p.Accumulators()+reported, e.defines(c),
			kernels.Struct("extent", device.Extent{}), kernels.Struct("graybox_range", partsRange{}),
			kernels.Struct("graybox_turn", turnOrders{}), kernels.Get("solvers/graybox/part.cl"), kernels.Get("solvers/graybox/searches.cl"),
			kernels.Get("solvers/graybox/lbfgs.cl"), kernels.Get("solvers/graybox/cma.cl"),
			kernels.Get("solvers/graybox/axes.cl"), kernels.Get("solvers/graybox/worker.cl"),
			kernels.Get("solvers/graybox/episodes.cl"), kernels.Get("solvers/graybox/batch.cl"),
			kernels.Get("solvers/graybox/graybox.cl"),
			kernels.Get("solvers/graybox/report.cl"))
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

// checkLocal refuses wide parts for which a device has too little local memory.
func checkLocal(p problems.Problem, devices []cl.Info, prec problems.Precision, classes []class) error {
	text, err := p.Text(prec, problems.Item)
	if err != nil {
		return err
	}
	for _, c := range classes {
		need := int64((c.localRows()*c.span+text.Scratch)*prec.Bits()/8 + 8*c.group()) // and a sum of each item
		for _, i := range devices {
			if c.wide && need > i.LocalMem {
				return solvers.Settingf("graybox: a part of %s has %d variables and needs %d bytes of local memory, "+
					"of which %s has %d; use the method masw", p.Spec(), c.span, need, i.Name, i.LocalMem)
			}
		}
	}
	return nil
}

// localRows returns the points of a wide part in local memory: the point of the episode, the candidate and what cma
// draws.
func (c class) localRows() int {
	if slices.Contains(c.searches, cma) {
		return 10
	}
	return 2
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
	return append(c.cmaDefines(), []kernels.Define{
		kernels.Flag("OPEN", c.open), kernels.Number("COVERS", max(1, c.covers)),
		kernels.Number("PLACE_BITS", placeBits),
		kernels.Flag("WIDE_PARTS", c.wide), kernels.Number("SPAN", c.span), kernels.Flag("LINEAR", c.linear),
		kernels.Number("PER_TILE", len(c.parts)), kernels.Number("PER_TILE_ALL", c.all),
		kernels.Number("PLACES", c.places()), kernels.Number("MOST_EACH", mostEach),
		kernels.Number("REALS", c.tileReals()), kernels.Number("OWN", c.own()), kernels.Number("PAIRS", pairs),
		kernels.Number("CHAIN_REALS", c.chainReals()), kernels.Number("SEARCH_KINDS", c.kinds()),
		kernels.Flag("DENSE", c.dense()),
		kernels.Number("SEARCHES", set), kernels.Number("SEARCH_COUNT", len(c.searches)),
		kernels.Number("ALL_SEARCHES", len(names)),
		{Name: "FLOOR", Value: problems.Literal(floor)}, {Name: "MTS_WIDEST", Value: problems.Literal(0.4)},
		{Name: "MTS_LEAST", Value: problems.Literal(least)}, {Name: "DIFFERENCE", Value: problems.Literal(difference)},
	}...)
}

// partsIn returns the number of parts of so many tiles.
func (e *engine) partsIn(tiles int64) int64 { return tiles * int64(e.classes[0].all) }

// costOf returns the cost of an evaluation of all parts of so many tiles.
func (e *engine) costOf(tiles int64) int64 { return tiles * int64(e.classes[0].cost) }
