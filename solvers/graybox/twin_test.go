package graybox

import (
	"cmp"
	"context"
	"fmt"
	"iter"
	"math"
	"math/bits"
	"reflect"
	"slices"
	"testing"

	"github.com/clopt/clopt/cl"
	"github.com/clopt/clopt/problems"
	"github.com/clopt/clopt/problems/rng"
	"github.com/clopt/clopt/shard"
	"github.com/clopt/clopt/solvers"
	"github.com/clopt/clopt/test/shorttest"
	"github.com/clopt/clopt/test/solvertest"
)

// devicePart is the state of a part on a device.
type devicePart struct {
	made, search uint32
	at           []float64
	f            float64 // the aim there
}

// wordTried is the row of words that has the aim, times 256.
const wordTried = 5

// partsOf reads the state of all parts of class i, in the order of tiles.
func (r *run) partsOf(t *testing.T, i int) (all []devicePart) {
	t.Helper()
	c := r.classes[i]
	shards := r.places[i].Shards()
	byShard := make([][]devicePart, len(shards))
	if err := r.places[i].Each(func(s int, sh shard.Shard, _ *cl.Device) error {
		columns := r.columns(i, s)
		words, x := make([]uint32, partWords*columns), make([]float64, sh.Vars())
		if err := r.on[s].classes[i].words.Read(0, words); err != nil {
			return err
		}
		if err := r.on[s].x.Read(sh.Vars(), x); err != nil {
			return err
		}
		acc, err := r.readSums(i, s, 0, columns, 1)
		if err != nil {
			return err
		}
		accs := len(acc) / columns
		for k := range columns {
			p := devicePart{made: words[k], search: words[wordSearch*columns+k]}
			own := acc[k*accs : (k+1)*accs]
			if aim := words[wordTried*columns+k] / 256; aim > 0 {
				p.f = r.state.Slopes[0] * own[len(r.state.Slopes)+int(aim)-1]
			} else {
				for a, coef := range r.state.Slopes {
					p.f += coef * own[a]
				}
			}
			for _, v := range c.parts[k%len(c.parts)].Vars {
				if at := k/len(c.parts)*r.p.Tiling().TileVars + v; at < len(x) {
					p.at = append(p.at, x[at])
				}
			}
			byShard[s] = append(byShard[s], p)
		}
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	return slices.Concat(byShard...)
}

// twins returns the parts of class i on the host, in the order of tiles.
func (r *run) twins(i int) (all []*hostPart) {
	c, tiling := r.classes[i], r.p.Tiling()
	lo, hi := r.p.Domain().In(r.s.Precision).Box()
	least := 1e-15
	if r.s.Precision == problems.FP32 {
		least = 1e-7
	}
	for tile := range tiling.Tiles() {
		first, _ := tiling.Reads(tile)
		comp, _ := tiling.Comps(tile)
		for w, part := range c.parts {
			h := &hostPart{p: r.p.(problems.Referenced), prec: r.s.Precision, key: r.s.Key,
				coef: r.state.Slopes, tile: tile,
				number: uint32(tile*c.all + c.numbers[w]), searches: c.searches, starts: r.s.X0, patience: mostPatience,
				levels: bits.Len(uint(c.offspring() / fewestOffspring)), lo: lo, width: hi - lo, least: least,
				closest: math.Inf(1)}
			for _, v := range part.Vars {
				h.vars = append(h.vars, first+v)
			}
			for _, k := range part.Comps {
				h.comps = append(h.comps, comp+k)
			}
			all = append(all, h)
		}
	}
	return all
}

// Every part of the devices follows its twin on the host, evaluation by evaluation, up to the first decision that is
// closer than rounding.
func TestTwin(t *testing.T) {
	for _, c := range shorttest.Rows(4, []struct {
		spec, search    string
		grain           int // of parts; 1: as the method makes them
		prec            problems.Precision
		devices, starts int
		evals           int
		least           int     // evaluations that are compared, of all parts
		near            float64 // rounding errors of points and values; 0: of a value alone
	}{
		{"cec2013/f1:n=3000", "auto", 1, problems.FP64, 3, 1, 160, 300000, 0},
		{"cec2013/f4:n=1000", "mts", 1, problems.FP64, 1, 0, 300, 10000, 0},
		{"cec2013/f1:n=1000", "auto", 4, problems.FP64, 1, 0, 200, 40000, 0},
		{"cec2013/f2:n=1000", "auto", 1, problems.FP32, 1, 0, 200, 20000, 0},
		{"cec2013/f4:n=3000", "solis-wets", 1, problems.FP64, 3, 2, 300, 10000, 0},
		{"cec2013/f4:n=1000", "auto", 1, problems.FP32, 1, 0, 300, 10000, 0},
		{"cec2013/f8:n=1000", "lbfgs", 1, problems.FP64, 1, 0, 250, 4500, 1e-5},
		{"cec2013/f9:n=1000", "cma", 1, problems.FP64, 1, 0, 300, 3000, 0},
		{"cec2013/f10:n=1000", "mts", 1, problems.FP64, 1, 0, 9000, 10000, 0},
		{"cec2013/f9:n=1000", "axes", 1, problems.FP64, 1, 0, 700, 10000, 1e-3},
		{"cec2013/f4:n=1000", "jumps", 1, problems.FP64, 3, 1, 300, 10000, 0},
	}) {
		t.Run(c.spec+" "+c.search+" "+c.prec.String(), func(t *testing.T) {
			p := solvertest.ParseProblem(t, c.spec)
			setup := solvers.Setup{Key: rng.Key{Seed: 3, Run: 1}, Precision: c.prec}
			lo, hi := p.Domain().Box()
			for k := range c.starts {
				setup.X0 = append(setup.X0, slices.Repeat([]float64{lo + (hi-lo)*float64(k+1)/7}, p.Domain().N))
			}
			m := &Graybox{Search: c.search}
			classes, err := m.classes(p, c.prec)
			if err == nil && c.grain > 1 {
				classes, err = grained(p, c.grain)
			}
			if err != nil {
				t.Fatal(err)
			}
			g := solvertest.OpenDevices(t, c.devices, shard.Options{})
			started, err := m.start(context.Background(), p, g, setup, classes)
			if err != nil {
				t.Fatal(err)
			}
			defer started.Close()
			r := started.(*run)
			r.state.Layers[0].Patience = mostPatience
			near := cmp.Or(c.near, 2*p.Tolerance(c.prec)) // a decision that is closer may differ
			if compared := r.follow(t, c.evals, near); compared < c.least {
				t.Errorf("%d evaluations were compared, want %d", compared, c.least)
			}
		})
	}
}

// A launch of many evaluations does what as many launches of one do, also where parts take steps together.
func TestLaunches(t *testing.T) {
	p := solvertest.ParseProblem(t, "cec2013/f1:n=3000")
	setup := solvers.Setup{Key: rng.Key{Seed: 3, Run: 1}, Precision: problems.FP64}
	var after [2][]devicePart
	for i, quota := range []int{1, 150} {
		g := solvertest.OpenDevices(t, 3, shard.Options{LaunchTime: 60})
		r := solvertest.Start(t, &Graybox{Search: "auto"}, p, g, setup).(*run)
		r.state.Layers[0].Patience = mostPatience
		for range 150 / quota {
			r.state.Turns = turns{Quota: quota, Count: 1}
			if err := r.advance(context.Background()); err != nil {
				t.Fatal(err)
			}
		}
		after[i] = r.partsOf(t, 0)
	}
	for k, one := range after[0] {
		if many := after[1][k]; one.made != 150 || !reflect.DeepEqual(one, many) {
			t.Fatalf("part %d: %+v after launches of one evaluation, %+v after long ones", k, one, many)
		}
	}
}

// grained returns one class of thin parts of several variables. No problem with a host reference has such parts.
func grained(p problems.Problem, grain int) ([]class, error) {
	parts, err := problems.PartsOf(p, grain)
	if err != nil {
		return nil, err
	}
	c := class{parts: parts.Parts, all: len(parts.Parts), span: grain, colours: 1, linear: true, cost: parts.Cost,
		searches: []search{mts, solisWets}}
	for w := range parts.Parts {
		c.numbers = append(c.numbers, w)
	}
	return []class{c}, nil
}

// follow makes evaluations one by one in all parts and on the host, and compares them until a decision is nearer than
// near. It returns how many evaluations of parts were compared.
func (r *run) follow(t *testing.T, evals int, near float64) (compared int) {
	t.Helper()
	type twin struct {
		*hostPart
		next func() (struct{}, bool)
	}
	var twins [][]*twin
	parts, followed := 0, 0
	for i := range r.classes {
		var of []*twin
		for _, h := range r.twins(i) {
			next, stop := iter.Pull(h.evaluations())
			defer stop()
			next() // before the first evaluation
			of = append(of, &twin{h, next})
		}
		twins = append(twins, of)
		parts += len(of)
	}
	for range evals {
		r.state.Turns = turns{Quota: 1, Count: 1}
		if err := r.advance(context.Background()); err != nil {
			t.Fatal(err)
		}
		for i := range r.classes {
			for k, got := range r.partsOf(t, i) {
				w := twins[i][k]
				if w == nil {
					continue
				}
				if _, more := w.next(); !more || w.closest < near {
					twins[i][k] = nil // the part rests, or a decision may differ
					continue
				}
				if w.prec == problems.FP32 && !slices.Equal(got.at, w.at) && w.distance(got.at) < near {
					twins[i][k] = nil // another rounding of a product and a sum
					continue
				}
				compared++
				if off := w.differs(got, near); off != "" {
					t.Fatalf("part %d of class %d after %d evaluations, search %d, closest decision %.3g: %s", k, i,
						w.made, w.search, w.closest, off)
				}
			}
		}
	}
	for i, of := range twins {
		gained := r.gainedIn(t, i)
		for k, w := range of {
			if w == nil {
				continue
			}
			followed++
			for s, got := range gained[k] {
				if want := w.gained[search(s)]; math.Abs(got-want) > 100*near*max(w.fallen, w.size) {
					t.Errorf("search %d has gained %v in part %d of class %d, on the host %v", s, got, k, i, want)
				}
			}
		}
	}
	t.Logf("%d of %d parts were followed for %d evaluations; %d were compared", followed, parts, evals, compared)
	return compared
}

// gainedIn returns what the best value of each part of class i has fallen by in each search, in the order of tiles.
func (r *run) gainedIn(t *testing.T, i int) (all [][]float64) {
	t.Helper()
	c := r.classes[i]
	shards := r.places[i].Shards()
	byShard := make([][][]float64, len(shards))
	if err := r.places[i].Each(func(s int, sh shard.Shard, _ *cl.Device) error {
		reals, columns, at := r.on[s].classes[i].reals, r.columns(i, s), 0
		for k := range columns {
			gained := make([]float64, len(names))
			for _, kind := range c.searches {
				row := 3
				if len(c.searches) > 1 {
					row += 2*c.kinds() + int(kind)
				}
				from := row*columns + k
				if c.wide {
					from = at + row
				}
				if err := reals.Read(from, gained[kind:kind+1]); err != nil {
					return err
				}
			}
			at += c.reals(len(c.parts[k%len(c.parts)].Vars))
			byShard[s] = append(byShard[s], gained)
		}
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	return slices.Concat(byShard...)
}

// differs returns in what the part of a device differs, or "".
func (h *hostPart) differs(got devicePart, near float64) string {
	switch {
	case got.made != h.made:
		return "another number of evaluations"
	case len(got.at) != len(h.at):
		return "another number of variables"
	case math.Abs(got.f-h.f) > near*max(math.Abs(h.f), h.size):
		return fmt.Sprintf("value %v of the point, on the host %v", got.f, h.f)
	}
	if d := h.distance(got.at); d > near {
		return fmt.Sprintf("a point at a distance of %.3g", d)
	}
	return ""
}

// distance returns the largest distance of a variable of the point from that of x, relative to the box.
func (h *hostPart) distance(x []float64) (d float64) {
	for k, v := range h.at {
		d = max(d, math.Abs(v-x[k])/h.width)
	}
	return d
}
