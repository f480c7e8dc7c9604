package graybox

import (
	"iter"
	"math"
	"slices"

	"github.com/clopt/clopt/internal/solvers/host"
	"github.com/clopt/clopt/problems"
	"github.com/clopt/clopt/problems/cec2013"
	"github.com/clopt/clopt/problems/rng"
)

// hostPart searches in one part on the host: plain loops, written from the description of the method. It is the
// reference for the devices. It computes in float64; points are rounded to the precision of the device.
type hostPart struct {
	p        problems.Referenced
	prec     problems.Precision
	key      rng.Key
	coef     []float64
	tile     int
	number   uint32 // among all parts
	vars     []int  // of the problem
	comps    []int  // of the problem
	searches []search
	starts   [][]float64 // start points of the whole problem
	around   []float64   // with open parts: the best point of the whole problem
	patience int
	levels   int // of cma: numbers of offspring, each twice the one before

	lo, width, least float64
	made             uint32  // evaluations
	most             float64 // after more evaluations the chain ends
	at, best         []float64
	aim              int     // what is minimized: 0: the value; j: inner sum j-1
	f                float64 // of it at the point of the restart
	value            float64 // of the point last evaluated
	valueAt, fBest   float64 // of the point of the restart, and of the best one
	known            float64 // the best value of the restarts before
	from             float64 // value where the chain began
	search           search
	credit, spent    map[search]float64

	gained map[search]float64 // what the best value has fallen by in each search
	fallen float64            // the sum of these

	lost    bool    // the chain was in a valley that does not reach known
	level   int     // of the next first chain of cma
	size    float64 // to which the rounding errors of the last value are relative, besides the value itself
	closest float64 // smallest relative difference of two numbers that were compared

	yield func(struct{}) bool
}

// ended is the panic that leaves the loops when the caller wants no more evaluations.
type ended struct{}

// evaluations runs the part until it rests. It yields before every evaluation, and once at the end.
func (h *hostPart) evaluations() iter.Seq[struct{}] {
	return func(yield func(struct{}) bool) {
		h.yield = yield
		defer func() {
			if r := recover(); r != nil && r != (ended{}) {
				panic(r)
			}
		}()
		h.restarts()
		h.yield(struct{}{})
	}
}

// real rounds to the precision of the device.
func (h *hostPart) real(v float64) float64 {
	if h.prec == problems.FP32 {
		return float64(float32(v))
	}
	return v
}

func (h *hostPart) inBox(v float64) float64 { return min(max(h.real(v), h.lo), h.lo+h.width) }

// turn waits until the caller wants the next evaluation.
func (h *hostPart) turn() {
	if !h.yield(struct{}{}) {
		panic(ended{})
	}
}

// evaluate evaluates the components of the part in turn, and returns what the aim is.
func (h *hostPart) evaluate(y []float64) float64 {
	if float64(h.made) > h.most {
		panic(long{})
	}
	h.turn()
	return h.evaluateNow(y)
}

func (h *hostPart) evaluateNow(y []float64) float64 {
	h.made++
	return h.compute(y)
}

// compute is evaluate, but does not count. Other variables are those of around.
func (h *hostPart) compute(y []float64) float64 {
	first, end := h.p.Tiling().Reads(h.tile)
	x := make([]float64, end-first)
	if h.around != nil {
		first, x = 0, slices.Clone(h.around)
	}
	for k, v := range h.vars {
		x[v-first] = y[k]
	}
	acc := make([]float64, h.p.Accumulators())
	for _, k := range h.comps {
		h.p.HostComponent(k, first, x, acc)
	}
	scale := make([]float64, len(acc))
	for _, k := range h.comps {
		h.p.ErrorScale(k, k+1, first, x, scale)
	}
	h.value, h.size = 0, 0
	for a, c := range h.coef {
		h.value += c * acc[a]
		h.size += math.Abs(c) * scale[a]
	}
	if h.aim == 0 {
		return h.value
	}
	inner := make([]float64, h.p.Structure().Inner())
	for _, k := range h.comps {
		h.p.(*cec2013.CEC2013).HostInner(k, first, x, inner)
	}
	return h.coef[0] * inner[h.aim-1]
}

// move makes y, which was evaluated last, the point of the restart, where the aim is f. While the aim is an inner sum,
// any point may be the best one.
func (h *hostPart) move(y []float64, f float64) {
	h.at, h.f, h.valueAt = y, f, h.value
	if h.aim > 0 && h.better(h.value, h.fBest) {
		h.best, h.fBest = slices.Clone(y), h.value
	}
}

// lowest returns the best value so far, with that of the restart.
func (h *hostPart) lowest() float64 {
	if h.aim == 0 && host.Better(h.f, h.fBest) {
		return h.f
	}
	return h.fBest
}

// better compares two values and records how close the decision was.
func (h *hostPart) better(a, b float64) bool {
	h.decide(a, b, h.size)
	return host.Better(a, b)
}

// decide records how close a decision between two numbers was, relative to them or to size. Equal numbers are equal on
// the devices, too: they are values of the same point.
func (h *hostPart) decide(a, b, size float64) {
	if a != b && host.Finite(a) && host.Finite(b) {
		h.closest = min(h.closest, math.Abs(a-b)/max(math.Abs(a), math.Abs(b), size))
	}
}

// improves reports whether value b is less than a by more than rounding.
func (h *hostPart) improves(b, a float64) bool {
	h.decide(a, b, h.size)
	return b < a-max(1e-13*math.Abs(a), 1e-300)
}

