package cgrasp

import (
	"context"
	"math"
	"strings"
	"testing"

	"github.com/clopt/clopt/problems"
	"github.com/clopt/clopt/problems/rng"
	"github.com/clopt/clopt/shard"
	"github.com/clopt/clopt/solvers"
	"github.com/clopt/clopt/test/shorttest"
	"github.com/clopt/clopt/test/solvertest"
)

func TestCGRASPSettings(t *testing.T) {
	for _, set := range []map[string]string{
		{"variant": "v2"}, {"nodes": "7"}, {"hs": "1", "he": "2"}, {"hs": "0"}, {"extend": "1.5"}, {"worth": "1"},
		{"items": "3"}, {"alpha": "1.1"},
		{"fix": "all", "evaluation": "full"}, {"fix": "all", "reuse": "flag"}, {"starts": "0"}, {"once": "perhaps"},
		{"until": "x"},
	} {
		if m, err := solvers.Configure(&CGRASP{}, set); err == nil {
			t.Errorf("%v is taken as %s", set, solvers.Spell(m))
		}
	}
	m := grasp(t, "variant=seq once=true until=-3 hs=2 alpha=0 extend=0 fix=all batch=7 items=32")
	again := grasp(t, strings.ReplaceAll(solvers.Spell(m), ",", " "))
	if solvers.Spell(again) != solvers.Spell(m) || *again.Until != -3 || *again.Alpha != 0 || !again.Once ||
		again.starts() != 1 {
		t.Errorf("%s is read back as %s", solvers.Spell(m), solvers.Spell(again))
	}
	for _, c := range []struct{ spec, set, want string }{
		{"classic/G1", "fix=all", "f a sum"},                     // f is not
		{"classic/G5", "hs=8", "wider than the widest interval"}, // of 7.68
	} {
		_, err := grasp(t, c.set).Start(context.Background(), solvertest.ParseProblem(t, c.spec),
			solvertest.OpenDevices(t, 1, shard.Options{}), solvers.Setup{})
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s %s: %v", c.spec, c.set, err)
		}
	}
}

// start makes one start on the host until it ends or has obtained more than most values.
func start(t *testing.T, spec, set string, key rng.Key, who uint32, most int64) *graspStart {
	t.Helper()
	p := solvertest.ParseProblem(t, spec).(problems.Referenced)
	r, err := grasp(t, "once=true "+set).rules(p, problems.FP64)
	if err != nil {
		t.Fatal(err)
	}
	s := newGraspStart(r, p, key, who)
	for s.Phase != graspEnded && s.Values <= most {
		s.unit(purse{math.MaxInt64, math.MaxInt64}, nil, 1)
	}
	return s
}

// The method of the papers, which evaluates every candidate in full, needs about as many evaluations to reach 1e-6 as
// an independent program did: 3.0e5, 4.7e5, … with two seeds each.
func TestCGRASPOfThePapers(t *testing.T) {
	for _, c := range shorttest.Rows(1, []struct {
		spec string
		want float64
	}{
		{"classic/G2", 3.0e5}, {"classic/G5", 4.7e5}, {"classic/G6", 3.9e5}, {"classic/G7", 4.8e5}, {"classic/G8",
			9.5e5},
	}) {
		papers, ok := PublishedGRASP(c.spec)
		if !ok {
			t.Fatalf("%s has no published settings", c.spec)
		}
		set := "until=1e-6"
		for k, v := range papers {
			set += " " + k + "=" + v
		}
		for seed := range uint32(3) {
			s := start(t, c.spec, set, rng.Key{Seed: seed}, 0, 6e6)
			if got := float64(s.Values); s.Best > 1e-6 || got < 0.75*c.want || got > 1.25*c.want {
				t.Errorf("%s, seed %d: %.3g evaluations to %g, want %.3g to 1e-6", c.spec, seed, got, s.Best, c.want)
			}
		}
	}
}

