package anneal

import (
	"math"
	"strings"
	"testing"

	"github.com/clopt/clopt/problems"
	"github.com/clopt/clopt/problems/rng"
	"github.com/clopt/clopt/solvers/internal/host"
)

// sweepTwin is sweeps on the host in float64, serial and written from the description of the method: one
// variable after the other, colour by colour.
type sweepTwin struct {
	m       *SA
	p       problems.Referenced
	key     rng.Key
	colours *problems.Colours
	slope   []float64
	acc     []float64
	x       []float64
	wide    []float32
	every   int
}

func newSweepTwin(t *testing.T, m *SA, p problems.Referenced, key rng.Key) *sweepTwin {
	t.Helper()
	c, err := problems.ColoursOf(p.Structure())
	if err != nil {
		t.Fatal(err)
	}
	w := &sweepTwin{m: m, p: p, key: key, colours: c, slope: p.Linear(), every: 1}
	for i := range p.Domain().N {
		lo, hi := p.Domain().Interval(i)
		w.x = append(w.x, min(max(math.FMA(rng.Uniform(key.Word(uint32(i), 0, 0, rng.Init)), hi-lo, lo), lo), hi))
		w.wide = append(w.wide, float32(hi-lo))
	}
	w.renew()
	return w
}

func (w *sweepTwin) renew() {
	w.acc = make([]float64, w.p.Accumulators())
	for k := range w.p.Structure().Components() {
		w.p.HostComponent(k, 0, w.x, w.acc)
	}
}

// terms returns the sums of the components that read i, and their value.
func (w *sweepTwin) terms(i int, slope []float64) (a []float64, v float64) {
	a = make([]float64, len(slope))
	for _, k := range w.p.Structure().ComponentsOf(i, nil) {
		w.p.HostComponent(k, 0, w.x, a)
	}
	v = slope[0] * a[0]
	for j := 1; j < len(a); j++ {
		v = math.FMA(slope[j], a[j], v)
	}
	return a, v
}

// try draws the neighbour of variable i and reports whether it is accepted.
func (w *sweepTwin) try(i int, sweep uint32, t float64, slope []float64) (y float64, change []float64, d float64,
	near, take bool) {
	words := w.key.Words(uint32(i), 0, sweep, rng.Sweep)
	lo, hi := w.p.Domain().Interval(i)
	v, u, odds := w.x[i], rng.Fine(words[1], words[2]), 0.0
	kind := w.m.sweepNeighbour()
	if near = kind == "adaptive" || kind == "mixed" && words[0]>>31 == 1; near {
		l, h := max(lo, v-float64(w.wide[i])), min(hi, v+float64(w.wide[i]))
		y = min(max(math.FMA(u, h-l, l), lo), hi)
	} else {
		y, odds = (&SA{Neighbour: strings.Replace(kind, "mixed", "two-sided", 1),
			Hastings: w.m.Hastings}).neighbourOf(v, lo, hi, u)
	}
	a, va := w.terms(i, slope)
	w.x[i] = y
	b, vb := w.terms(i, slope)
	w.x[i] = v
	for j := range b {
		b[j] -= a[j]
	}
	d = vb - va
	return y, b, d, near, host.Finite(vb) && (!host.Finite(va) || d <= t*(odds-float64(rng.LogUniform(words[3]))) ||
		!w.m.Hastings && vb <= va)
}

func (w *sweepTwin) sweep(sweep uint32, t float64) {
	far := false
	for colour := range w.colours.Count {
		for which := range w.every {
			slope := w.slope
			if slope == nil {
				slope = host.Slopes(w.p, w.acc)
			}
			said, f := 0.0, w.p.Objective(w.acc)
			for i := range w.x {
				first, _ := w.p.Tiling().Vars(min(i/w.p.Tiling().TileVars, w.p.Tiling().Tiles()-1))
				if w.colours.Residues[i%w.colours.Period] != colour || len(w.p.Structure().ComponentsOf(i, nil)) == 0 {
					continue
				}
				// The place within the colour in its tile; periods have one residue of a colour here.
				if (i/w.colours.Period-first/w.colours.Period)%w.every != which {
					continue
				}
				y, change, _, near, take := w.try(i, sweep, t, slope)
				if take {
					w.x[i] = y
					for j, v := range change {
						w.acc[j] += v
						said += slope[j] * v
					}
				}
				lo, hi := w.p.Domain().Interval(i)
				switch {
				case near && take:
					w.wide[i] = min(w.wide[i]*wider, float32(hi-lo))
				case near:
					w.wide[i] = max(w.wide[i]*narrower, 1e-30)
				}
			}
			far = w.slope == nil && departs(said, w.p.Objective(w.acc)-f, t) || far
		}
	}
	if far {
		w.every = min(4*w.every, maxEvery)
	} else {
		w.every = max(w.every/2, 1)
	}
}
