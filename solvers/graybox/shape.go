package graybox

import (
	"context"
	"errors"

	"github.com/clopt/clopt/problems"
	"github.com/clopt/clopt/shard"
	"github.com/clopt/clopt/solvers"
	"github.com/clopt/clopt/solvers/device"
)

// A part is a tile, several tiles, or a piece of a tile. Graybox describes the method; problems.BlocksOf
// and problems.PartsOf find the parts that a problem declares.

// partShape describes the parts and the memory of each. The kernels are compiled for it.
type partShape struct {
	n         int // individuals
	tiles     int // tiles of a part; all of them if the problem is one part
	used      int // variables of a tile that are read
	span      int // largest number of variables of a part
	rows      int // biases of a part
	points    int // rows of accumulators of a part
	sync      bool
	offspring int             // with search=cma: smallest number; 0: another local search
	mts       bool            // search=mts
	levels    int             // with search=cma: numbers of offspring, each twice the one before
	colours   int             // parts u, u + colours, … have no component in common
	before    int             // variables before a part that its components read
	back      int             // components of the tile before a part that read it
	parts     *problems.Parts // pieces of tiles; nil: a part is one tile or several
	costs     chainsCosts
	coef      []float64
	total     int // number of tiles, or of runs
	runs      int // independent runs that share launches; 0: one run
	stored    int // rows of x
	accs      int
	form      problems.Form
	scratch   int
	panel     problems.Panel
}

// per returns the number of parts of a tile. It is 1 if a part is one tile or several.
func (b partShape) per() int {
	if b.parts != nil {
		return len(b.parts.Parts)
	}
	return 1
}

// part returns the number of the first part of a tile.
func (b partShape) part(tile int) int { return tile / b.tiles * b.per() }

// count returns the number of parts of the given number of tiles.
func (b partShape) count(tiles int) int { return (tiles + b.tiles - 1) / b.tiles * b.per() }

// shared reports whether the values of parts depend on other parts, or are not sums of tiles. The best
// point so far is then stored besides the individuals.
func (b partShape) shared() bool { return b.colours > 1 || b.parts != nil }

// biases returns the number of vectors of a part that local search keeps besides the individuals.
func (b partShape) biases() int {
	if b.mts {
		return 0
	}
	return b.rows
}

// grained applies the setting Grain: it returns p with smaller tiles if its components are windows, and
// otherwise p with its tiles cut into parts.
func (m *Graybox) grained(p problems.Problem) (problems.Problem, *problems.Parts, error) {
	if m.Grain == 0 {
		return p, nil, nil
	}
	if fine, err := problems.WithTileSize(p, m.Grain); err == nil {
		return fine, nil, nil
	}
	parts, err := problems.PartsOf(p, m.Grain)
	if err != nil {
		return nil, nil, solvers.Settingf("grain=%d: %v; leave grain out", m.Grain, err)
	}
	return p, parts, nil
}

// shape derives the shape of the parts. parts has the pieces of a tile, or is nil.
func (m *Graybox) shape(p problems.Problem, parts *problems.Parts, prec problems.Precision) (partShape, error) {
	t := p.Tiling()
	b := partShape{n: m.population(p.Domain().N, prec), tiles: 1, colours: 1, total: t.Tiles(),
		sync: m.Scheme == "synchronous", accs: p.Accumulators()}
	b.costs = oneCost(b.n)
	b.rows, b.points, b.stored = min(m.states(), b.n), b.n+1, b.n+1
	b.mts = m.Search == "mts"
	if m.follows() {
		b.rows = 1 // one chain at a time
	}
	if b.sync {
		b.rows, b.points, b.stored = b.n, b.n, b.n
	}
	if m.whole() {
		b.tiles, b.used, b.span = t.Tiles(), t.N, t.N
		b.coef = p.Linear()
		if b.tiles == 1 { // as a part
			b.used = t.N
		}
		return b, b.takes(p, prec, problems.Tile)
	}
	declared, err := problems.BlocksOf(p)
	if err != nil {
		return b, solvers.Settingf("graybox: %v; use --solver masw", err)
	}
	b.coef, b.used, b.span = declared.Coef, declared.Used, declared.Used
	b.cma(m)
	if declared.Colours == 1 && parts == nil {
		return b, b.takes(p, prec, problems.Tile)
	}
	if b.sync {
		return b, solvers.Settingf("graybox: the parts of %s need scheme=chains", p.Spec())
	}
	if err := b.takes(p, prec, problems.Item); err != nil {
		return b, err
	}
	if parts != nil {
		b.parts, b.colours, b.span = parts, parts.Colours, 0
		for _, part := range parts.Parts {
			b.span = max(b.span, len(part.Vars))
		}
		b.cma(m)
		b.costs = partCosts(parts, b.n, b.total)
		return b, nil
	}
	b.colours, b.before, b.back = declared.Colours, declared.Before, declared.Back
	b.costs = colourCosts(p, declared, b.n)
	return b, nil
}

