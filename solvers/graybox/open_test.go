package graybox

import (
	"cmp"
	"context"
	"iter"
	"math"
	"math/bits"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/clopt/clopt/internal/solvers/host"
	"github.com/clopt/clopt/problems"
	"github.com/clopt/clopt/problems/opencl"
	"github.com/clopt/clopt/problems/rng"
	"github.com/clopt/clopt/shard"
	"github.com/clopt/clopt/solvers"
	"github.com/clopt/clopt/test/shorttest"
	"github.com/clopt/clopt/test/solvertest"
)

// ruggedChain has many local minima, and neighbours that depend on each other.
const ruggedChain = "//@ bounds -5 5\n//@ n 120\n//@ components n-1\n//@ reads k..k+1\n//@ best 0\n" +
	"static void component(uint k, point x, data d, real *acc)\n" +
	"{ real a = at(x, k) - R(0.7), b = at(x, k + 1) - R(0.7);\n" +
	"  acc[0] += sq(a) + 10 * (1 - cos_2pi(a)) + 2 * sq(b - a); }\n"

// Parts that have components in common find the minimum of a chain with many local minima.
func TestOpenFinds(t *testing.T) {
	res, err := solvers.Minimize(context.Background(), objective(t, ruggedChain),
		solvertest.OpenDevices(t, 1, shard.Options{}), solvers.Settings{Key: rng.Key{Seed: 1},
			Budget: solvers.Budget{Evaluations: 40000}}, &Graybox{Search: "mts"})
	if err != nil || !res.Confirmed || !(res.F < 1e-9) {
		t.Errorf("%+v, %v", res, err)
	}
}

// Whether the method takes a problem, and its limits, follow from the parts alone: nothing is made for each of them.
func TestLimitsOfMany(t *testing.T) {
	p, m := objective(t, strings.Replace(ruggedChain, "n 120", "n 20000", 1)), &Graybox{}
	m.limits(p, problems.FP64) // the parts are kept from now on
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	err := m.suits(p, problems.FP64)
	l := m.limits(p, problems.FP64)
	runtime.ReadMemStats(&after)
	if made := after.TotalAlloc - before.TotalAlloc; err != nil || l.Step < 2 || made > 20000 {
		t.Errorf("%d bytes were allocated for 20000 parts: %+v, %v", made, l, err)
	}
}

// A run of open parts is stopped and resumed with the same bits on other numbers of devices.
func TestOpenResume(t *testing.T) {
	for _, c := range shorttest.Rows(2, []solvertest.ResumeCase{
		{Method: &Graybox{Search: "mts"}, Spec: "../../test/testdata/chain.cl:n=5001", Evals: 2000,
			After: []int64{1, 2, 3, 5}},
		{Method: &Graybox{Search: "solis-wets"}, Spec: "cec2013/f13", Evals: 1500, After: []int64{1, 3}},
		{Method: &Graybox{}, Spec: "../../test/testdata/chain.cl:n=300", Evals: 6000, After: []int64{1, 4}},
	}) {
		t.Run(c.Spec, func(t *testing.T) { c.Resume(t) })
	}
}

// overlapping has groups of twelve variables, of which neighbours share four.
const overlapping = "//@ bounds -5 5\n//@ components (n-4)/8\n//@ reads 8*k..8*k+11\n" +
	"static void component(uint k, point x, data d, real *acc)\n" +
	"{ real s = 0; for (uint i = 0; i < 12; i++) { s += at(x, 8 * k + i) - R(0.7);\n" +
	"  acc[0] += sq(s) + sq(at(x, 8 * k + i)); } }\n"

// All searches work in open parts of many variables, also with the many work-items that groups have in Oclgrind (see
// test/scripts/oclgrind.sh).
func TestOpenGroups(t *testing.T) {
	p, err := opencl.Parse(strings.NewReader(overlapping), nil, 28)
	if err != nil {
		t.Fatal(err)
	}
	r := start(t, &Graybox{}, p, solvertest.OpenDevices(t, 1, shard.Options{}))
	last := math.Inf(1)
	for step := range 3 {
		s, ok, err := r.Step(context.Background(), solvers.Unlimited)
		if err != nil || !ok || s.F > last {
			t.Fatalf("step %d: %+v after %v, %v, %v", step, s, last, ok, err)
		}
		last = s.F
	}
}

