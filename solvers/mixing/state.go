package mixing

import (
	"context"
	"slices"

	"github.com/clopt/clopt/solvers"
	"github.com/clopt/clopt/solvers/mixing/internal/engine"
	"github.com/clopt/clopt/solvers/mixing/internal/host"
	"github.com/clopt/clopt/solvers/mixing/internal/local"
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
	Doubled     int            // how often restarts have doubled the size or the sweeps of the last population
	OfSize      int            // restarts since then
	Draws       uint32         // the first generation of the next population, for its draws
	Limit       int64          // the limit of evaluations
	Most        int            // the most populations whose steps fit into it
	Populations []host.Members // set when the state is stored
	Growing     bool           // the last of them is not complete yet
	Local       local.State
	Climbed     bool  // the last step was one of the local search
	Reserved    int64 // edges that the population that is being made may still take
	Annealed    int   // populations so far
	Leads       int   // the populations in a row after which its cut was larger than theirs
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
			if err := r.engine.Store(r.growing); err != nil {
				return err
			}
		}
		return r.engine.Each(f)
	}
	st.Arrange = func() error {
		if err := r.arrange(); err != nil {
			return err
		}
		r.list(st)
		st.Each = r.engine.Each
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
	st.Pieces, st.Common = r.engine.Pieces()
	for _, p := range r.all() {
		if !p.Stopped && p.Words > 0 {
			st.Vectors = append(st.Vectors, r.engine.Vectors(p, p == r.growing)...)
		}
	}
}

// arrange allocates the populations of the state that has been loaded, and makes annealing as slow as it was.
func (r *gomeaRun) arrange() error {
	st, words := &r.state, host.Words(r.p.Graph().N())
	for _, m := range st.Populations {
		if m.ID >= 32 || m.N < 2 || m.N > host.MaxIndividuals || len(m.F) != m.N || len(m.Hash) != m.N ||
			len(m.Idle) != m.N || m.Made < 0 || m.Swept < 0 ||
			len(m.ElderF) != 0 && len(m.ElderF) != m.N || len(m.ElderHash) != len(m.ElderF) {
			return engine.Damaged("population %d of %d individuals", m.ID, m.N)
		}
		p := &host.Population{Members: m, Words: words}
		if !p.Stopped {
			if err := r.engine.Allocate(p); err != nil {
				return err
			}
		}
		r.add(p)
	}
	if st.Growing {
		if len(st.Populations) == 0 {
			return engine.Damaged("no population is growing")
		}
		last := st.Populations[len(st.Populations)-1].ID
		r.growing, r.populations[last] = r.populations[last], nil
	}
	if len(st.Elite.Row) != words || len(st.Best) != words || st.First < 2 || st.Doubled < 0 || st.Doubled > 1<<20 ||
		st.OfSize < 0 || st.OfSize >= perSize || st.Annealed < 0 || st.Leads < 0 || st.Schedule.At < 0 ||
		st.Schedule.Base < 0 ||
		st.Schedule.Turn() > len(r.populations) {
		return engine.Damaged("the size was doubled %d times, %d restarts since then, and population %d is next",
			st.Doubled, st.OfSize, st.Schedule.Turn())
	}
	r.local = local.New(r.p.Graph(), r.s.Key, &st.Local)
	if !r.local.Valid() {
		return engine.Damaged("a local search on another graph, after %d turns", st.Local.Turns)
	}
	if r.m.Local == "sa" {
		for range st.Doubled {
			if err := r.engine.Slower(); err != nil {
				return err
			}
		}
	}
	return nil
}

// restored compares the partitions with the cuts of the state.
func (r *gomeaRun) restored(ctx context.Context) error {
	for _, p := range r.populations {
		if p != nil && !p.Stopped {
			if err := r.engine.Restored(ctx, p); err != nil {
				return err
			}
		}
	}
	return r.engine.Resume(ctx, r.growing)
}
