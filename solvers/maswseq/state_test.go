package maswseq

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/clopt/clopt/problems"
	"github.com/clopt/clopt/problems/rng"
	"github.com/clopt/clopt/shard"
	"github.com/clopt/clopt/solvers"
	"github.com/clopt/clopt/test/shorttest"
	"github.com/clopt/clopt/test/solvertest"
)

// These runs have every layout of the memory. A step has at most 50 evaluations, so that phases are split too.
var resumed = map[string]solvertest.ResumeCase{
	"many short chains": {Method: &MASWSeq{Population: 6, Iterations: 4}, Spec: "cec2013/f1", Prec: problems.FP32,
		Evals: 300, After: []int64{20, 61}},
	"several tiles": {Method: &MASWSeq{Population: 6, Iterations: 70}, Spec: "cec2013/f12:n=3500,mode=paper",
		Prec: problems.FP64, Evals: 400, After: []int64{1, 2, 3, 5, 7}},
	"in global memory": {Method: &MASWSeq{Population: 4, Iterations: 12}, Spec: "cec2013/f1:n=200000",
		Prec: problems.FP64, Evals: 40, After: []int64{2}},
	"on the host": {Method: &MASWSeq{Population: 6, Iterations: 70, On: "host"}, Spec: "cec2013/f2",
		Prec: problems.FP64, Evals: 500, After: []int64{1, 2, 3, 4, 5, 8}},
}

// shapes are the cases whose programs the tests below share.
var shapes = []string{"several tiles"}

func TestResume(t *testing.T) {
	for name, c := range resumed {
		t.Run(name, func(t *testing.T) {
			if !slices.Contains(shapes, name) {
				shorttest.Out(t)
			}
			c.Resume(t)
		})
	}
}

// Values that are not finite are counted once, even if points are evaluated again.
func TestResumeNonFinite(t *testing.T) {
	shorttest.Out(t)
	path := filepath.Join(t.TempDir(), "hole.cl")
	if err := os.WriteFile(path, []byte("//@ bounds -5 5\n//@ reads k..k+1\n//@ components n-1\n"+
		"static void component(uint k, point x, data d, real *acc) "+
		"{ real v = at(x, k), w = at(x, k + 1); acc[0] += v > R(4.9) ? NAN : v * v + R(0.1) * v * w; }\n"),
		0o600); err != nil {
		t.Fatal(err)
	}
	c := solvertest.ResumeCase{Method: &MASWSeq{Population: 40, Iterations: 4}, Spec: path + ":n=25",
		Prec: problems.FP64, Evals: 200, After: []int64{2, 3, 5, 6}}
	if res := c.Resume(t); res.NonFinite == 0 {
		t.Error("no value was NaN")
	}
}

// Whenever a run is cancelled, its best point has its best value. The next step goes on there.
func TestCancelled(t *testing.T) {
	for _, name := range shapes {
		c := resumed[name]
		p := solvertest.ParseProblem(t, c.Spec).(problems.Referenced)
		var want solvers.Sample
		for asks := 100; asks >= 0; asks = min(asks, 4) - 1 {
			run := solvertest.Start(t, c.Method, p, solvertest.OpenDevices(t, 2, shard.Options{}),
				solvers.Setup{Key: rng.Key{Seed: 5}})
			solvertest.Advance(t, run)
			two := solvertest.Advance(t, run)
			s, ok, err := run.Step(solvertest.AfterLooks(asks), solvers.Within(1e6))
			if asks == 100 {
				want = s
			}
			if ok != (err == nil) || ok != (s.Step == 3) || s.Evaluations < two.Evaluations ||
				s.Evaluations > want.Evaluations || asks == 100 && !ok || asks == 0 && ok {
				t.Errorf("%s cancelled after %d: %+v, %v, %v", name, asks, s, ok, err)
			}
			x := make([]float64, p.Domain().N)
			if err := run.Incumbent(0, x); err != nil {
				t.Fatal(err)
			}
			if f, _ := problems.Eval(p, x); !solvers.Agree(s.Best, f, p.Tolerance(problems.FP64)) {
				t.Errorf("%s cancelled after %d: best is %v, its point has %v", name, asks, s.Best, f)
			}
			if !ok {
				if s = solvertest.Advance(t, run); s != want {
					t.Errorf("%s cancelled after %d: then %+v, want %+v", name, asks, s, want)
				}
			}
			run.Close()
		}
	}
}