// The value of the best point never rises, and its parts are compared with the host.
func TestOpenFalls(t *testing.T) {
	g := solvertest.OpenDevices(t, 1, shard.Options{})
	r := start(t, &Graybox{Search: "mts"}, solvertest.ParseProblem(t, "cec2013/f12:n=2000"), g)
	last := 0.0
	for step := range 8 {
		s, ok, err := r.Step(context.Background(), solvers.Unlimited)
		if err != nil || !ok || step > 0 && s.F > last {
			t.Fatalf("step %d: %+v after %v, %v, %v", step, s, last, ok, err)
		}
		last = s.F
	}
	p := wrong{solvertest.ParseProblem(t, "cec2013/f12:n=2000").(problems.Referenced)}
	if _, _, err := start(t, &Graybox{Search: "mts"}, p, g).Step(context.Background(), solvers.Unlimited); err == nil {
		t.Error("a wrong device was not noticed")
	}
}

// rising is a sequence near noise, with a jump at every step down.
const rising = "//@ bounds -6 6\n//@ n 600\n//@ reads k..k+1\n" +
	"static void component(uint k, point x, data d, real *acc)\n" +
	"{ real v = at(x, k); acc[0] += fabs(v - (k * R(8.0) / DIM - 4) - 2 * sin(R(7.0) * k * k));\n" +
	"  if (k + 1 < DIM && at(x, k + 1) < v) acc[0] += 1 + v - at(x, k + 1); }\n"

// The best point never gets worse where parts rest while their neighbours go on.
func TestOpenRests(t *testing.T) {
	r := start(t, &Graybox{Search: "mts"}, objective(t, rising), solvertest.OpenDevices(t, 1, shard.Options{}))
	for s := (solvers.Sample{}); s.Evaluations < 4000; {
		var ok bool
		var err error
		if s, ok, err = r.Step(context.Background(), solvers.Unlimited); err != nil || !ok || s.F > s.Best+1e-9*s.Best {
			t.Fatalf("%+v, %v, %v", s, ok, err)
		}
	}
}

// Parts of lists that do not repeat are those of one tile.
func TestOpenLists(t *testing.T) {
	p := solvertest.ParseProblem(t, "../../test/testdata/auto/overlap.cl")
	res, err := solvers.Minimize(context.Background(), p, solvertest.OpenDevices(t, 2, shard.Options{}),
		solvers.Settings{Key: rng.Key{Seed: 1}, Budget: solvers.Budget{Evaluations: 4000}}, &Graybox{Search: "mts"})
	if err != nil || !res.Confirmed || !(res.F < 100) {
		t.Errorf("%+v, %v", res, err)
	}
}

// Components that reach the same part of the next tile are taken, in one tile.
func TestOpenFar(t *testing.T) {
	p := objective(t, "//@ bounds -5 5\n//@ n 3000\n//@ components n-1000\n//@ reads k, k+1000\n"+
		"static void component(uint k, point x, data d, real *acc) { acc[0] += sq(at(x, k)) + sq(at(x, k + 1000)); }\n")
	res, err := solvers.Minimize(context.Background(), p, solvertest.OpenDevices(t, 2, shard.Options{}),
		solvers.Settings{Key: rng.Key{Seed: 1}, Budget: solvers.Budget{Evaluations: 1500}}, &Graybox{Search: "mts"})
	if err != nil || !res.Confirmed || !(res.F < 1) {
		t.Errorf("%+v, %v", res, err)
	}
}

// Open parts are refused where the value is not linear in its sums.
func TestOpenRefused(t *testing.T) {
	err := solvers.Suits(&Graybox{}, solvertest.ParseProblem(t, "../../test/testdata/auto/norm.cl"), problems.FP64)
	if err == nil || !strings.Contains(err.Error(), "is not linear in its sums") {
		t.Errorf("a root of a sum: %v", err)
	}
}

// openPart searches in one open part on the host, like hostPart.
type openPart struct {
	*hostPart
	still, last float64 // best values where searches last ended, and when uniform points were last tried
	restart     int
	starting    bool
}

// own returns the variables of the part in the best point.
func (h *openPart) own() []float64 {
	y := make([]float64, len(h.vars))
	for k, v := range h.vars {
		y[k] = h.around[v]
	}
	return y
}

// begin evaluates points again when a turn begins.
func (h *openPart) begin() {
	bestWas, was := h.fBest, h.f
	h.fBest = h.compute(h.own())
	if math.IsInf(h.known, 1) || h.starting {
		h.at, h.f = h.own(), h.fBest
	} else {
		h.f = h.compute(h.at)
	}
	h.known += h.fBest - bestWas
	h.from += h.f - was
}

