package solvers

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/clopt/clopt/problems"
	"github.com/clopt/clopt/problems/draw"
	"github.com/clopt/clopt/shard"
)

// Runs by blocks, in every shape that their memory has. A step of the chains
// has at most 50 evaluations, one of the synchronous scheme 100, so that phases
// are cut too.
var cutBlocks = map[string]cutCase{
	"chains, some states":   {&Graybox{Population: 6, Iterations: 70, States: 3}, "cec2013/f4:n=4000", problems.FP64, 600, []int64{1, 2, 3, 4, 5, 8}},
	"many short chains":     {&Graybox{Population: 6, Iterations: 4, States: 2}, "cec2013/f12:n=3000", problems.FP64, 300, []int64{20, 61}},
	"chains in fp32":        {&Graybox{Population: 5, Iterations: 60}, "cec2013/f1:n=3000", problems.FP32, 300, []int64{3, 4}},
	"synchronous":           {&Graybox{Scheme: "synchronous", Population: 5, Iterations: 110}, "cec2013/f2:n=3000", problems.FP64, 5 * 300, []int64{1, 2, 3, 4, 5}},
	"synchronous and grain": {&Graybox{Scheme: "synchronous", Population: 6, Iterations: 104, Grain: 50}, "cec2013/f2:n=3000", problems.FP32, 6 * 250, []int64{2, 4}},
	"two colours":           {&Graybox{Population: 5, Iterations: 60}, "cec2013/f12:n=4300,mode=paper", problems.FP64, 500, []int64{1, 2, 3, 4, 5, 6, 7, 9}},
	"two colours and grain": {&Graybox{Population: 5, Iterations: 60, Grain: 150}, "cec2013/f12:n=3000", problems.FP32, 500, []int64{3, 6, 8}},
	"parts":                 {&Graybox{Population: 5, Iterations: 60, Grain: 120}, "cec2013/f4:n=3000", problems.FP64, 300, []int64{2, 4}},
	"parts in two colours":  {&Graybox{Population: 5, Iterations: 20, Grain: 1}, "cec2013/f13:n=2000", problems.FP64, 150, []int64{2, 4, 5}},
	"parts that learn":      {&Graybox{Population: 5, Iterations: 60, Grain: 25, Search: "cma"}, "cec2013/f4:n=3000", problems.FP64, 400, []int64{3, 4, 6}},
	"blocks that learn":     {&Graybox{Population: 5, Iterations: 60, Grain: 40, Search: "cma", Offspring: 7}, "cec2013/f1:n=3000", problems.FP32, 400, []int64{3, 4, 6}},
	"lines":                 {&Graybox{Population: 5, Iterations: 60, Search: "mts"}, "cec2013/f12:n=4300,mode=paper", problems.FP64, 500, []int64{2, 4, 5, 7}},
	"short lines":           {&Graybox{Population: 5, Iterations: 60, Grain: 3, Search: "mts"}, "cec2013/f1:n=3000", problems.FP32, 700, []int64{3, 8, 10}},
	"seq":                   {&Graybox{Parts: 1, Population: 6, Iterations: 70, On: "device"}, "cec2013/f12:n=3500,mode=paper", problems.FP64, 400, []int64{1, 3, 5, 7}},
	"seq in global memory":  {&Graybox{Parts: 1, Population: 4, Iterations: 12, On: "device"}, "cec2013/f1:n=200000", problems.FP64, 40, []int64{2}},
	"seq on the host":       {&Graybox{Parts: 1, Population: 6, Iterations: 70, On: "host"}, "cec2013/f2", problems.FP64, 500, []int64{1, 2, 3, 4, 5, 8}},
}

func TestResumeBlocks(t *testing.T) {
	for name, c := range cutBlocks {
		t.Run(name, func(t *testing.T) { c.resume(t) })
	}
}