// takes sets the form of the device text that evaluates the parts.
func (b *partShape) takes(p problems.Problem, prec problems.Precision, form problems.Form) error {
	text, err := p.Text(prec, form)
	if errors.Is(err, problems.ErrNoForm) {
		return solvers.Settingf("graybox: %s has no device text for single components; use --solver masw", p.Spec())
	}
	b.form, b.scratch, b.panel = form, max(text.Scratch, 1), text.Panel
	return err
}

// group returns the number of work-items for a part, a power of two. One item is enough for a quad, whose
// variables share a draw. In pieces of tiles there is one item for each variable.
func (b partShape) group() int {
	each := 4
	if b.parts != nil {
		each = 1
	}
	g := 4
	for ; g < 1024 && each*g < b.span; g *= 2 {
	}
	return g
}

// local returns the bytes of local memory of a work-group, without and with its candidates.
func (b partShape) local(prec problems.Precision, group, candidates int) (without, with int) {
	bytes, scratch := prec.Bits()/8, b.scratch
	if candidates > 1 {
		scratch, group = candidates*b.panel.Scratch, max(group, b.panel.Group)
	}
	without = scratch*bytes + 8*3*group + 8*b.n + 4*group + 256
	if b.offspring > 0 {
		without += b.span*bytes + b.ranked()*(bytes+2) // deviations, values and ranks
	}
	return without, without + candidates*b.span*bytes
}

// together returns the number of individuals of a part that a work-group evaluates at a time: two if they
// share a table of rotations and all individuals are improved, otherwise one.
func (b partShape) together(prec problems.Precision, group int, memory int64) int {
	if !b.sync || b.tiles > 1 || b.panel.Points < 2 || b.panel.One {
		return 1
	}
	if _, with := b.local(prec, group, 2); int64(with) > memory {
		return 1
	}
	return 2
}

// devicePlan returns the plan of a run on devices.
func (m *Graybox) devicePlan(p problems.Problem, prec problems.Precision) shard.Plan {
	p, parts, err := m.grained(p)
	if err != nil {
		return shard.Plan{} // Start reports it
	}
	b, err := m.shape(p, parts, prec)
	if err != nil {
		return shard.Plan{}
	}
	return b.plan(p, prec)
}

// oneDevice is a problem that stays on one device.
type oneDevice struct{ problems.Problem }

func (p oneDevice) Tiling() problems.Tiling {
	t := p.Problem.Tiling()
	t.Whole = true
	return t
}

// startParts starts a run on devices.
func (m *Graybox) startParts(ctx context.Context, p problems.Problem, g *shard.Devices, s solvers.Setup) (solvers.Run,
	error) {
	p, parts, err := m.grained(p)
	if err != nil {
		return nil, err
	}
	b, err := m.shape(p, parts, s.Precision)
	if err != nil {
		return nil, err
	}
	dealt := p
	if m.whole() {
		dealt = oneDevice{p}
	}
	return m.startShape(ctx, p, dealt, g, s, b)
}

// startShape starts one run or several. The engine works on p; dealt determines how p is dealt to devices.
func (m *Graybox) startShape(ctx context.Context, p, dealt problems.Problem, g *shard.Devices, s solvers.Setup,
	b partShape) (solvers.Run, error) {
	plans, err := g.Fit(ctx, b.plan(p, s.Precision), dealt, s.Precision)
	if err != nil {
		return nil, err
	}
	var e *partEngine
	shards, err := device.SplitUntilFits(dealt.Tiling(), plans, func(shards []shard.Shard) (err error) {
		e, err = m.partEngine(p, g, s, b, shards)
		return err
	})
	if err != nil {
		return nil, err
	}
	e.layout = solvers.Info{Plans: plans, Shards: shards, Units: b.runs, UnitNames: "runs"}
	if b.sync {
		return newSyncRun(e, e.one.Domain().N, m.iterations()), nil
	}
	return newChainsRun(e, e.one.Domain().N, b.costs, m.iterations(), m.ratio()), nil
}