// end writes the point of the restart to the best point if it is better.
func (h *openPart) end() {
	if !h.better(h.f, h.fBest) {
		return
	}
	h.fBest = h.f
	for k, v := range h.vars {
		h.around[v] = h.at[k]
	}
}

// moved reports whether the best value differs from another one by more than a part of it.
func (h *openPart) moved(other, by float64) bool {
	h.decide(math.Abs(h.fBest-other), by*math.Abs(h.fBest), 0)
	return !(math.Abs(h.fBest-other) <= by*math.Abs(h.fBest))
}

// restarts makes restarts for ever. It yields before every evaluation, and in every turn in which the part rests.
func (h *openPart) restarts(yield func(struct{}) bool) {
	h.yield, h.f, h.fBest = yield, math.Inf(1), math.Inf(1)
	h.credit, h.spent, h.gained = map[search]float64{}, map[search]float64{}, map[search]float64{}
	for fruitless := 0; ; {
		if h.starting = true; !yield(struct{}{}) {
			return
		}
		goesOn := h.restart == 0 || h.moved(h.still, 1e-6)
		if h.restart == 0 || h.moved(h.last, 0.01) {
			fruitless, h.last = 0, h.fBest
		}
		if !goesOn && fruitless >= h.patience {
			continue
		}
		y := h.own()
		if !goesOn {
			for k, v := range h.vars {
				y[k] = host.Drawn(h.p, h.prec, h.key, h.made, 0, rng.Init, v, v+1)[0]
			}
		}
		if h.known = math.Inf(1); !goesOn {
			h.known = h.fBest
		}
		h.made++
		h.at, h.f = y, h.compute(y)
		h.starting = false
		h.restart++
		if !h.searched(h.restart == 1 || !goesOn) {
			return
		}
		h.end()
		if math.IsInf(h.known, 1) {
			h.still = h.fBest
		} else if fruitless++; h.improves(h.fBest, h.known) {
			fruitless, h.still = 0, h.fBest
		}
	}
}

// searched lets searches improve the point until none of them does. The point may be fresh: it is uniform in the box.
// It returns false if the caller wants no more.
func (h *openPart) searched(fresh bool) (more bool) {
	defer func() {
		if r := recover(); r != nil && r != (ended{}) {
			panic(r)
		}
	}()
	h.improve(fresh)
	return true
}

// Open parts of a layer follow their twins on the host, turn by turn, up to the first decision that is closer than
// rounding. In the last row cma follows mts from a uniform point, and its chain is as wide as if it had been the first.
func TestOpenTwin(t *testing.T) {
	for _, c := range []struct {
		searches              []search
		layer, turns, devices int
		quota                 int // evaluations of a turn
		colours               int // whose parts move
		least                 int // turns that are compared
	}{
		{[]search{mts}, 0, 250, 1, 1, 2, 40},
		{[]search{mts}, 1, 150, 3, 1, 2, 40},
		{[]search{mts, cma}, 1, 40, 1, 20, 1, 30},
	} {
		p := solvertest.ParseProblem(t, "cec2013/f12:n=1200,mode=paper")
		r := startOpen(t, p, c.devices, c.searches)
		if turns := r.followOpen(t, c.layer, c.turns, c.quota, c.colours); turns < c.least {
			t.Errorf("layer %d was followed for %d turns, want %d", c.layer, turns, c.least)
		}
	}
}

// startOpen begins a run of open parts with some of the searches; parts of one variable have mts alone.
func startOpen(t *testing.T, p problems.Problem, devices int, searches []search) *run {
	t.Helper()
	m := &Graybox{}
	classes, err := m.classes(p, problems.FP64)
	if err != nil {
		t.Fatal(err)
	}
	for i := range classes {
		if classes[i].searches = searches; classes[i].span == 1 {
			classes[i].searches = []search{mts}
		}
	}
	r, err := m.start(context.Background(), p, solvertest.OpenDevices(t, devices, shard.Options{}),
		solvers.Setup{Key: rng.Key{Seed: 3}}, classes)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(r.Close)
	return r.(*run)
}

