package maswseq

import (
	"context"
	"math"

	"github.com/clopt/clopt/internal/solvers/host"
	"github.com/clopt/clopt/internal/solvers/memetic"
	"github.com/clopt/clopt/problems"
	"github.com/clopt/clopt/problems/rng"
	"github.com/clopt/clopt/shard"
	"github.com/clopt/clopt/solvers"
)

// hostEngine is MA-SW-Chains on the host: plain loops over whole vectors in float64, written from the
// description of the method. It is the reference for the devices, and makes the runs of functions of the host.
type hostEngine struct {
	p        problems.Problem // a Referenced, or a function of the host
	s        solvers.Setup
	lo, hi   float64
	alpha    float64
	mutation uint64 // probability times 2^32
	layout   solvers.Info

	x         [][]float64
	f         []float64
	marked    []bool
	chains    []*memetic.SolisWets // nil: no stored chain
	nonFinite int64

	now       int // the individual that is improved, -1 outside a local search
	y         []float64
	fy        float64
	searching *memetic.SolisWets

	closest float64 // smallest relative difference of two values that were compared; for tests
}

// improvement is the relative gain that a local search must make for its chain to continue.
const improvement = 1e-8

func newHostEngine(p problems.Problem, s solvers.Setup, n int, alpha, mutation float64,
	layout solvers.Info) *hostEngine {
	h := &hostEngine{p: p, s: s, layout: layout, alpha: alpha, mutation: uint64(mutation * (1 << 32)),
		x: make([][]float64, n), f: make([]float64, n), marked: make([]bool, n), chains: make([]*memetic.SolisWets, n),
		now: -1, closest: math.Inf(1)}
	h.lo, h.hi = p.Domain().Box()
	for j := range h.f {
		h.f[j] = math.Inf(1)
	}
	return h
}

// values returns those of points, and after an error those of the first ones.
func (h *hostEngine) values(ctx context.Context, points ...[]float64) (f []float64, err error) {
	if call := problems.CallOf(h.p); call != nil {
		f, err = call(ctx, points)
		f = shard.Values(h.p, f)
	} else {
		for _, x := range points {
			if err = ctx.Err(); err != nil {
				break
			}
			var v float64
			if v, err = problems.Eval(h.p.(problems.Referenced), x); err != nil {
				break
			}
			f = append(f, v)
		}
	}
	for _, v := range f {
		if !host.Finite(v) {
			h.nonFinite++
		}
	}
	return f, err
}

// better compares two values and records how close the decision was.
func (h *hostEngine) better(a, b float64) bool {
	if a != b {
		h.closest = min(h.closest, math.Abs(a-b)/max(math.Abs(a), math.Abs(b)))
	}
	return host.Better(a, b)
}

func (h *hostEngine) clamp(v float64) float64 { return min(max(v, h.lo), h.hi) }

func (h *hostEngine) populate(ctx context.Context) (made int, err error) {
	h.nonFinite = 0
	for j := range h.x {
		if j < len(h.s.X0) {
			h.x[j] = append([]float64(nil), h.s.X0[j]...)
		} else {
			h.x[j] = host.Drawn(h.p, problems.FP64, h.s.Key, uint32(j), 0, rng.Init, 0, h.p.Domain().N)
		}
		h.f[j] = math.Inf(1)
	}
	f, err := h.values(ctx, h.x...)
	return copy(h.f, f), err
}

func (h *hostEngine) evolve(ctx context.Context, when uint32, count int) (made int, err error) {
	for ; made < count; made++ {
		t := when + uint32(made)
		child := h.child(t)
		values, err := h.values(ctx, child)
		if err != nil {
			return made, err
		}
		f := values[0]
		worst := 0
		for j := range h.f {
			if !host.Better(h.f[j], h.f[worst]) {
				worst = j
			}
		}
		if h.better(f, h.f[worst]) {
			h.x[worst] = child
			h.f[worst] = f
			h.marked[worst] = false
			h.chains[worst] = nil
		}
	}
	return made, nil
}

