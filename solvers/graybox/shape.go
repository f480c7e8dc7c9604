package graybox

import (
	"context"
	"errors"

	"github.com/clopt/clopt/problems"
	"github.com/clopt/clopt/shard"
	"github.com/clopt/clopt/solvers"
	"github.com/clopt/clopt/solvers/device"
)

// Acceptance by parts. The objective is a sum over parts that share no variables,
// so everything that MASW selects, accepts and adapts can be decided per part,
// by the value of the part: for the same candidates that is never worse than
// deciding by the whole, and the parts need nothing of each other. What the
// parts are follows from what the problem declares (problems.BlocksOf). Each
// part runs MA-SW-Chains (scheme=chains, see MASWSeq) or the synchronous
// algorithm of MASW (scheme=synchronous) by itself; the best point is put
// together from the best points of the parts, and an evaluation is one
// candidate of every part. One work-group works on a part, many evaluations
// in a launch.

// partShape is what the kernels of part acceptance are compiled for.
type partShape struct {
	n         int // individuals
	tiles     int // of a part; all of them where the problem is one part
	used      int // variables of a tile that are read
	span      int // variables of a candidate
	rows      int // biases of a part
	points    int // rows of accumulators of a part
	sync      bool
	offspring int             // of search=cma; 0: another local search
	mts       bool            // search=mts
	levels    int             // of search=cma: numbers of offspring, each twice the one before
	colours   int             // parts u, u + colours, … have no component in common
	before    int             // variables before a part that its components read
	back      int             // components of the tile before a part that read it
	parts     *problems.Parts // parts are parts of tiles; nil: tiles
	costs     chainsCosts
	coef      []float64
	total     int // tiles, or runs
	runs      int // independent runs of a problem of one tile, a part each; 0: one run
	stored    int // rows of x
	accs      int
	form      problems.Form
	scratch   int
	panel     problems.Panel
}

// per is how many parts a tile makes, 1 where a part is one tile or several.
func (b partShape) per() int {
	if b.parts != nil {
		return len(b.parts.Parts)
	}
	return 1
}

// part is the number of the first part of a tile.
func (b partShape) part(tile int) int { return tile / b.tiles * b.per() }

// count is how many parts the tiles of a shard make.
func (b partShape) count(tiles int) int { return (tiles + b.tiles - 1) / b.tiles * b.per() }

// shared says that values of parts depend on other parts, or are not sums of
// tiles: then the point put together so far is held beside the individuals.
func (b partShape) shared() bool { return b.colours > 1 || b.parts != nil }

// biases is how many vectors of a part its local search keeps beside the individuals.
func (b partShape) biases() int {
	if b.mts {
		return 0
	}
	return b.rows
}

// grained is p as the setting Grain has it decided about: in smaller tiles
// where its components are windows, else with its tiles cut into parts.
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

// shape derives the shape; parts cut the tiles of the problem.
func (m *Graybox) shape(p problems.Problem, parts *problems.Parts, prec problems.Precision) (partShape, error) {
	t := p.Tiling()
	b := partShape{n: m.population(p.Domain().N, prec), tiles: 1, colours: 1, total: t.Tiles(),
		sync: m.Scheme == "synchronous", accs: p.Accumulators()}
	b.costs = oneCost(b.n)
	b.rows, b.points, b.stored = min(m.states(), b.n), b.n+1, b.n+1
	b.mts = m.Search == "mts"
	if m.follows() {
		b.rows = 1 // a chain at a time
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
		return b, solvers.Settingf("graybox: decisions about parts of %s are made with scheme=chains", p.Spec())
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

// takes sets the form of the device text that the parts evaluate.
func (b *partShape) takes(p problems.Problem, prec problems.Precision, form problems.Form) error {
	text, err := p.Text(prec, form)
	if errors.Is(err, problems.ErrNoForm) {
		return solvers.Settingf("graybox: %s has no device text for single components; use --solver masw", p.Spec())
	}
	b.form, b.scratch, b.panel = form, max(text.Scratch, 1), text.Panel
	return err
}

// group is how many work-items suffice for a part, as a power of two: one for
// four variables, which share the words of a draw; in parts, one for each.
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

// local is how many bytes of local memory a group takes beside its candidates, of
// which it has some at a time, and with them.
func (b partShape) local(prec problems.Precision, group, candidates int) (without, with int) {
	bytes, scratch := prec.Bits()/8, b.scratch
	if candidates > 1 {
		scratch, group = candidates*b.panel.Scratch, max(group, b.panel.Group)
	}
	without = scratch*bytes + 8*3*group + 8*b.n + 4*group + 256
	if b.offspring > 0 {
		without += b.span*bytes + b.ranked()*(bytes+2) // deviates, values and ranks
	}
	return without, without + candidates*b.span*bytes
}

// together is how many individuals of a part a group evaluates at a time: two
// where a table of rotations is read for them, and only where all are improved.
func (b partShape) together(prec problems.Precision, group int, memory int64) int {
	if !b.sync || b.tiles > 1 || b.panel.Points < 2 || b.panel.One {
		return 1
	}
	if _, with := b.local(prec, group, 2); int64(with) > memory {
		return 1
	}
	return 2
}

// devicePlan is the plan of a run on devices.
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
func (m *Graybox) startParts(ctx context.Context, p problems.Problem, g *shard.Group, s solvers.Setup) (solvers.Run,
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

// startShape starts a run, or several, of parts of a shape; p is what the
// engine works on and dealt how it is dealt to devices.
func (m *Graybox) startShape(ctx context.Context, p, dealt problems.Problem, g *shard.Group, s solvers.Setup,
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
	e.layout = solvers.Info{Plans: plans, Shards: shards, Units: b.runs, UnitNames: "runs", BuildTime: e.pl.BuildTime}
	if b.sync {
		return newSyncRun(e, e.one.Domain().N, m.iterations()), nil
	}
	return newChainsRun(e, e.one.Domain().N, b.costs, m.iterations(), m.ratio()), nil
}
