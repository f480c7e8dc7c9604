package methods

import (
	"context"
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/clopt/clopt/solvers"
	"github.com/clopt/clopt/solvers/anneal"
	"github.com/clopt/clopt/solvers/cgrasp"
	"github.com/clopt/clopt/solvers/graybox"
	"github.com/clopt/clopt/solvers/lbfgs"
	"github.com/clopt/clopt/solvers/masw"
	"github.com/clopt/clopt/solvers/maswseq"
	"github.com/clopt/clopt/solvers/mixing"
	"github.com/clopt/clopt/solvers/random"
)

// A value that was set in Go is refused like the same value in text, with all complaints. This happens
// before anything else is checked: the problem has no variables, and the group no device.
func TestLiterals(t *testing.T) {
	nan := math.NaN()
	for _, c := range []struct {
		m    solvers.Solver
		want []string // one for each line of the error
	}{
		{&random.Random{Batch: -1}, []string{"setting batch: -1 is outside 1 to 65535"}},
		{&random.Random{Batch: 1 << 16}, []string{"65536 is outside"}},
		{&masw.MASW{Population: 2}, []string{"setting population: 2 is outside 4 to 65535"}},
		{&masw.MASW{Population: -100, Iterations: -1, Alpha: &nan, Mutation: new(1.5)},
			[]string{"population", "iterations", "alpha: NaN", "mutation: 1.5 is outside 0 to 1"}},
		{&masw.MASW{Portions: 2, Portion: 500}, []string{"contradict each other"}},
		{&graybox.Graybox{Search: "x"}, []string{`setting search: unknown word "x"; use auto, `}},
		{&graybox.Graybox{Search: "CMA"}, []string{"search"}},
		{&maswseq.MASWSeq{Population: -1, On: "moon"}, []string{"population", "setting on"}},
		{&mixing.GOMEA{Local: "x", Force: "maybe", Bound: 1}, []string{"bound", "fi", "local"}},
		{&mixing.GOMEA{Population: 8, Base: 8, Sweeps: 3}, []string{"population=8", "sweeps=3"}},
		{&mixing.AnnealGraph{Chains: 1, Variant: "sideways"}, []string{"chains", "variant"}},
		{&anneal.SA{Variant: "v3", T0: new(-1.0), Rho: new(1.0)}, []string{"variant", "T0", "rho"}},
		{&anneal.SA{Variant: "v1", Exchange: 2, Hops: 3}, []string{"variant=v1", "hops=3"}},
		{&anneal.SA{Variant: "sweeps", Tmin: new(1.0), Shared: true}, []string{"Tmin=1", "variant=sweeps"}},
		{&lbfgs.LBFGS{Pairs: -1, Kick: &nan, Reach: new(2.0)},
			[]string{"pairs", "kick: NaN", "reach: 2 is outside 0 to 1"}},
		{&cgrasp.CGRASP{Anchor: "upper", Until: &nan}, []string{"anchor", "until: NaN"}},
		{&cgrasp.CGRASP{Items: 3, Nodes: 5, Extend: new(2.5)}, []string{"items=3", "nodes=5", "extend=2.5"}},
	} {
		err := solvers.Validate(c.m)
		if _, ok := errors.AsType[*solvers.SettingError](err); !ok {
			t.Errorf("%+v: %T %v", c.m, err, err)
			continue
		}
		lines := strings.Split(err.Error(), "\n")
		for i, want := range c.want {
			if len(lines) != len(c.want) || !strings.Contains(lines[i], want) {
				t.Errorf("%+v: %q, want %q", c.m, lines, c.want)
				break
			}
		}
		if _, e := solvers.Minimize(context.Background(), nil, nil, solvers.Settings{}, c.m); e == nil ||
			e.Error() != err.Error() {
			t.Errorf("Minimize with %+v: %v, want %v", c.m, e, err)
		}
		if _, errs := solvers.MinimizeRuns(context.Background(), nil, nil, make([]solvers.Settings, 2),
			c.m); errs[1] == nil || errs[1].Error() != err.Error() {
			t.Errorf("MinimizeRuns with %+v: %v, want %v", c.m, errs, err)
		}
	}
	for _, name := range Names() {
		if m := plainMethod(t, name); solvers.Validate(m) != nil {
			t.Errorf("the defaults of %s: %v", name, solvers.Validate(m))
		}
	}
}

// mine is a method from outside this module.
type mine struct {
	random.Random
	name string
}

func (m *mine) Traits() solvers.Traits {
	t := m.Random.Traits()
	t.Name = m.name
	return t
}

// A registered method is found like the others, and a wrong name panics.
func TestRegister(t *testing.T) {
	add := func(name string) (panicked bool) {
		defer func() { panicked = recover() != nil }()
		Register(func() solvers.Solver { return &mine{name: name} })
		return false
	}
	if add("mine") {
		t.Fatal("a new method is refused")
	}
	defer func() {
		registry.Lock()
		delete(registry.make, "mine")
		registry.Unlock()
	}()
	m, err := New("Mine", map[string]string{"batch": "7"})
	if err != nil || m.Traits().Name != "mine" || m.(*mine).Batch != 7 || solvers.Spell(m) != "batch=7" {
		t.Errorf("%v, %v", m, err)
	}
	for _, name := range []string{"mine", "masw", "auto", "", "Upper"} {
		if !add(name) {
			t.Errorf("a method with the name %q is accepted", name)
		}
	}
}