// restarts makes one restart after the other, until patience of them in a row have found nothing better.
func (h *hostPart) restarts() {
	h.fBest, h.credit, h.spent = math.Inf(1), map[search]float64{}, map[search]float64{}
	h.gained = map[search]float64{}
	for fruitless, restart := 0, 0; fruitless < h.patience; restart++ {
		if h.aim = 0; restart >= len(h.starts) {
			h.aim = (restart - len(h.starts) + 1) % (h.p.Structure().Inner() + 1)
		}
		h.known = h.fBest
		points := 1
		if len(h.vars) == 1 && restart >= len(h.starts) {
			points = 8 + fruitless
		}
		for point := range points {
			h.turn()
			start := h.start(restart)
			if f := h.evaluateNow(start); point == 0 || h.better(f, h.f) {
				h.move(start, f)
			}
		}
		if h.aim > 0 {
			h.improve(true)
			h.aim, h.f = 0, h.valueAt
		}
		h.improve(true)
		if h.better(h.f, h.fBest) {
			h.best, h.fBest = slices.Clone(h.at), h.f
		}
		if fruitless++; math.IsInf(h.known, 1) || h.improves(h.fBest, h.known) {
			fruitless = 0
		}
	}
}

// start returns a start point of a restart.
func (h *hostPart) start(restart int) []float64 {
	start := make([]float64, len(h.vars))
	for k, v := range h.vars {
		if restart < len(h.starts) {
			start[k] = h.p.Domain().Stored(h.prec, v, h.starts[restart][v:v+1])[0]
		} else {
			start[k] = host.Drawn(h.p, h.prec, h.key, h.made, 0, rng.Init, v, v+1)[0]
		}
	}
	return start
}

// improve lets searches improve the aim until none of them does. The point may be fresh: no search has begun yet. In
// open parts it stays so for cma, whose first chain is wide and has more offspring than those before.
func (h *hostPart) improve(fresh bool) {
	for open := slices.Clone(h.searches); len(open) > 0; {
		h.search = h.choose(open)
		h.from = h.f
		began, lowest := h.made, h.lowest()
		h.chain(fresh)
		if fallen := lowest - h.lowest(); host.Finite(fallen) {
			h.gained[h.search] += fallen
			h.fallen += fallen
		}
		fresh = fresh && h.around != nil && h.search != cma
		known := h.known
		if h.aim > 0 {
			known = math.Inf(1)
		}
		low, zero := min(h.f, known), 1e-300
		if h.prec == problems.FP32 {
			zero = 1e-30
		}
		bottom := low - 1e-3*math.Abs(low) - zero
		gain := min(36, max(0, math.Log((min(h.from, known)-bottom)/(h.f-bottom))))
		length := float64(h.made - began)
		old := h.credit[h.search]
		if h.spent[h.search] == 0 {
			old = gain / length
		}
		h.credit[h.search] = 0.8*old + 0.2*gain/length
		h.spent[h.search] += length
		if h.lost {
			return
		}
		if h.improves(h.f, h.from) {
			open = slices.Clone(h.searches)
		} else {
			open = slices.DeleteFunc(open, func(s search) bool { return s == h.search })
		}
	}
}

// chain lets the chosen search make a chain.
func (h *hostPart) chain(fresh bool) {
	defer func() {
		if r := recover(); r != nil && r != (long{}) {
			panic(r)
		}
	}()
	h.most, h.lost = float64(h.made)+h.longest(), false
	switch h.search {
	case mts:
		h.mts()
	case solisWets:
		h.solisWets()
	case jumps:
		h.jumps()
	case lbfgs:
		h.lbfgs()
	case cma:
		h.cma(fresh)
	case axes:
		h.axes()
	}
}

// longest returns the most evaluations of a chain of the chosen search.
func (h *hostPart) longest() float64 {
	n, spent := float64(len(h.vars)), h.spent[h.search]
	creeps := h.search <= jumps
	switch {
	case h.search == axes:
		return max(n*n+100*n+1000, spent)
	case creeps && h.around != nil:
		return 10*n + 200
	case creeps && len(h.searches) == 1:
		return 100*n + 1000
	case h.around != nil || len(h.searches) == 1:
		return math.Inf(1)
	case creeps:
		return max(20*n+300, spent)
	case h.search == lbfgs:
		return max(n*n+20*n, 2*spent)
	}
	return max(n*n+20*n, spent)
}

// long is the panic of a chain that has had its most evaluations.
type long struct{}

// choose returns the open search that has had the least of its share of the evaluations: 5 % of them for each, and the
// rest by the credits. Each counts as if it had had its price before.
func (h *hostPart) choose(open []search) (next search) {
	credits, spent, highest, fresh := 0.0, 0.0, 0.0, 0.0
	for _, s := range h.searches {
		credits, spent, highest = credits+h.credit[s], spent+h.spent[s], max(highest, h.credit[s])
		if h.spent[s] == 0 {
			fresh++
		}
	}
	credits += fresh * highest
	most, n := math.Inf(-1), float64(len(h.vars))
	if h.around != nil {
		n = 0
	}
	price := map[search]float64{mts: 10 * n, solisWets: 50 * n, jumps: 15 * n, lbfgs: 20 * n,
		cma: 100 * n, axes: max(12*n, n*n/4)}
	for _, s := range open {
		part := 1 / float64(len(h.searches))
		switch {
		case credits > 0 && h.spent[s] == 0:
			part = highest / credits
		case credits > 0:
			part = h.credit[s] / credits
		}
		due := (0.05+(1-0.05*float64(len(h.searches)))*part)*spent - h.spent[s] - price[s]
		if h.decide(due, most, spent); due > most {
			next, most = s, due
		}
	}
	return next
}