// A state of another run is refused before a step is made.
func TestResumeRefused(t *testing.T) {
	for name, other := range map[string]solvers.Solver{
		"several tiles": &MASWSeq{Population: 5, Iterations: 70},
		"on the host":   &MASWSeq{Population: 6, Iterations: 70, On: "device"},
	} {
		c := resumed[name]
		p, host := solvertest.ParseProblem(t, c.Spec), name == "on the host"
		s := solvers.Settings{Key: rng.Key{Seed: 5}, Precision: c.Prec, Budget: solvers.Budget{Evaluations: c.Evals}}
		keeper := &solvertest.StepKeeper{T: t, After: c.After, Kept: map[int64]*solvertest.Checkpoint{}}
		s.Keeper = keeper
		if _, err := solvers.Minimize(context.Background(), p, solvertest.OpenDevices(t, 3, shard.Options{}), s,
			c.Method); err != nil {
			t.Fatal(err)
		}
		s.Keeper = nil
		good, earlier := keeper.Kept[c.After[len(c.After)-1]], keeper.Kept[2]
		try := func(want string, m solvers.Solver, k *solvertest.Checkpoint) {
			t.Helper()
			s.Resume = k.Load
			if _, err := solvers.Minimize(context.Background(), p, solvertest.OpenDevices(t, 2, shard.Options{}), s,
				m); err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("%s: want %q, got %v", name, want, err)
			}
		}
		if host {
			try("has the fields", other, good)
			k := hostState{}
			st := &solvers.State{Host: &k}
			if _, err := good.Load(st); err != nil {
				t.Fatal(err)
			}
			k.X[3][17] += 1
			try("individual 3: a stored point has", c.Method, solvertest.KeepCheckpoint(t, st, good.Loop))
			k.X[3] = k.X[3][:900]
			try("a point of 900 variables", c.Method, solvertest.KeepCheckpoint(t, st, good.Loop))
			k.F = k.F[:5]
			try("for a population of", c.Method, solvertest.KeepCheckpoint(t, st, good.Loop))
			continue
		}
		try("the vectors are", other, good)
		try("a stored point has", c.Method, &solvertest.Checkpoint{Host: good.Host, Shards: earlier.Shards,
			Loop: good.Loop})
		try("a stored point has", c.Method, &solvertest.Checkpoint{Host: earlier.Host, Shards: good.Shards,
			Loop: earlier.Loop})
		wrong := slices.Clone(good.Shards[0])
		wrong[len(wrong)/2]++
		try("is damaged", c.Method, &solvertest.Checkpoint{Host: good.Host, Shards: [][]byte{wrong}, Loop: good.Loop})
	}
}

// A stored state with one wrong number is refused, even if its checksums are right.
func TestResumeWrong(t *testing.T) {
	for _, name := range shapes {
		c, ctx := resumed[name], context.Background()
		p, g := solvertest.ParseProblem(t, c.Spec), solvertest.OpenDevices(t, 2, shard.Options{})
		start := func() solvers.Run {
			run, err := c.Method.Start(ctx, p, g, solvers.Setup{Key: rng.Key{Seed: 5}})
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(run.Close)
			return run
		}
		run := start()
		solvertest.Advance(t, run)
		solvertest.Advance(t, run)
		st := run.State()
		for vector, want := range map[string]string{
			"population": "a stored point has", "sums": "a stored point has", "now": "of individual 77",
		} {
			i := slices.IndexFunc(st.Vectors, func(v solvers.Vector) bool { return v.Name == vector })
			if i < 0 {
				continue
			}
			on, old := st.Vectors[i].Columns[0].On, make([]byte, st.Vectors[i].Size)
			if vector == "population" {
				old = make([]byte, 8*900) // a change of one variable may be too small to notice
			}
			if err := on.ReadBytes(0, old); err != nil {
				t.Fatal(err)
			}
			other := slices.Clone(old)
			switch vector {
			case "population", "sums":
				for i := 6; i < len(other); i += 8 {
					other[i] ^= 32 // of a float64
				}
			default:
				copy(other, bytes.Repeat([]byte{77, 0, 0, 0}, len(other)/4))
			}
			if err := on.WriteBytes(0, other); err != nil {
				t.Fatal(err)
			}
			k := solvertest.KeepCheckpoint(t, st, solvers.Progress{})
			if err := on.WriteBytes(0, old); err != nil {
				t.Fatal(err)
			}
			if _, err := solvers.Resume(ctx, start().State(), k.Load); err == nil ||
				!strings.Contains(err.Error(), want) {
				t.Errorf("%s: a wrong number in %s: want %q, got %v", name, vector, want, err)
			}
			if _, err := solvers.Resume(ctx, start().State(),
				solvertest.KeepCheckpoint(t, st, solvers.Progress{}).Load); err != nil {
				t.Errorf("%s: %v", name, err)
			}
		}
	}
}

func TestResumeCancelled(t *testing.T) {
	for _, name := range shapes {
		resumed[name].Cancel(t, 1)
	}
}
