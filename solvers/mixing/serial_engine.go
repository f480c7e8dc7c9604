package mixing

import (
	"context"
	"math"
	"math/bits"

	"github.com/clopt/clopt/problems/graph"
	"github.com/clopt/clopt/problems/linkage"
	"github.com/clopt/clopt/problems/rng"
)

// serialEngine makes offspring one after the other on one core of the host.
type serialEngine struct {
	m    *GOMEA
	run  *gomeaRun
	g    *graph.Graph
	home *mixer // in the order in which populations are kept
	mix  *mixer // of the generation in progress; home where the model is fixed
	back *linkage.Model

	anneal *annealing // what new individuals go through, or nil
}

func newSerialEngine(m *GOMEA, r *gomeaRun) *serialEngine {
	e := &serialEngine{m: m, run: r, g: r.p.Graph()}
	e.home = e.mixer(r.home, &r.state.Elite)
	e.mix = e.home
	if sweeps, ok := m.polish(); ok {
		e.anneal = newAnnealing(e.home.x.graph, sweeps, r.s.Key)
	}
	return e
}

func (e *serialEngine) mixer(model *linkage.Model, best *elite) *mixer {
	return newMixer(newMixture(e.g, model, e.run.s.Key), e.run.s.Key, e.m.rule(), e.m.Force != "off", best, &e.run.state.Counts)
}

func (e *serialEngine) whole() uint64 { return e.home.x.whole }

func (e *serialEngine) perIndividual(int) int64 { return int64(e.g.M()) + e.anneal.most() }

func (e *serialEngine) create(ctx context.Context, p *population, x0 [][]uint64) error {
	p.room()
	for i := range p.n {
		if err := ctx.Err(); err != nil {
			return err // p is not part of the run yet
		}
		p.populate(e.run.s.Key, i, e.g.N())
		if i < len(x0) {
			copy(p.row(i), x0[i])
		}
	}
	return nil
}

// trialsPerStep is about how many flips the annealing of one step tries.
const trialsPerStep = 1 << 23

func (e *serialEngine) grow(ctx context.Context, p *population) (done bool, err error) {
	a, each := e.anneal, p.n
	switch {
	case a != nil && a.sliced != nil:
		each = chainsPerWord
	case a != nil:
		each = max(1, trialsPerStep/len(a.temps)/max(e.g.N(), 1))
	}
	end := min(p.at+each, p.n)
	if a != nil {
		if err := e.polish(ctx, p, p.at, end); err != nil {
			return false, err
		}
	}
	for ; p.at < end; p.at++ {
		e.home.evaluate(p, p.at)
	}
	if p.at < p.n {
		return false, ctx.Err()
	}
	p.at = 0
	if a != nil {
		p.generation += uint32(len(a.temps))
	}
	return true, nil
}

// polish anneals individuals [lo, hi) of p: one by one, or a word of them.
func (e *serialEngine) polish(ctx context.Context, p *population, lo, hi int) error {
	a, c := e.anneal, &e.run.state.Counts
	count := func(sweeps int64) {
		c.values += sweeps * a.vertex
		c.edges += sweeps * a.edges
	}
	if a.sliced != nil {
		rows := make([][]uint64, 0, chainsPerWord)
		for i := lo; i < hi; i++ {
			rows = append(rows, p.row(i))
		}
		sweeps, err := a.hostWord(ctx, rows, p.who(lo), p.generation)
		count(sweeps * int64(hi-lo))
		return err
	}
	for i := lo; i < hi; i++ {
		sweeps, err := a.host(ctx, e.home.x, p.row(i), p.who(i), p.generation)
		if err != nil {
			return err
		}
		count(sweeps)
	}
	return nil
}

func (e *serialEngine) slower() error {
	e.anneal.slower()
	return nil
}

// setsPerStep is about how many sets the offspring of one step visit.
const setsPerStep = 1 << 17

func (e *serialEngine) advance(ctx context.Context, p *population, limit int64) (done, none bool, err error) {
	if e.run.mixes == components {
		if int64(p.n) > limit/max(int64(e.g.M()), 1) {
			return false, true, nil
		}
		if err := e.mix.crossAll(ctx, p); err != nil {
			return false, false, err
		}
		e.end(p)
		return true, false, nil
	}
	// A pass over the sets, one of forced improvement.
	fit := limit / max(2*e.worst(), 1)
	if fit == 0 {
		return false, true, nil
	}
	if p.at == 0 {
		e.begin(p)
	}
	e.meet()
	for range min(int64(max(setsPerStep/max(len(e.mix.x.model.Sets), 1), 1)), fit) {
		if err := e.mix.offspring(ctx, p, p.at); err != nil {
			return false, false, err
		}
		if p.at++; p.at == p.n {
			break
		}
	}
	e.part()
	if p.at < p.n {
		return false, false, nil
	}
	e.end(p)
	return true, false, nil
}

