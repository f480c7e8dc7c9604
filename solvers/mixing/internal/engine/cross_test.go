package engine

import (
	"context"
	"slices"
	"testing"

	"github.com/clopt/clopt/problems/graph"
	"github.com/clopt/clopt/problems/rng"
	"github.com/clopt/clopt/shard"
	"github.com/clopt/clopt/solvers/mixing/internal/host"
	"github.com/clopt/clopt/test/graphtest"
	"github.com/clopt/clopt/test/solvertest"
)

// Generations of children have the same bits on devices as on the host: for fields of each form, on several devices,
// with launches of a few chains, and if annealing begins with fields that are computed anew.
func TestCrossTwin(t *testing.T) {
	better := 0
	m := Method{First: 7, Linkage: Crossed, Anneals: true, Sweeps: 12}
	cases := append(denseCases(),
		denseCase{"integers", graphtest.Complete(65, 700, 30000), 3, 0, shard.Options{}})
	for _, v := range cases {
		t.Run(v.name, func(t *testing.T) {
			e, q := v.engine(t, m, solvertest.OpenFirst(t, v.devices, v.opt))
			s := Serial(e.Task).(*serial)
			s.Elite, s.Counts = &host.Elite{Row: make([]uint64, host.Words(v.g.N()))}, &host.Counts{}
			s.home = s.mixer(s.Home, s.Elite)
			p := host.NewPopulation(0, q.N, q.Words)
			if err := s.Allocate(p); err != nil {
				t.Fatal(err)
			}
			if err := s.Create(context.Background(), p, nil); err != nil {
				t.Fatal(err)
			}
			grow(t, s, p)
			for gen := range 8 {
				if got := rowsOf(t, e, q); !slices.Equal(got, p.Rows) || !slices.Equal(q.F, p.F) ||
					!slices.Equal(q.Hash, p.Hash) || !slices.Equal(q.Idle, p.Idle) || q.Generation != p.Generation {
					t.Fatalf("generation %d: cuts %v, host %v; idle %v, host %v", gen, q.F, p.F, q.Idle, p.Idle)
				}
				before := slices.Clone(p.F)
				for _, of := range []struct {
					e Engine
					p *host.Population
				}{{e, q}, {s, p}} {
					apart, err := of.e.Cross(context.Background(), of.p)
					if err != nil {
						t.Fatal(err)
					}
					if apart {
						t.Fatalf("generation %d: the individuals are too different", gen)
					}
					grow(t, of.e, of.p)
				}
				for i, f := range before {
					if p.F[i] > f {
						better++
					} else if p.F[i] < f {
						t.Errorf("generation %d: individual %d falls from %d to %d", gen, i, f, p.F[i])
					}
				}
			}
		})
	}
	if better == 0 {
		t.Error("no child was better than its elder")
	}
}

// Individuals that differ in half of their vertices have no children, and stay as they are.
func TestApart(t *testing.T) {
	m := Method{First: 7, Linkage: Crossed, Anneals: true, Sweeps: 12}
	e := engineOf(t, m, planted(100, 1, 0), solvertest.OpenFirst(t, 2, shard.Options{}), rng.Key{Seed: 8})
	p := host.NewPopulation(0, m.First, 2)
	err := e.Allocate(p)
	if err == nil {
		err = e.Create(context.Background(), p, nil)
	}
	if err != nil {
		t.Fatal(err)
	}
	s := Serial(e.Task).(*serial)
	q := drawn(e)
	for i := range p.N {
		p.Hash[i], q.Hash[i] = uint64(i), uint64(i)
	}
	for _, of := range []struct {
		e Engine
		p *host.Population
	}{{e, p}, {s, q}} {
		if apart, err := of.e.Cross(context.Background(), of.p); !apart || err != nil || of.p.Children() {
			t.Errorf("random individuals have children, %v", err)
		}
	}
	if !slices.Equal(rowsOf(t, e, p), drawn(e).Rows) || !slices.Equal(q.Rows, drawn(e).Rows) {
		t.Error("the individuals have changed")
	}
}

// planted returns a graph of n vertices with weights w and -w, of which most make the cut of odd and even vertices
// large, and one of each `missing` edges left out; 0: none.
func planted(n, w, missing int) *graph.Graph {
	var edges [][3]int
	for u := range n {
		for v := u + 1; v < n; v++ {
			draw := rng.Key{Seed: 4}.Words(uint32(u*n+v), 0, 0, rng.Check)
			if missing != 0 && rng.Int(draw[0], uint32(missing)) == 0 {
				continue
			}
			sign := 2*((u+v)%2) - 1
			if draw[1]%8 < 3 {
				sign = -sign
			}
			edges = append(edges, [3]int{u, v, w * sign})
		}
	}
	return graphtest.Build(n, edges)
}

// grow makes all steps of improving the individuals of p.
func grow(t *testing.T, e Engine, p *host.Population) {
	t.Helper()
	for done := false; !done; {
		var err error
		if done, err = e.Grow(context.Background(), p); err != nil {
			t.Fatal(err)
		}
	}
}
