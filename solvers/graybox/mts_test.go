package graybox

import (
	"context"
	"errors"
	"math"
	"os"
	"path/filepath"
	"reflect"
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

// mtsTwin is MTS-LS1 of Tseng and Chen (2008) in plain Go, for one group of grouped(inside, rastrigin).
// real rounds to the precision of the device.
type mtsTwin struct {
	real           func(float64) float64
	least          float64 // step, as a fraction of the box, below which a chain ends
	x              []float64
	f, step        float64
	at             int
	second, gained bool
	over           bool
}

const valleyLo, valleyHi = -5, 5

func newMTSTwin(prec problems.Precision, x []float64) *mtsTwin {
	w := &mtsTwin{real: func(v float64) float64 { return v }, least: 1e-15, x: slices.Clone(x), f: valley(x)}
	if prec == problems.FP32 {
		w.real, w.least = func(v float64) float64 { return float64(float32(v)) }, 1e-7
	}
	w.wide()
	return w
}

func (w *mtsTwin) wide() { w.step = w.real(w.real(0.4) * (valleyHi - valleyLo)) }

// valley is grouped(inside, rastrigin) with one group.
func valley(x []float64) float64 {
	s, f := 0.0, 0.0
	for i, v := range x {
		s += v - 0.25*float64(i+1)
	}
	for i, v := range x {
		y := v - 0.25*float64(i+1) - s/4
		f += y*y + 10 - 10*math.Cos(2*math.Pi*y)
	}
	return f
}

// try returns the next point.
func (w *mtsTwin) try() []float64 {
	y := slices.Clone(w.x)
	if w.second {
		y[w.at] = w.real(y[w.at] + w.step/2)
	} else {
		y[w.at] = w.real(y[w.at] - w.step)
	}
	y[w.at] = min(max(y[w.at], valleyLo), valleyHi)
	return y
}

// decide continues after a try y of value f, which was better or not.
func (w *mtsTwin) decide(y []float64, f float64, better bool) {
	if better {
		w.x, w.f, w.gained = y, f, true
	} else if !w.second {
		w.second = true
		return
	}
	w.second = false
	if w.at++; w.at < len(w.x) {
		return
	}
	if !w.gained {
		w.step /= 2
	}
	w.at, w.gained = 0, false
	if w.step < w.least*(valleyHi-valleyLo) {
		w.over = true
		w.wide()
	}
}

// mtsState is the search of the only part, read from a device: the point that is improved, its
// accumulators, the step, and the number of the individual.
type mtsState struct {
	x, f, pace []float64
	now        []uint32
}

func (e *partEngine) mtsState(t *testing.T) mtsState {
	t.Helper()
	b, n := e.shape, e.p.Domain().N
	l := mtsState{make([]float64, n), make([]float64, b.accs), make([]float64, b.paces()), make([]uint32, 4)}
	o := e.on[0]
	if err := errors.Join(o.x.Read(b.n*n, l.x), o.acc.Read(b.n*b.accs, l.f), o.pace.Read(0, l.pace),
		o.now.Read(0, l.now)); err != nil {
		t.Fatal(err)
	}
	return l
}

// Device and host make the same tries, over several chains and with evolution in between. If two values
// differ by rounding only, either decision is right, and the host follows the device. Many tries in a
// launch have the same bits as single ones.
func TestMTSTwin(t *testing.T) {
	for _, c := range shorttest.Rows(1, []struct {
		prec  problems.Precision
		close float64 // rounding error of a sum of some hundreds
		evals int
	}{
		{problems.FP64, 1e-12, 5000}, {problems.FP32, 5e-4, 3000},
	}) {
		spec := filepath.Join(t.TempDir(), "valley.cl")
		if err := os.WriteFile(spec, []byte(grouped(inside, rastrigin)), 0o600); err != nil {
			t.Fatal(err)
		}
		set := map[string]string{"population": "5", "iterations": "41", "search": "mts"}
		r := newRun(t, &Graybox{}, spec+":n=8", set, solvertest.OpenDevices(t, 1, shard.Options{}),
			solvers.Setup{Key: rng.Key{Seed: 2}, Precision: c.prec}).(*chainsRun)
		e := engineOf(r)
		var w *mtsTwin
		chains, taken, refused, ties := 0, 0, 0, 0
		solvertest.Advance(t, r) // the population
		for range c.evals {
			begins := r.state.Phase == phaseSearch && r.state.Left == int64(r.iterations)
			if begins {
				l := e.mtsState(t)
				if w == nil || w.over {
					w = newMTSTwin(c.prec, e.read(t, 0).x[l.now[0]])
					chains++
				}
				if !slices.Equal(l.x, w.x) {
					t.Fatalf("%v: a phase begins with another point than the one before ended with", c.prec)
				}
			}
			searching := r.state.Phase == phaseSearch
			if _, ok, err := r.Step(context.Background(), 1); err != nil || !ok {
				t.Fatalf("step: %v, %v", ok, err)
			}
			if !searching {
				continue
			}
			l, y := e.mtsState(t), w.try()
			f := valley(y)
			better := f < w.f
			if math.Abs(f-w.f) <= c.close {
				better = !slices.Equal(l.x, w.x)
				ties++
			} else if better {
				taken++
			} else {
				refused++
			}
			at, second := w.at, w.second
			w.decide(y, f, better)
			if got := shard.Values(e.p, l.f)[0]; !slices.Equal(l.x, w.x) || l.pace[0] != w.step ||
				!(math.Abs(got-w.f) <= c.close) {
				t.Fatalf("%v, variable %d, second try %v, better %v: value %v and step %v, host %v and %v", c.prec, at,
					second, better, got, l.pace[0], w.f, w.step)
			}
		}
		many := newRun(t, &Graybox{}, spec+":n=8", set, solvertest.OpenDevices(t, 1, shard.Options{Rounds: true}),
			solvers.Setup{Key: rng.Key{Seed: 2}, Precision: c.prec}).(*chainsRun)
		want := r.state.Sample.Evaluations
		for left := want; left > 0; left = want - many.state.Sample.Evaluations {
			if _, ok, err := many.Step(context.Background(), left); err != nil || !ok {
				t.Fatalf("step: %v, %v", ok, err)
			}
		}
		if one, all := e.mtsState(t), engineOf(many).mtsState(t); !reflect.DeepEqual(one, all) {
			t.Errorf("%v: many tries in a launch end with %+v, one in each with %+v", c.prec, all, one)
		}
		t.Logf("%v: %d chains, %d tries taken, %d refused, %d equal but for rounding", c.prec, chains, taken, refused,
			ties)
		if chains < 3 || taken < 50 || refused < 1000 || ties > refused {
			t.Errorf("%v: %d chains, %d tries taken, %d refused, %d equal but for rounding", c.prec, chains, taken,
				refused, ties)
		}
	}
}

// One chain solves independent variables with one valley each. If a variable has many valleys, a chain ends
// in one of them and later chains find better ones. Parts of one variable have time for twenty chains.
func TestMTSConverges(t *testing.T) {
	shorttest.Out(t)
	for _, c := range []struct {
		spec, grain string
		prec        problems.Precision
		evals       int64
		most        float64
	}{
		{"cec2013/f1:n=1000", "10", problems.FP64, 5000, 1e-15},
		{"cec2013/f1:n=1000", "auto", problems.FP64, 200000, 1e-6},
		{"cec2013/f2:n=1000", "auto", problems.FP64, 60000, 4e3},
		{"cec2013/f2:n=1000", "1", problems.FP32, 2000, 200},
	} {
		m, err := solvers.Configure(&Graybox{}, map[string]string{"population": "10", "search": "mts",
			"grain": c.grain})
		if err != nil {
			t.Fatal(err)
		}
		res, err := solvers.Minimize(context.Background(), solvertest.ParseProblem(t, c.spec),
			solvertest.OpenDevices(t, 1, shard.Options{}), solvers.Settings{Key: rng.Key{Seed: 1}, Precision: c.prec,
				Budget: solvers.Budget{Evaluations: c.evals}}, m)
		if err != nil {
			t.Fatal(err)
		}
		t.Logf("%s, grain %s, %v: %.3g after %d evaluations", c.spec, c.grain, c.prec, res.F, res.Evaluations)
		if !res.Confirmed || !(res.F <= c.most) {
			t.Errorf("%s, grain %s, %v: %g, confirmed %v; want at most %g", c.spec, c.grain, c.prec, res.F,
				res.Confirmed, c.most)
		}
	}
}

func TestMTSRefused(t *testing.T) {
	for want, m := range map[string]Graybox{
		"masw-seq has one part":                {Parts: 1, Search: "mts"},
		"needs scheme=chains":                  {Scheme: "synchronous", Search: "mts"},
		"needs search=cma":                     {Search: "mts", Offspring: 9},
		"with search=mts a part has one chain": {Search: "mts", States: 3},
	} {
		err := m.Validate()
		if e := (*solvers.SettingError)(nil); !errors.As(err, &e) || !strings.Contains(err.Error(), want) {
			t.Errorf("want %q, got %v", want, err)
		}
	}
}