// mates draws the mother and three distinct others among n individuals.
func mates(key rng.Key, n, when uint32) (mother uint32, others [3]uint32) {
	w := key.Words(0, 0, when, rng.Mate)
	mother = rng.Int(w[0], n)
	return mother, memetic.Others(w[1:], n, mother)
}

// child returns BGA(BLX(mother, father)) of evaluation t of evolution.
func (h *hostEngine) child(t uint32) []float64 {
	key := h.s.Key
	mother, others := mates(key, uint32(len(h.x)), t)
	father, far := others[0], -1.0
	for _, c := range others {
		d := 0.0
		for i, v := range h.x[mother] {
			d += (v - h.x[c][i]) * (v - h.x[c][i])
		}
		if d > far {
			father, far = c, d
		}
	}
	y := make([]float64, h.p.Domain().N)
	var w [4]uint32
	for i := range y {
		if i%4 == 0 {
			w = key.Words(uint32(i/4), 0, t, rng.Cross)
		}
		a, b := h.x[mother][i], h.x[father][i]
		lo, hi := min(a, b), max(a, b)
		spread := h.alpha * (hi - lo)
		from, to := max(h.lo, lo-spread), min(h.hi, hi+spread)
		y[i] = min(math.FMA(rng.Uniform(w[i%4]), to-from, from), to)
	}
	w = key.Words(0, 0, t, rng.Mutate)
	if uint64(w[0]) < h.mutation {
		i := rng.Int(w[1], uint32(len(y)))
		y[i] = h.clamp(y[i] + memetic.Mutation(w)*(0.1*(h.hi-h.lo)))
	}
	return y
}

func (h *hostEngine) begin(cycle uint32) error {
	h.now = -1
	for j := range h.f {
		if !h.marked[j] && (h.now < 0 || host.Better(h.f[j], h.f[h.now])) {
			h.now = j
		}
	}
	if h.now < 0 {
		h.now = int(rng.Int(h.s.Key.Words(0, 0, cycle, rng.Choose)[0], uint32(len(h.x))))
	}
	h.y, h.fy = append([]float64(nil), h.x[h.now]...), h.f[h.now]
	h.searching = h.chains[h.now]
	if h.searching == nil {
		h.searching = memetic.NewSolisWets(h.y, h.x, h.lo, h.hi)
	}
	return nil
}

func (h *hostEngine) improve(ctx context.Context, when uint32, count int) (made int, err error) {
	c := h.searching
	d, z := make([]float64, len(h.y)), make([]float64, len(h.y))
	for ; made < count; made++ {
		t := when + uint32(made)
		c.Propose(h.s.Key, 0, t, h.y, h.lo, h.hi, d, z)
		values, err := h.values(ctx, z)
		if err != nil {
			return made, err
		}
		f := values[0]
		better := h.better(f, h.fy)
		if better {
			copy(h.y, z)
			h.fy = f
		}
		c.Adapt(d, better)
	}
	return made, nil
}

func (h *hostEngine) end() error {
	c := h.now
	enough := !(h.f[c]-h.fy < improvement*math.Abs(h.fy))
	if host.Better(h.fy, h.f[c]) {
		h.x[c], h.f[c] = h.y, h.fy
	} else {
		enough = false
	}
	h.marked[c] = !enough
	if enough {
		h.chains[c] = h.searching
	} else {
		h.chains[c] = nil
	}
	h.now = -1
	return nil
}

// top returns the best individual, or the point that is improved if it is better.
func (h *hostEngine) top() (x []float64, f float64) {
	x, f = h.x[0], h.f[0]
	for j := range h.f {
		if host.Better(h.f[j], f) {
			x, f = h.x[j], h.f[j]
		}
	}
	if h.now >= 0 && host.Better(h.fy, f) {
		x, f = h.y, h.fy
	}
	return x, f
}

func (h *hostEngine) best() (float64, int64, error) {
	_, f := h.top()
	return f, h.nonFinite, nil
}

func (h *hostEngine) incumbent(first int, x []float64) error {
	best, _ := h.top()
	copy(x, best[first:])
	return nil
}

func (h *hostEngine) info() solvers.Info { return h.layout }

func (h *hostEngine) close() {}