// worst is the edges of a pass over the sets at most. Of a model that is not
// known yet it is a bound on any: every edge once a set.
func (e *serialEngine) worst() int64 {
	if !e.m.learned() {
		return e.mix.x.worst
	}
	return 2 * int64(e.g.N()) * int64(e.g.M())
}

// begin learns the model of a generation, where models are learned.
func (e *serialEngine) begin(p *population) {
	if e.m.learned() {
		e.back = learn(e.m, e.g, p, e.run.s.Key)
		e.mix = e.mixer(e.back, &elite{row: make([]uint64, p.words)})
		for i := range p.n {
			gather(p.next[i*p.words:(i+1)*p.words], p.row(i), e.back.Order)
		}
		p.rows, p.next = p.next, p.rows
	}
	p.agree()
}

// meet tells the mixer of a learned model the elitist, part takes it back.
func (e *serialEngine) meet() {
	if home, mix := e.home.elite, e.mix.elite; home != mix {
		gather(mix.row, home.row, e.back.Order)
		mix.f, mix.hash, mix.found = home.f, home.hash, home.found
	}
}

func (e *serialEngine) part() {
	if home, mix := e.home.elite, e.mix.elite; home != mix && mix.f > home.f {
		scatter(home.row, mix.row, e.back.Order)
		home.f, home.hash = mix.f, mix.hash
	}
}

func (e *serialEngine) end(p *population) {
	if e.m.learned() {
		for i := range p.n {
			scatter(p.row(i), p.next[i*p.words:(i+1)*p.words], e.back.Order)
		}
	} else {
		p.rows, p.next = p.next, p.rows
	}
	p.generation++
	p.at = 0
}

func (e *serialEngine) drop(p *population) {
	if p != nil {
		p.free()
	}
}

func (e *serialEngine) close() {}

// gather puts bit order[q] of src at q; scatter is its inverse.
func gather(dst, src []uint64, order []uint32) {
	clear(dst)
	for q, v := range order {
		dst[q>>6] |= side(src, v) << (q & 63)
	}
}

func scatter(dst, src []uint64, order []uint32) {
	clear(dst)
	for q, v := range order {
		dst[v>>6] |= side(src, uint32(q)) << (v & 63)
	}
}

// learn is the linkage tree of the mutual information of a population, whose
// rows are in the order of vertices: of all pairs, or of neighbours alone.
//
//	MI(i, j) = H(i) + H(j) - H(i, j),   in bits
func learn(m *GOMEA, g *graph.Graph, p *population, key rng.Key) *linkage.Model {
	n, words := g.N(), wordsOf(p.n)
	cols := make([]uint64, n*words) // column v: bit i is individual i's side
	ones := make([]int, n)
	for i := range p.n {
		row := p.row(i)
		for v := range n {
			cols[v*words+i>>6] |= side(row, uint32(v)) << (i & 63)
		}
	}
	for v := range n {
		for _, w := range cols[v*words : (v+1)*words] {
			ones[v] += bits.OnesCount64(w)
		}
	}
	h := make([]float64, p.n+1) // -c/n·log2(c/n)
	for c := 1; c < p.n; c++ {
		q := float64(c) / float64(p.n)
		h[c] = -q * math.Log2(q)
	}
	information := func(u, v int) float64 {
		both := 0
		a, b := cols[u*words:(u+1)*words], cols[v*words:(v+1)*words]
		for k, w := range a {
			both += bits.OnesCount64(w & b[k])
		}
		x, y := ones[u], ones[v]
		return max(0, h[x]+h[p.n-x]+h[y]+h[p.n-y]-h[both]-h[x-both]-h[y-both]-h[p.n-x-y+both])
	}
	key.Seed ^= p.generation*0x9E3779B9 + p.id // another order among equals each time
	if m.Linkage == "sparse" {
		sim := make([]float64, len(g.Neighbors))
		for v := range n {
			for e := g.Offsets[v]; e < g.Offsets[v+1]; e++ {
				sim[e] = information(min(v, int(g.Neighbors[e])), max(v, int(g.Neighbors[e])))
			}
		}
		return linkage.Sparse(g, sim, m.Bound, key)
	}
	sim := make([]float64, n*n)
	for u := range n {
		for v := range u {
			sim[u*n+v] = information(v, u)
			sim[v*n+u] = sim[u*n+v]
		}
	}
	return linkage.Dense(n, sim, m.Bound, key)
}
