package mixing

import (
	"context"
	"fmt"
	"slices"

	"github.com/clopt/clopt/cl"
	"github.com/clopt/clopt/shard"
	"github.com/clopt/clopt/solvers"
	"github.com/clopt/clopt/solvers/checkpoint"
	"github.com/clopt/clopt/solvers/mixing/internal/host"
)

// gomeaState is the state of a run without the rows of its populations.
type gomeaState struct {
	Sample      solvers.Sample
	Schedule    host.Schedule
	Elite       host.Elite
	Best        []uint64 // the elitist of the last complete step
	BestF       int64
	Counts      host.Counts
	First       int            // individuals of the first population
	Restarts    int            // of the last population, after all had converged
	Draws       uint32         // the first generation of the next population, for its draws
	Limit       int64          // the limit of evaluations
	Most        int            // the most populations whose steps fit into it
	Populations []host.Members // set when the state is stored
	Growing     bool           // the last of them is not complete yet
}

// State lists gomeaState, and the partitions of all populations that have not stopped.
func (r *gomeaRun) State() *solvers.State {
	r.state.Populations, r.state.Growing = nil, r.growing != nil
	for _, p := range r.all() {
		r.state.Populations = append(r.state.Populations, p.Members)
	}
	st := &solvers.State{Host: &r.state, Restored: r.restored}
	r.list(st)
	st.Each = func(f func(piece int) error) error {
		if r.growing != nil {
			if err := r.engine.store(r.growing); err != nil {
				return err
			}
		}
		return r.engine.each(f)
	}
	st.Arrange = func() error {
		if err := r.arrange(); err != nil {
			return err
		}
		r.list(st)
		st.Each = r.engine.each
		return nil
	}
	return st
}

// all returns all populations, the growing one last.
func (r *gomeaRun) all() []*host.Population {
	all := append(slices.Clone(r.populations), r.growing)
	return slices.DeleteFunc(all, func(p *host.Population) bool { return p == nil })
}

// list sets the vectors of a state.
func (r *gomeaRun) list(st *solvers.State) {
	st.Vectors = nil
	st.Pieces, st.Common = r.engine.pieces()
	for _, p := range r.all() {
		if !p.Stopped && p.Words > 0 {
			st.Vectors = append(st.Vectors, r.engine.vectors(p)...)
		}
	}
}

// arrange allocates the populations of the state that has been loaded, and makes annealing as slow as it was.
func (r *gomeaRun) arrange() error {
	st, words := &r.state, host.Words(r.p.Graph().N())
	for _, m := range st.Populations {
		if m.ID >= 32 || m.N < 2 || m.N > host.MaxIndividuals || len(m.F) != m.N || len(m.Hash) != m.N ||
			len(m.Idle) != m.N || m.Made < 0 || m.Swept < 0 {
			return damaged("population %d of %d individuals", m.ID, m.N)
		}
		p := &host.Population{Members: m, Words: words}
		if !p.Stopped {
			if err := r.engine.allocate(p); err != nil {
				return err
			}
		}
		r.add(p)
	}
	if st.Growing {
		if len(st.Populations) == 0 {
			return damaged("no population is growing")
		}
		last := st.Populations[len(st.Populations)-1].ID
		r.growing, r.populations[last] = r.populations[last], nil
	}
	if len(st.Elite.Row) != words || len(st.Best) != words || st.First < 2 || st.Restarts < 0 || st.Restarts > 1<<20 ||
		st.Schedule.At < 0 || st.Schedule.Base < 0 || st.Schedule.Turn() > len(r.populations) {
		return damaged("%d restarts, and population %d is next", st.Restarts, st.Schedule.Turn())
	}
	if r.m.Local == "sa" {
		for range st.Restarts {
			if err := r.engine.slower(); err != nil {
				return err
			}
		}
	}
	return nil
}

// damaged returns the error of a state that no run has.
func damaged(format string, args ...any) error {
	return &checkpoint.Damage{Msg: "a state with " + fmt.Sprintf(format, args...)}
}

// restored compares the partitions with the cuts of the state.
func (r *gomeaRun) restored(ctx context.Context) error {
	for _, p := range r.populations {
		if p != nil && !p.Stopped {
			if err := r.engine.restored(ctx, p); err != nil {
				return err
			}
		}
	}
	return r.engine.resume(ctx, r.growing)
}

// pieces returns 1: the host, of every rank.
func (e *serialEngine) pieces() (n, common int) { return 1, 1 }

// each calls f for the host.
func (e *serialEngine) each(f func(piece int) error) error { return f(0) }