// In the restarts of open parts that begin at uniform points, the first chains of cma have more and more offspring,
// also where mts has begun these restarts.
func TestOpenOffspring(t *testing.T) {
	r := startOpen(t, solvertest.ParseProblem(t, "cec2013/f12:n=1200,mode=paper"), 1, []search{mts, cma})
	r.state.Layer = 1
	r.state.Turns = turns{Quota: 100, Count: 200}
	if err := r.advance(context.Background()); err != nil {
		t.Fatal(err)
	}
	i := slices.IndexFunc(r.classes, func(c class) bool { return c.layer == 1 })
	levels := make([]float64, r.columns(i, 0))
	if err := r.on[0].classes[i].reals.Read((r.classes[i].own()-1)*len(levels), levels); err != nil {
		t.Fatal(err)
	}
	grown := 0
	for _, level := range levels {
		grown += problems.Flag(level > 1)
	}
	if grown < 40 { // the first chain alone leads to level 1
		t.Errorf("%d of %d parts have made larger chains, want 40 at least", grown, len(levels))
	}
}

// followOpen makes turns of some evaluations in the parts of a layer that have the first colours, and on the host, and
// compares their variables in the best point. A part is followed until a decision is closer than rounding; then those
// of other colours are not followed any more, either. It returns the turns in which parts were compared.
func (r *run) followOpen(t *testing.T, layer, most, quota, colours int) int {
	t.Helper()
	r.state.Layer = layer
	r.layers[layer].colours = colours
	n := r.p.Domain().N
	around := r.first(0, n)
	next := map[*openTwin]func() (struct{}, bool){}
	twins := slices.DeleteFunc(r.openTwins(layer, around), func(h *openTwin) bool { return h.colour >= colours })
	slices.SortStableFunc(twins, func(a, b *openTwin) int { return cmp.Compare(a.colour, b.colour) })
	for _, h := range twins {
		var stop func()
		next[h], stop = iter.Pull(h.restarts)
		defer stop()
		next[h]()
	}
	got, near := make([]float64, n), 2*r.p.Tolerance(problems.FP64)
	for turn := range most {
		r.state.Turns = turns{Quota: quota, Count: 1}
		if err := r.advance(context.Background()); err != nil {
			t.Fatal(err)
		}
		for _, h := range twins {
			h.begin()
			for range quota {
				next[h]()
			}
			h.end()
		}
		all := len(twins)
		twins = slices.DeleteFunc(twins, func(h *openTwin) bool { return h.closest < near })
		if len(twins) == 0 || len(twins) < all && colours > 1 {
			return turn
		}
		if err := r.Incumbent(0, got); err != nil {
			t.Fatal(err)
		}
		for _, h := range twins {
			for _, v := range h.vars {
				if math.Abs(got[v]-around[v]) > near*20 {
					t.Fatalf("layer %d, turn %d, search %d, variable %d: %v, want %v", layer, turn, h.search, v,
						got[v], around[v])
				}
			}
		}
	}
	t.Logf("%d parts of layer %d were followed to the end", len(twins), layer)
	return most
}

// openTwin is an open part and its colour.
type openTwin struct {
	openPart
	colour int
}

// openTwins returns the parts of a layer on the host.
func (r *run) openTwins(layer int, around []float64) (all []*openTwin) {
	tiling := r.p.Tiling()
	lo, hi := r.p.Domain().In(r.s.Precision).Box()
	for _, c := range r.classes {
		if c.layer != layer {
			continue
		}
		for tile := range tiling.Tiles() {
			first, _ := tiling.Vars(tile)
			comp, _ := tiling.Comps(tile)
			for w, part := range c.parts {
				h := &openTwin{openPart{hostPart: &hostPart{p: r.p.(problems.Referenced), prec: r.s.Precision,
					key: r.s.Key, coef: r.state.Slopes, tile: tile, number: uint32(tile*c.all + c.numbers[w]),
					searches: c.searches, patience: r.state.Layers[layer].Patience, around: around,
					levels: bits.Len(uint(c.offspring() / fewestOffspring)), lo: lo, width: hi - lo, least: 1e-15,
					closest: math.Inf(1)}}, part.Colour}
				for _, v := range part.Vars {
					if first+v < tiling.N {
						h.vars = append(h.vars, first+v)
					}
				}
				for _, k := range part.Comps {
					if comp+k >= 0 && comp+k < tiling.M {
						h.comps = append(h.comps, comp+k)
					}
				}
				if len(h.vars) > 0 {
					all = append(all, h)
				}
			}
		}
	}
	return all
}
