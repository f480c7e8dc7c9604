package engine

import (
	"context"
	"fmt"

	"github.com/clopt/clopt/cl"
	"github.com/clopt/clopt/internal/solvers/checkpoint"
	"github.com/clopt/clopt/shard"
	"github.com/clopt/clopt/solvers"
	"github.com/clopt/clopt/solvers/mixing/internal/host"
)

// Pieces returns 1: the host, of every rank.
func (e *serial) Pieces() (n, common int) { return 1, 1 }

// Each calls f for the host.
func (e *serial) Each(f func(piece int) error) error { return f(0) }

// Vectors lists the parents, and the offspring of a generation in progress.
func (e *serial) Vectors(p *host.Population, growing bool) []solvers.Vector {
	vector := func(name string, words []uint64, n int) solvers.Vector {
		return solvers.Vector{Name: fmt.Sprintf("%s %d", name, p.ID), Rows: 1, Size: 8 * p.Words,
			Columns: []solvers.Columns{{Hi: n, To: n, On: host.Partitions{Words: words, Each: p.Words}}}}
	}
	made := min(p.Made, p.N)
	switch {
	case p.Children():
		made = p.N // elders
	case growing:
		made = 0
	}
	return []solvers.Vector{vector("population", p.Rows, p.N), vector("offspring", p.Next, made)}
}

// Store does nothing: vectors lists the rows themselves.
func (e *serial) Store(*host.Population) error { return nil }

// Restored compares the parents of p, and the offspring of a generation in progress, with their cuts.
func (e *serial) Restored(_ context.Context, p *host.Population) error {
	if p.Made >= p.N {
		return Damaged("%d offspring of %d", p.Made, p.N)
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

// Resume compares the individuals that have been improved with their cuts.
func (e *serial) Resume(_ context.Context, growing *host.Population) error {
	if growing == nil {
		return nil
	}
	if growing.Made >= growing.N || growing.Swept > 0 && (e.anneal == nil || growing.Swept >= len(e.anneal.Temps)) {
		return Damaged("%d individuals of %d, %d sweeps", growing.Made, growing.N, growing.Swept)
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

// Pieces returns the number of devices.
func (e *parallel) Pieces() (n, common int) { return len(e.on), 0 }

// Each calls f for every device.
func (e *parallel) Each(f func(piece int) error) error {
	return e.g.Do(func(i int, _ *cl.Device) error { return f(i) })
}

// Vectors lists the parents. Every device has all of them, and stores those of which it makes the offspring. While
// these are children that are annealed, it also lists their elders.
func (e *parallel) Vectors(p *host.Population, _ bool) []solvers.Vector {
	v := solvers.Vector{Name: fmt.Sprintf("population %d", p.ID), Rows: 1, Size: 4 * e.plan.Words}
	for _, r := range e.live[p].on {
		v.Columns = append(v.Columns, solvers.Columns{Lo: r.first, Hi: r.first + r.count, To: p.N,
			On: shard.Window{Of: r.parents, Width: e.plan.Words}})
	}
	if !p.Children() {
		return []solvers.Vector{v}
	}
	elders := solvers.Vector{Name: fmt.Sprintf("elders %d", p.ID), Rows: 1, Size: v.Size}
	for _, r := range e.live[p].on {
		elders.Columns = append(elders.Columns, solvers.Columns{Lo: r.first, Hi: r.first + r.count, From: r.first,
			To: r.first + r.count, On: shard.Window{Of: r.next, Width: e.plan.Words}})
	}
	return []solvers.Vector{v, elders}
}

// Store copies the chains of words to the parents.
func (e *parallel) Store(p *host.Population) error {
	if e.anneal == nil || p.Swept == 0 {
		return nil
	}
	return e.anneal.scatter(p)
}

// Restored evaluates the parents of p, and compares their cuts with the stored ones.
func (e *parallel) Restored(ctx context.Context, p *host.Population) error {
	if p.Made != 0 || p.Swept != 0 {
		return Damaged("%d offspring that are not stored, %d sweeps", p.Made, p.Swept)
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

// Resume continues to anneal the population that is growing.
func (e *parallel) Resume(ctx context.Context, growing *host.Population) error {
	if err := e.crown(); err != nil || growing == nil || growing.Swept == 0 {
		return err
	}
	if e.anneal == nil || growing.Swept >= len(e.annealing.Temps) ||
		len(growing.Annealed) != 2*e.anneal.units(growing.N) {
		return Damaged("%d sweeps of %d words", growing.Swept, len(growing.Annealed)/2)
	}
	return e.anneal.begin(ctx, growing)
}

// Damaged returns the error of a state that no run has.
func Damaged(format string, args ...any) error {
	return &checkpoint.Damage{Msg: "a state with " + fmt.Sprintf(format, args...)}
}
