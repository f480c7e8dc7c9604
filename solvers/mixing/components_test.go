package mixing

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/clopt/clopt/problems"
	"github.com/clopt/clopt/problems/catalog"
	"github.com/clopt/clopt/problems/rng"
	"github.com/clopt/clopt/shard"
	"github.com/clopt/clopt/solvers"
	"github.com/clopt/clopt/solvers/mixing/internal/host"
	"github.com/clopt/clopt/test/graphtest"
	"github.com/clopt/clopt/test/shorttest"
	"github.com/clopt/clopt/test/solvertest"
)

// Devices make the offspring that the host makes, with groups of any size.
func TestComponentsTwin(t *testing.T) {
	for name, g := range graphtest.Small() {
		if !host.FitsComponents(g) {
			continue
		}
		for _, v := range shorttest.Rows(1, []struct {
			devices int
			m       GOMEA
			opt     shard.Options
		}{
			{3, GOMEA{Population: 7, Linkage: components, Force: "off"}, shard.Options{LaunchTime: 1e-6}},
			{1, GOMEA{Population: 9, Linkage: components}, shard.Options{}},
			{2, GOMEA{Population: 8, Linkage: components, group: 16, spill: true}, shard.Options{}},
		}) {
			t.Run(fmt.Sprintf("%s on %d with %s", name, v.devices, v.m.String()), func(t *testing.T) {
				r := runOf(t, &v.m, g, solvertest.OpenFirst(t, v.devices, v.opt), rng.Key{Seed: 8, Run: 2})
				if _, ok, err := r.Step(context.Background(), 1<<40); !ok || err != nil {
					t.Fatal(ok, err)
				}
				m, p := twinOf(r)
				for gen := range 9 {
					sameTwin(t, r, m, p, gen)
					if _, _, err := r.engine.advance(context.Background(), r.populations[0], 1<<50); err != nil {
						t.Fatal(err)
					}
					if err := m.ByComponents(context.Background(), p); err != nil {
						t.Fatal(err)
					}
					p.Rows, p.Next = p.Next, p.Rows
					p.Generation++
				}
				sameCounts(t, r, m.Counts)
			})
		}
	}
}

// Settings that mixing by components would ignore are refused, or choose the tree.
func TestComponentsRefuse(t *testing.T) {
	for _, set := range []map[string]string{
		{"linkage": "components", "bound": "10"}, {"linkage": "components", "similarity": "weight"},
		{"linkage": "components", "donor": "single"}, {"sweeps": "10"}, {"local": "ls", "sweeps": "10"},
	} {
		if m, err := solvers.Configure(&GOMEA{}, set); err == nil {
			t.Errorf("%v is accepted as %s", set, m)
		}
	}
	p := solvertest.ParseProblem(t, "maxcut:torus=6x6").(problems.Cut)
	for bound, want := range map[string]string{"auto": components, "10": "tree"} {
		m, err := solvers.Configure(&GOMEA{}, map[string]string{"local": "sa", "bound": bound})
		if err != nil || m.(*GOMEA).mixes(p) != want {
			t.Errorf("bound=%s: %v, want %s", bound, err, want)
		}
	}
}

// A population of annealed individuals restarts with twice the sweeps and individuals, and finds a known optimum.
func TestGrowing(t *testing.T) {
	p, err := catalog.Parse("maxcut:tile=12x12,p=0.5,seed=3", problems.Options{})
	if err != nil {
		t.Fatal(err)
	}
	known, _ := p.Info().BestKnown()
	var best [2]float64
	for k, variant := range []string{"parallel", "serial"} {
		m := &GOMEA{Local: "sa", Variant: variant, Sweeps: 4}
		res, err := solvers.Minimize(context.Background(), p, solvertest.OpenFirst(t, 1, shard.Options{}),
			solvers.Settings{Key: rng.Key{Seed: 1}, Budget: solvers.Budget{Evaluations: 2e5, Target: &known}}, m)
		if err != nil {
			t.Fatal(err)
		}
		if best[k] = res.F; res.F != known || !res.Confirmed {
			t.Errorf("%s: %v after work %v, the optimum is %v", variant, res.F, res.Work, known)
		}
	}
	m := &GOMEA{Local: "sa", Sweeps: 4}
	r := runOf(t, m, p.(problems.Cut).Graph(), solvertest.OpenFirst(t, 1, shard.Options{}), rng.Key{Seed: 1})
	n, sweeps, restarts := r.size(0), 4, 0
	for restarts < 3 {
		if _, ok, err := r.Step(context.Background(), 1<<40); !ok || err != nil {
			t.Fatal(ok, err)
		}
		if r.state.Restarts > restarts {
			restarts, sweeps = r.state.Restarts, 2*sweeps
			if got := r.engine.(*parallelEngine).annealing.Sweeps(); got != sweeps {
				t.Errorf("restart %d: %d sweeps, want %d", restarts, got, sweeps)
			}
		}
	}
	if r.size(0) != 8*n {
		t.Errorf("%d individuals after three restarts of %d", r.size(0), n)
	}
}

// The text of the settings gives the same method, also if its population grows.
func TestGrowingText(t *testing.T) {
	m := &GOMEA{Local: "sa"}
	pairs := map[string]string{}
	for _, pair := range strings.Split(m.String(), ",") {
		key, value, _ := strings.Cut(pair, "=")
		pairs[key] = value
	}
	again, err := solvers.Configure(&GOMEA{}, pairs)
	if err != nil {
		t.Fatal(err)
	}
	g := again.(*GOMEA)
	if !g.grows() || g.first(1000) != m.first(1000) || g.sweeps() != m.sweeps() || g.String() != m.String() {
		t.Errorf("%s came back as %s", m, g)
	}
	if (&GOMEA{Local: "sa", Base: 16}).grows() || (&GOMEA{Local: "ls"}).grows() {
		t.Error("interleaved populations, or those without annealing, grow")
	}
}