// vectors lists the parents, and the offspring of a generation in progress.
func (e *serialEngine) vectors(p *host.Population) []solvers.Vector {
	vector := func(name string, words []uint64, n int) solvers.Vector {
		return solvers.Vector{Name: fmt.Sprintf("%s %d", name, p.ID), Rows: 1, Size: 8 * p.Words,
			Columns: []solvers.Columns{{Hi: n, To: n, On: host.Partitions{Words: words, Each: p.Words}}}}
	}
	made := min(p.Made, p.N)
	if p == e.run.growing {
		made = 0
	}
	return []solvers.Vector{vector("population", p.Rows, p.N), vector("offspring", p.Next, made)}
}

// store does nothing: vectors lists the rows themselves.
func (e *serialEngine) store(*host.Population) error { return nil }

// restored compares the parents of p, and the offspring of a generation in progress, with their cuts.
func (e *serialEngine) restored(_ context.Context, p *host.Population) error {
	if p.Made >= p.N {
		return damaged("%d offspring of %d", p.Made, p.N)
	}
	if p.Made > 0 {
		e.begin(p)
	}
	for i := range p.N {
		x, row := e.home.X, p.Row(i)
		if i < p.Made {
			x, row = e.mix.X, p.NextRow(i)
		}
		if err := sameCut(host.CutOf(x.Graph, row), p.F[i]); err != nil {
			return err
		}
	}
	return nil
}

// resume compares the individuals that have been improved with their cuts.
func (e *serialEngine) resume(_ context.Context, growing *host.Population) error {
	if growing == nil {
		return nil
	}
	if growing.Made >= growing.N || growing.Swept > 0 && (e.anneal == nil || growing.Swept >= len(e.anneal.Temps)) {
		return damaged("%d individuals of %d, %d sweeps", growing.Made, growing.N, growing.Swept)
	}
	for i := range growing.Made {
		if err := sameCut(host.CutOf(e.home.X.Graph, growing.Row(i)), growing.F[i]); err != nil {
			return err
		}
	}
	return nil
}

// sameCut compares a cut with the stored one.
func sameCut(got, want int64) error {
	if got == want {
		return nil
	}
	return &solvers.RestoreError{Got: float64(got), Want: float64(want)}
}

// pieces returns the number of devices.
func (e *parallelEngine) pieces() (n, common int) { return len(e.on), 0 }

// each calls f for every device.
func (e *parallelEngine) each(f func(piece int) error) error {
	return e.g.Do(func(i int, _ *cl.Device) error { return f(i) })
}

// vectors lists the parents. Every device has all of them, and stores those of which it makes the offspring.
func (e *parallelEngine) vectors(p *host.Population) []solvers.Vector {
	v := solvers.Vector{Name: fmt.Sprintf("population %d", p.ID), Rows: 1, Size: 4 * e.plan.Words}
	for _, r := range e.live[p].on {
		v.Columns = append(v.Columns, solvers.Columns{Lo: r.first, Hi: r.first + r.count, To: p.N,
			On: shard.Window{Of: r.parents, Width: e.plan.Words}})
	}
	return []solvers.Vector{v}
}

// store copies the chains of words to the parents.
func (e *parallelEngine) store(p *host.Population) error {
	if e.anneal == nil || p.Swept == 0 {
		return nil
	}
	return e.anneal.scatter(p)
}

// restored evaluates the parents of p, and compares their cuts with the stored ones.
func (e *parallelEngine) restored(ctx context.Context, p *host.Population) error {
	if p.Made != 0 || p.Swept != 0 {
		return damaged("%d offspring that are not stored, %d sweeps", p.Made, p.Swept)
	}
	if !e.g.Checked() {
		return nil
	}
	states, err := e.evaluated(ctx, p, true)
	if err != nil {
		return err
	}
	for i, f := range p.F {
		if err := sameCut(int64(host.Pair(states, i*e.stateWords()+stateCut)), f); err != nil {
			return err
		}
	}
	return nil
}

// resume continues to anneal the population that is growing.
func (e *parallelEngine) resume(ctx context.Context, growing *host.Population) error {
	if err := e.crown(); err != nil || growing == nil || growing.Swept == 0 {
		return err
	}
	if e.anneal == nil || growing.Swept >= len(e.annealing.Temps) ||
		len(growing.Annealed) != 2*e.anneal.units(growing.N) {
		return damaged("%d sweeps of %d words", growing.Swept, len(growing.Annealed)/2)
	}
	return e.anneal.begin(ctx, growing)
}
