package engine

import (
	"context"

	"github.com/clopt/clopt/internal/problems/linkage"
	"github.com/clopt/clopt/problems/graph"
	"github.com/clopt/clopt/solvers/mixing/internal/host"
)

// serial makes offspring one after the other on one core of the host.
type serial struct {
	Task
	g    *graph.Graph
	home *host.Mixer // in the order in which populations are stored

	// Of the generation in progress:
	now     *host.Population // nil: there is none
	parents *host.Population // now, in the order of mix
	mix     *host.Mixer      // home if the model is fixed
	back    *linkage.Model   // of mix, if models are learned

	anneal *host.Annealing // of new individuals, or nil
}

// Serial returns the engine of t on the host.
func Serial(t Task) Engine {
	e := &serial{Task: t, g: t.Problem.Graph()}
	e.home = e.mixer(t.Home, t.Elite)
	e.mix = e.home
	e.anneal = t.newAnnealing(t.Shape.Of(e.home.X.Graph), t.Setup.Key)
	return e
}

func (e *serial) mixer(model *linkage.Model, best *host.Elite) *host.Mixer {
	return host.NewMixer(host.NewMixture(e.g, model, e.Setup.Key), e.Setup.Key, e.Donors, e.Force, best,
		e.Counts)
}

func (e *serial) Whole() uint64 { return e.home.X.Whole }

func (e *serial) PerIndividual(n int) int64 {
	return effort{annealing: e.anneal, cost: host.Cost(e.g), serial: true}.perIndividual(n)
}

func (e *serial) PerChild(n int) int64 {
	return e.PerIndividual(n) - int64(e.anneal.Reheat())*e.anneal.Edges
}

func (e *serial) Allocate(p *host.Population) error {
	p.Allocate()
	return nil
}

func (e *serial) Create(ctx context.Context, p *host.Population, x0 [][]uint64) error {
	for i := range p.N {
		if err := ctx.Err(); err != nil {
			return err // p is not part of the run yet
		}
		p.Draw(e.Setup.Key, i, e.g.N())
		if i < len(x0) {
			copy(p.Row(i), x0[i])
		}
	}
	e.enter(e.home.X, x0)
	return nil
}

func (e *serial) Cross(_ context.Context, p *host.Population) (apart bool, err error) {
	mates, sizes := p.Mates(e.Setup.Key, e.Elite, e.Whole(), false), make([]uint32, p.N)
	for i := range p.N {
		sizes[i] = p.Child(e.Setup.Key, i, mates[i], e.anneal.Dense.Anchor, e.g.N(), p.NextRow(i))
	}
	if host.Apart(sizes, e.g.N()) {
		return true, nil
	}
	p.Begin(e.anneal.Reheat())
	p.Rows, p.Next = p.Next, p.Rows
	return false, nil
}

// settle ends a generation of children.
func (e *serial) settle(p *host.Population) {
	for i, k := range p.Settle(e.Whole()) {
		if int(k) != i {
			copy(p.Row(i), p.NextRow(i))
		}
	}
}

// trialsPerStep is about the number of flips that annealing tries in one step.
const trialsPerStep = 1 << 23

func (e *serial) Grow(ctx context.Context, p *host.Population) (done bool, err error) {
	a := e.anneal
	each := p.N
	to := 0
	if a != nil {
		to = a.Leg(p)
	}
	switch {
	case a != nil && a.Sliced != nil:
		each = host.ChainsPerWord
	case a != nil:
		each = max(1, trialsPerStep/(to-p.Swept)/max(e.g.N(), 1))
	}
	end := min(p.Made+each, p.N)
	if a != nil {
		if err := e.polish(ctx, p, p.Made, end, to); err != nil {
			return false, err
		}
	}
	for ; p.Made < end; p.Made++ {
		e.home.Evaluate(p, p.Made)
	}
	if p.Made < p.N {
		return false, nil
	}
	p.Made = 0
	if a == nil {
		return true, nil
	}
	p.Swept = to
	if a.Selects(p) {
		p.Take(a.Select(p))
		return false, nil
	}
	if p.Children() {
		e.settle(p)
	}
	p.Swept = 0
	p.Generation += uint32(len(a.Temps))
	return true, nil
}