// Values that are not finite are counted once, whatever is evaluated again.
func TestResumeNonFinite(t *testing.T) {
	path := filepath.Join(t.TempDir(), "hole.cl")
	if err := os.WriteFile(path, []byte("//@ bounds -5 5\n//@ reads k..k+1\n//@ components n-1\n"+
		"static void component(uint k, point x, data d, real *acc) "+
		"{ real v = at(x, k), w = at(x, k + 1); acc[0] += v > R(4.99) ? NAN : v * v + R(0.1) * v * w; }\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, m := range []*Graybox{{Population: 40, Iterations: 4}, {Population: 8, Iterations: 40, Search: "mts"}} {
		c := cutCase{m, path + ":n=2500", problems.FP64, 200, []int64{2, 3, 5, 6}}
		if res := c.resume(t); res.NonFinite == 0 {
			t.Errorf("%v: no value was NaN", m)
		}
	}
}

// cancelledAfter is a context that is cancelled once it was asked a number of times.
type cancelledAfter struct {
	context.Context
	asks int
}

func (c *cancelledAfter) Err() error {
	if c.asks--; c.asks < 0 {
		return context.Canceled
	}
	return nil
}

// Whenever a run is cancelled, its best point is that of its best value: a step
// that was begun is made and counted.
func TestBlockCancelled(t *testing.T) {
	for _, name := range []string{"chains, some states", "two colours", "synchronous"} {
		c := cutBlocks[name]
		p := parse(t, c.spec).(problems.Hosted)
		for asks := range 4 {
			run, err := c.method.Start(context.Background(), p, open(t, 2, shard.Options{}), Setup{Key: draw.Key{Seed: 5}})
			if err != nil {
				t.Fatal(err)
			}
			advance(t, run)
			advance(t, run)
			s, ok, err := run.Step(&cancelledAfter{context.Background(), asks}, 1e6)
			if ok != (asks > 0) || ok != (err == nil) || ok != (s.Step == 3) {
				t.Errorf("%s cancelled after %d: %+v, %v, %v", name, asks, s, ok, err)
			}
			x := make([]float64, p.Dim())
			if err := run.Incumbent(x); err != nil {
				t.Fatal(err)
			}
			if f, _ := problems.Eval(p, x); !Agree(s.Best, f, p.Tolerance(problems.FP64)) {
				t.Errorf("%s cancelled after %d: best is %v, its point has %v", name, asks, s.Best, f)
			}
			run.Close()
		}
	}
}

// What is not the state of this run is refused before a step is made.
func TestResumeBlocksRefused(t *testing.T) {
	for name, other := range map[string]Solver{
		"chains, some states": &Graybox{Population: 6, Iterations: 70, States: 2},
		"two colours":         &Graybox{Population: 6, Iterations: 60},
		"synchronous":         &Graybox{Scheme: "synchronous", Population: 6, Iterations: 110},
		"seq on the host":     &Graybox{Parts: 1, Population: 6, Iterations: 70, On: "device"},
	} {
		c := cutBlocks[name]
		p, host := parse(t, c.spec), name == "seq on the host"
		s := Settings{Key: draw.Key{Seed: 5}, Precision: c.prec, Budget: Budget{Evaluations: c.evals}}
		cuts := &cutter{t: t, after: c.after, kept: map[int64]*kept{}}
		s.Keeper = cuts
		if _, err := Minimize(context.Background(), p, open(t, 3, shard.Options{}), s, c.method); err != nil {
			t.Fatal(err)
		}
		s.Keeper = nil
		good, earlier := cuts.kept[c.after[len(c.after)-1]], cuts.kept[2]
		try := func(want string, m Solver, k *kept) {
			t.Helper()
			s.Resume = k.load
			if _, err := Minimize(context.Background(), p, open(t, 2, shard.Options{}), s, m); err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("%s: want %q, got %v", name, want, err)
			}
		}
		if host {
			try("has the fields", other, good)
			k := seqState{}
			st := &State{Host: &k}
			if _, err := good.load(st); err != nil {
				t.Fatal(err)
			}
			k.X[3][17] += 1
			try("individual 3: a stored point has", c.method, keep(t, st, good.loop))
			k.X[3] = k.X[3][:900]
			try("a point of 900 variables", c.method, keep(t, st, good.loop))
			k.F = k.F[:5]
			try("for a population of", c.method, keep(t, st, good.loop))
			continue
		}
		try("the vectors are", other, good)
		try("a stored point has", c.method, &kept{host: good.host, shards: earlier.shards, loop: good.loop})
		try("a stored point has", c.method, &kept{host: earlier.host, shards: good.shards, loop: earlier.loop})
		try("variables 0 to", c.method, &kept{host: good.host, shards: good.shards[1:], loop: good.loop})
		wrong := slices.Clone(good.shards[1])
		wrong[len(wrong)/2]++
		try("is damaged", c.method, &kept{host: good.host, shards: [][]byte{good.shards[0], wrong, good.shards[2]}, loop: good.loop})
		if m := c.method.(*Graybox); m.Scheme == "synchronous" { // vectors of the same size, and other blocks
			fine := *m
			fine.Grain = 100
			try("the files hold 3 blocks, the problem has 30", &fine, good)
		}
	}
}

// A state of which every byte was stored well, and one number is wrong.
func TestResumeBlocksWrong(t *testing.T) {
	for _, name := range []string{"chains, some states", "two colours", "parts", "synchronous", "seq"} {
		c, ctx := cutBlocks[name], context.Background()
		p, g := parse(t, c.spec), open(t, 2, shard.Options{})
		start := func() Resumable {
			run, err := c.method.Start(ctx, p, g, Setup{Key: draw.Key{Seed: 5}})
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(run.Close)
			return run.(Resumable)
		}
		run := start()
		advance(t, run)
		advance(t, run)
		st := run.State()
		for vector, want := range map[string]string{
			"population": "a stored point has", "sums": "a stored point has", "slots": "that there is not",
			"chains": "that there is not", "now": "that there is not", "point": "a stored point has",
		} {
			i := slices.IndexFunc(st.Vectors, func(v Vector) bool { return v.Name == vector })
			if i < 0 {
				continue
			}
			on, old := st.Vectors[i].On(0), make([]byte, st.Vectors[i].Size)
			if vector == "population" || vector == "point" {
				old = make([]byte, 8*900) // one variable may weigh too little
			}
			if err := on.ReadBytes(0, old); err != nil {
				t.Fatal(err)
			}
			other := slices.Clone(old)
			switch vector {
			case "population", "sums", "point":
				for i := 6; i < len(other); i += 8 {
					other[i] ^= 32 // of a float64
				}
			default:
				copy(other, bytes.Repeat([]byte{77, 0, 0, 0}, len(other)/4))
			}
			if err := on.WriteBytes(0, other); err != nil {
				t.Fatal(err)
			}
			k := keep(t, st, Loop{})
			if err := on.WriteBytes(0, old); err != nil {
				t.Fatal(err)
			}
			if _, err := resume(ctx, start().State(), k.load); err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("%s: a wrong number in %s: want %q, got %v", name, vector, want, err)
			}
			if _, err := resume(ctx, start().State(), keep(t, st, Loop{}).load); err != nil {
				t.Errorf("%s: %v", name, err)
			}
		}
	}
}