// Line searches that are kept, and sums of touched components, lead to the same points as full evaluations
// of every candidate.
func TestCGRASPReuse(t *testing.T) {
	for _, spec := range []string{"classic/G2", "classic/G3", "classic/G4", "classic/G6", "classic/G8", "classic/G1"} {
		const set = "hs=0.71 he=0.1 "
		full := start(t, spec, set+"evaluation=full reuse=flag", rng.Key{Seed: 3}, 2, 1e8)
		for _, way := range []string{"reuse=flag", "reuse=terms"} {
			s := start(t, spec, set+way, rng.Key{Seed: 3}, 2, 1e8)
			if s.Construction != full.Construction || math.Abs(s.Best-full.Best) > 1e-9*max(1, math.Abs(full.Best)) {
				t.Errorf("%s %s: %g after %d constructions, in full %g after %d", spec, way, s.Best, s.Construction,
					full.Best, full.Construction)
			}
			for i := range s.At {
				if math.Abs(s.At[i]-full.At[i]) > 1e-9 {
					t.Fatalf("%s %s: variable %d is %v, in full %v", spec, way, i, s.At[i], full.At[i])
				}
			}
			switch {
			case way == "reuse=flag" && s.Values != full.Values:
				t.Errorf("%s: %d values, in full %d", spec, s.Values, full.Values)
			case way == "reuse=terms" && spec != "classic/G1" && s.Values > full.Values*2/3:
				t.Errorf("%s: %d values, in full %d", spec, s.Values, full.Values)
			case s.Components > full.Components*4/5: // a local search evaluates all components
				t.Errorf("%s %s: %d components, in full %d", spec, way, s.Components, full.Components)
			}
		}
	}
}

// The functions of Andrade et al. (2012) and the usual form of Levy's are solved to the
// tolerance of Hirsch et al., on the host and on devices, with the defaults.
func TestCGRASPSolves(t *testing.T) {
	g := solvertest.OpenDevices(t, 1, shard.Options{})
	goal := 1e-6
	for _, name := range shorttest.Rows(2, []string{"G1", "G2", "G3", "G4", "G5", "G6", "G6_w", "G7", "G8"}) {
		for _, set := range []string{"variant=seq", "starts=16"} {
			res, err := solvers.Minimize(context.Background(), solvertest.ParseProblem(t, "classic/"+name), g,
				solvers.Settings{Key: rng.Key{Seed: 2}, Budget: solvers.Budget{Evaluations: 1e8, Target: &goal}},
				grasp(t, set))
			if err != nil {
				t.Fatal(err)
			}
			if res.Status != solvers.Target || !(res.HostF <= goal) || !res.Confirmed {
				t.Errorf("%s %s: %v at %g after %d evaluations", name, set, res.Status, res.HostF, res.Moves)
			}
			t.Logf("%s %s: %d moves, work %.0f", name, set, res.Moves, res.Work)
		}
	}
}

// With once, a run ends when all starts have ended. Each start ends when it reaches the value of until.
func TestCGRASPOnce(t *testing.T) {
	p := solvertest.ParseProblem(t, "classic/G5")
	for _, set := range []string{"variant=seq starts=5", "starts=5"} {
		m := grasp(t, set+" once=true until=1e-3")
		res, err := solvers.Minimize(context.Background(), p, solvertest.OpenDevices(t, 2, shard.Options{}),
			solvers.Settings{Key: rng.Key{Seed: 2}}, m)
		if err != nil {
			t.Fatal(err)
		}
		one, err := solvers.Minimize(context.Background(), p, solvertest.OpenDevices(t, 2, shard.Options{}),
			solvers.Settings{Key: rng.Key{Seed: 2}},
			grasp(t, strings.Replace(set, "5", "1", 1)+" once=true until=1e-3"))
		if err != nil {
			t.Fatal(err)
		}
		if res.Status != solvers.Finished || one.Status != solvers.Finished || res.F > 1e-3 || one.F > 1e-3 {
			t.Errorf("%s: %v at %g, one start %v at %g", set, res.Status, res.F, one.Status, one.F)
		}
		if few := float64(one.Moves); float64(res.Moves) < 3*few || float64(res.Moves) > 7*few {
			t.Errorf("%s: %d moves, of one start %d", set, res.Moves, one.Moves)
		}
	}
}