// polish makes the sweeps [p.Swept, to) of individuals [lo, hi) of p, one by one or as a word of chains. If it is
// cancelled before the first one has made them, p stays as it was; otherwise all make them.
func (e *serial) polish(ctx context.Context, p *host.Population, lo, hi, to int) error {
	a, c := e.anneal, e.Counts
	count := func(sweeps int64) {
		c.Values += sweeps * a.Vertex
		c.Edges += sweeps * a.Edges
	}
	if a.Sliced != nil {
		rows := make([][]uint64, 0, host.ChainsPerWord)
		for i := lo; i < hi; i++ {
			rows = append(rows, p.Row(i))
		}
		sweeps, err := a.Word(ctx, rows, p.Who(lo), p.Generation, p.Swept, to)
		if err != nil {
			return err
		}
		count(sweeps * int64(hi-lo))
		return nil
	}
	row := make([]uint64, p.Words)
	for i := lo; i < hi; i++ {
		copy(row, p.Row(i))
		sweeps, err := a.Chain(ctx, e.home.X, row, p.Who(i), p.Generation, p.Swept, to)
		if err != nil {
			return err
		}
		copy(p.Row(i), row)
		count(sweeps)
		ctx = context.WithoutCancel(ctx)
	}
	return nil
}

func (e *serial) Slower() error {
	e.anneal.Slower()
	return nil
}

// setsPerStep is about the number of sets that the offspring of one step visit.
const setsPerStep = 1 << 17

func (e *serial) Advance(ctx context.Context, p *host.Population, limit int64) (done, none bool, err error) {
	if e.Linkage == Components {
		if int64(p.N) > limit/host.Cost(e.g) {
			return false, true, nil
		}
		if err := e.mix.ByComponents(ctx, p); err != nil {
			return false, false, err
		}
		e.end(p)
		return true, false, nil
	}
	// A pass over the sets, and one of forced improvement.
	fit := limit / max(2*e.worst(), 1)
	if fit == 0 {
		return false, true, nil
	}
	e.begin(p)
	e.meet()
	for range min(int64(max(setsPerStep/max(len(e.mix.X.Model.Sets), 1), 1)), fit) {
		if err := e.mix.Offspring(ctx, e.parents, p.Made); err != nil {
			return false, false, err
		}
		if p.Made++; p.Made == p.N {
			break
		}
		ctx = context.WithoutCancel(ctx) // the other offspring of a step take little time
	}
	e.part()
	if p.Made < p.N {
		return false, false, nil
	}
	e.end(p)
	return true, false, nil
}

// worst returns the largest number of edges of a pass over the sets. For a model that is not learned yet, it assumes
// every edge for each set.
func (e *serial) worst() int64 {
	if !e.learns() {
		return e.mix.X.Worst
	}
	return 2 * int64(e.g.N()) * host.Cost(e.g)
}

// begin prepares a generation of p, or one that was interrupted. If models are learned, it learns one from the parents.
func (e *serial) begin(p *host.Population) {
	if e.now == p {
		return
	}
	e.now, e.parents = p, p
	if e.learns() {
		e.back = host.Learn(p, e.g, e.Linkage == Sparse, e.Bound, e.Setup.Key)
		e.mix = e.mixer(e.back, &host.Elite{Row: make([]uint64, p.Words)})
		own := *p
		own.Rows = make([]uint64, len(p.Rows))
		for i := range p.N {
			gather(own.Row(i), p.Row(i), e.back.Order)
		}
		e.parents = &own
	}
	e.parents.Agree()
}

// meet copies the elitist to the mixer of a learned model, and part copies a better one back.
func (e *serial) meet() {
	if home, mix := e.home.Elite, e.mix.Elite; home != mix {
		gather(mix.Row, home.Row, e.back.Order)
		mix.F = home.F
		mix.Hash = home.Hash
		mix.Found = home.Found
	}
}

func (e *serial) part() {
	if home, mix := e.home.Elite, e.mix.Elite; home != mix && mix.F > home.F {
		scatter(home.Row, mix.Row, e.back.Order)
		home.F, home.Hash = mix.F, mix.Hash
	}
}

// end makes the offspring the parents, in the order in which populations are stored.
func (e *serial) end(p *host.Population) {
	e.now = nil
	if e.learns() {
		for i := range p.N {
			scatter(p.Row(i), p.NextRow(i), e.back.Order)
		}
	} else {
		p.Rows, p.Next = p.Next, p.Rows
	}
	p.Generation++
	p.Made = 0
}

func (e *serial) Drop(p *host.Population) {
	if p != nil {
		p.Free()
	}
}

func (e *serial) Close() {}

// gather puts bit order[q] of src at q; scatter is its inverse.
func gather(dst, src []uint64, order []uint32) {
	clear(dst)
	for q, v := range order {
		dst[q>>6] |= host.Side(src, v) << (q & 63)
	}
}

func scatter(dst, src []uint64, order []uint32) {
	clear(dst)
	for q, v := range order {
		dst[v>>6] |= host.Side(src, uint32(q)) << (v & 63)
	}
}
