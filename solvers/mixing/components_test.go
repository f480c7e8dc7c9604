package mixing

import (
	"context"
	"strings"
	"testing"

	"github.com/clopt/clopt/problems"
	"github.com/clopt/clopt/problems/rng"
	"github.com/clopt/clopt/shard"
	"github.com/clopt/clopt/solvers"
	"github.com/clopt/clopt/solvers/mixing/internal/engine"
	"github.com/clopt/clopt/test/solvertest"
)

// Settings that mixing by components would ignore are refused, or choose the tree.
func TestComponentsRefuse(t *testing.T) {
	for _, set := range []map[string]string{
		{"linkage": "components", "bound": "10"}, {"linkage": "components", "similarity": "weight"},
		{"linkage": "components", "donor": "single"}, {"sweeps": "10"}, {"local": "ls", "sweeps": "10"},
	} {
		if m, err := solvers.Configure(&GOMEA{}, set); err == nil {
			t.Errorf("%v is accepted as %s", set, solvers.Spell(m))
		}
	}
	p := solvertest.ParseProblem(t, "maxcut:torus=6x6").(problems.Cut)
	for bound, want := range map[string]string{"auto": engine.Components, "10": engine.Tree} {
		m, err := solvers.Configure(&GOMEA{}, map[string]string{"local": "sa", "bound": bound})
		if err != nil || m.(*GOMEA).mixes(m.(*GOMEA).searched(p)) != want {
			t.Errorf("bound=%s: %v, want %s", bound, err, want)
		}
	}
}

// A population of annealed individuals restarts with twice the sweeps and individuals, and finds a known optimum.
func TestGrowing(t *testing.T) {
	p := solvertest.ParseProblem(t, "maxcut:tile=12x12,p=0.5,seed=3")
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
	r := solvertest.Start(t, m, p, solvertest.OpenFirst(t, 1, shard.Options{}),
		solvers.Setup{Key: rng.Key{Seed: 1}}).(*gomeaRun)
	n, restarts := r.size(0), 0
	doubled := &slowed{Engine: r.engine}
	r.engine = doubled
	for restarts < 3 {
		if _, ok, err := r.Step(context.Background(), solvers.Unlimited); !ok || err != nil {
			t.Fatal(ok, err)
		}
		if restarts = r.state.Doubled; doubled.times != restarts {
			t.Errorf("after %d restarts the sweeps were doubled %d times", restarts, doubled.times)
		}
	}
	if r.size(0) != 8*n {
		t.Errorf("%d individuals after three restarts of %d", r.size(0), n)
	}
}

// slowed is an engine that counts how often the sweeps were doubled.
type slowed struct {
	engine.Engine
	times int
}

func (s *slowed) Slower() error {
	s.times++
	return s.Engine.Slower()
}

// The text of the settings gives the same method, also if its population grows.
func TestGrowingText(t *testing.T) {
	m := &GOMEA{Local: "sa"}
	pairs := map[string]string{}
	for _, pair := range strings.Split(solvers.Spell(m), ",") {
		key, value, _ := strings.Cut(pair, "=")
		pairs[key] = value
	}
	again, err := solvers.Configure(&GOMEA{}, pairs)
	if err != nil {
		t.Fatal(err)
	}
	g := again.(*GOMEA)
	if !g.grows() || g.first(1000) != m.first(1000) || g.sweeps() != m.sweeps() ||
		solvers.Spell(g) != solvers.Spell(m) {
		t.Errorf("%s came back as %s", solvers.Spell(m), solvers.Spell(g))
	}
	if (&GOMEA{Local: "sa", Base: 16}).grows() || (&GOMEA{Local: "ls"}).grows() {
		t.Error("interleaved populations, or those without annealing, grow")
	}
}
