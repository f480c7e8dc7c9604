package methods

import (
	"cmp"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/clopt/clopt/internal/solvers/relay"
	"github.com/clopt/clopt/problems"
	"github.com/clopt/clopt/problems/catalog"
	"github.com/clopt/clopt/solvers"
	"github.com/clopt/clopt/solvers/masw"
)

func TestRegistry(t *testing.T) {
	for _, name := range Names() {
		for _, set := range []map[string]string{
			nil,
			{"BATCH": "64"},
			{"population": "1e1", "Iterations": "2k", "alpha": "0", "mutation": "1"},
			{"population": "auto", "portions": "8"},
			{"portion": "2000"},
			{"scheme": "synchronous", "population": "9"},
			{"grain": "20", "states": "3"},
			{"t0": "5", "N": "7", "Chains": "3", "elitist": "true"},
			{"variant": "sweeps", "N": "4", "neighbour": "mixed"},
			{"variant": "sweeps", "T0": "5", "Tmin": "1e-3", "local": "coordinate", "hops": "2", "hop": "0.1"},
			{"variant": "v1", "N": "4", "shared": "true"},
			{"variant": "hybrid", "exchange": "3"},
			{"local": "sa", "sweeps": "30", "base": "8"},
			{"local": "sa", "linkage": "components", "population": "8"},
			{"local": "sa", "bound": "10", "donor": "single"},
			{"chains": "64", "sweeps": "8", "variant": "serial"},
		} {
			m, err := New(strings.ToUpper(name), set)
			foreign := false
			for key := range set {
				foreign = foreign || !slices.ContainsFunc(plainMethod(t, name).Traits().Settings,
					func(s solvers.Setting) bool { return strings.EqualFold(s.Key, key) })
			}
			if (err != nil) != foreign {
				t.Errorf("New(%q, %v): %v", name, set, err)
			}
			if err != nil {
				if e := (*solvers.SettingError)(nil); !errors.As(err, &e) {
					t.Errorf("error of type %T, want *solvers.SettingError", err)
				}
				continue
			}
			text := solvers.Spell(m)
			again := map[string]string{}
			for part := range strings.SplitSeq(text, ",") {
				k, v, _ := strings.Cut(part, "=")
				again[k] = v
			}
			m2, err := New(name, again)
			if err != nil || solvers.Spell(m2) != text {
				t.Errorf("%s: %q comes back as %v, %v", name, text, m2, err)
			}
		}
		about, err := Describe(name)
		if err != nil || !strings.HasPrefix(about, name+":") || !strings.Contains(about, "default") {
			t.Errorf("Describe(%q) = %q, %v", name, about, err)
		}
	}
	m, err := New("masw", map[string]string{"population": "10", "iterations": "2k", "alpha": "0", "mutation": "1",
		"portions": "3"})
	if err != nil {
		t.Fatal(err)
	}
	if s := m.(*masw.MASW); s.Population != 10 || s.Iterations != 2000 || *s.Alpha != 0 || *s.Mutation != 1 ||
		s.Portions != 3 {
		t.Errorf("%+v", m)
	}
	got := solvers.Spell(m)
	if got != "population=10,iterations=2000,alpha=0,mutation=1,mates=3,portions=3,portion=1000" {
		t.Error(got)
	}
	_, err = New("masw", map[string]string{"population": "3", "iterations": "x", "alpha": "NaN", "mutation": "1.5",
		"acceptance": "block", "foo": "1"})
	if err == nil || strings.Count(err.Error(), "\n") != 5 ||
		!strings.Contains(err.Error(), `no setting "acceptance": it accepts whole points; parts of points`) ||
		!strings.Contains(err.Error(), `no setting "foo"; it has population,`) {
		t.Errorf("want six complaints, got %v", err)
	}
	if _, err := New("masw", map[string]string{"portions": "2", "portion": "500"}); err == nil {
		t.Error("portions and portion are accepted together")
	}
	if _, err := New("mawsw", nil); err == nil || !strings.Contains(err.Error(), "graybox, lbfgs, lm, masw") {
		t.Error(err)
	}
	if _, err := Describe("nothing"); err == nil {
		t.Error("Describe of an unknown method has no error")
	}
	if !slices.IsSortedFunc(Names(), cmp.Compare[string]) {
		t.Error(Names())
	}
}

func plainMethod(t *testing.T, name string) solvers.Solver {
	m, err := plain(name)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// Where parts share components graybox has turns, unless it does not take the problem, or needs too much memory. For
// squares lm has turns, too.
func TestRelayOfParts(t *testing.T) {
	const squares = "../../test/testdata/squares.cl"
	for _, c := range []struct {
		spec string
		want []string
	}{
		{squares, []string{"lbfgs", "lm", "sa", "graybox", "lm"}},
		{squares + ":n=5000000", []string{"lbfgs", "lm", "sa"}},
		{"rosenbrock:n=1000", []string{"lbfgs", "sa", "graybox"}}, // no squares are declared
		{"rosenbrock:n=200000", []string{"lbfgs", "sa"}},
	} {
		p, err := catalog.Parse(c.spec, problems.Options{})
		if err != nil {
			t.Fatal(err)
		}
		var names []string
		for _, leg := range rounds(p)(0) {
			names = append(names, leg.Traits().Name)
		}
		if !slices.Equal(names, c.want) {
			t.Errorf("%s: %v, want %v", c.spec, names, c.want)
		}
		// A descent that creeps is interrupted, the sooner the fewer turns it has had, and goes on later, unless it
		// needs too much memory.
		kept := c.spec != "rosenbrock:n=200000"
		for turn, steps := range []int{64, 128} {
			if leg := rounds(p)(turn)[0]; leg.Stays != kept || (leg.Pace == relay.Pace{Steps: steps,
				Fall: leg.Pace.Fall}) != kept || leg.Pace.Fall > 0 != kept {
				t.Errorf("%s: a descent in turn %d has the pace %+v", c.spec, turn, leg.Pace)
			}
		}
	}
}
