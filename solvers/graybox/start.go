package graybox

import (
	"context"
	"math"

	"github.com/clopt/clopt/problems"
	"github.com/clopt/clopt/shard"
	"github.com/clopt/clopt/solvers"
	"github.com/clopt/clopt/solvers/device"
)

// Traits describe Graybox.
func (m *Graybox) Traits() solvers.Traits {
	return solvers.Traits{
		Name: "graybox",
		About: `local searches from many start points in every part of a point by itself, for objectives that are
sums over parts with few variables. The searches that gain most in a part get most of its evaluations.`,
		Settings: m.settings(),
		Suits:    m.suits, Limits: m.limits,
	}
}

// suits checks that p has parts that this method takes.
func (m *Graybox) suits(p problems.Problem, prec problems.Precision) error {
	if err := solvers.Continuous(m, p); err != nil {
		return err
	}
	if err := solvers.CheckOneBox(m, p); err != nil {
		return err
	}
	if !problems.FollowsSlopes(p) {
		return solvers.Settingf("graybox searches parts by the slopes of the value in its sums, and that of %s may "+
			"bend up in its sums, have kinks or have no value at some of them, so it would end at a bad point; name "+
			"no method, and clopt chooses one", p.Spec())
	}
	if prec == problems.FP32 && (m.Search == "lbfgs" || m.Search == "axes") {
		return solvers.Settingf("search=%s needs differences in float64; use --precision fp64 or another search",
			m.Search)
	}
	_, err := m.layers(problems.Gathered(p))
	return err
}

// limits allows any number of start points. A step of closed parts is one evaluation at least. The first one of open
// parts is two evaluations of the whole point, and three of the parts of the first layer.
func (m *Graybox) limits(p problems.Problem, _ problems.Precision) solvers.Limits {
	l := solvers.Limits{Starts: mostStarts, Step: 1}
	layers, err := m.layers(problems.Gathered(p))
	if err != nil || layers[0].Colours == 1 { // Start reports the error
		return l
	}
	all, first := int64(layers[0].Cost), int64(0)
	for _, part := range layers[0].Parts {
		first += int64(part.Cost)
	}
	l.Step = wholeFirst + ((1+refreshes)*first+all-1)/all
	return l
}

// mostStarts is the largest number of start points.
const mostStarts = 1000

// Plan returns the memory of the parts.
func (m *Graybox) Plan(p problems.Problem, prec problems.Precision) shard.Plan {
	p = problems.Gathered(p)
	classes, err := m.classes(p, prec)
	if err != nil {
		return shard.Plan{} // Start reports it
	}
	return m.plan(p, prec, classes)
}

// Start makes a run. Each device works on the parts of its tiles.
func (m *Graybox) Start(ctx context.Context, p problems.Problem, g *shard.Devices, s solvers.Setup) (solvers.Run,
	error) {
	p = problems.Gathered(p)
	classes, err := m.classes(p, s.Precision)
	if err != nil {
		return nil, err
	}
	if n := m.blocks(p, classes); n > 1 {
		return m.startBlocks(ctx, p, g, s, classes, n)
	}
	return m.start(ctx, p, g, s, classes)
}

func (m *Graybox) start(ctx context.Context, p problems.Problem, g *shard.Devices, s solvers.Setup,
	classes []class) (solvers.Run, error) {
	plans, err := g.Fit(ctx, m.plan(p, s.Precision, classes), p, s.Precision)
	if err != nil {
		return nil, err
	}
	coef := p.Linear()
	if coef == nil {
		if coef, err = slopes(ctx, p, g, s, plans); err != nil {
			return nil, err
		}
	}
	e, err := build(p, g, s, classes, plans)
	if err != nil {
		return nil, err
	}
	e.coef = coef
	var r *run
	shards, err := device.SplitUntilFits(p.Tiling(), plans, func(shards []shard.Shard) (err error) {
		r, err = e.begin(shards, 0)
		return err
	})
	if err != nil {
		e.close()
		return nil, err
	}
	r.layout = solvers.Info{Plans: plans, Shards: shards}
	return r, nil
}

// startBlocks starts a run in n blocks.
func (m *Graybox) startBlocks(ctx context.Context, p problems.Problem, g *shard.Devices, s solvers.Setup,
	classes []class, n int) (_ solvers.Run, err error) {
	plans, err := g.Fit(ctx, m.plan(p, s.Precision, classes), p, s.Precision)
	if err != nil {
		return nil, err
	}
	t, shards := p.Tiling(), shard.Split(p.Tiling(), shard.Supers(plans), nil)
	r := &blocksRun{shares: shard.Supers(plans), size: (t.SuperTiles() + n - 1) / n, x: make([]float64, t.N)}
	r.state = blocksState{Sample: solvers.Sample{Best: math.Inf(1)}, Rows: make([][]float64, len(classes)),
		Searches: make([]float64, 2*len(names))}
	for i := range r.state.Rows {
		r.state.Rows[i] = make([]float64, t.SuperTiles()*(p.Accumulators()+reported))
	}
	r.drawn, err = drawn(ctx, p, g, s, shards)
	if err != nil {
		return nil, err
	}
	r.engine, err = build(p, g, s, classes, plans)
	if err != nil {
		return nil, err
	}
	r.coef = p.Linear()
	r.layout = solvers.Info{Plans: plans, Shards: shards}
	return r, nil
}
