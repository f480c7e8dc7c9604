package anneal

import (
	"context"
	"math"

	"github.com/clopt/clopt/internal/solvers/host"
	"github.com/clopt/clopt/problems"
	"github.com/clopt/clopt/problems/rng"
	"github.com/clopt/clopt/shard"
	"github.com/clopt/clopt/solvers"
)

// saChain is one chain on the host, in float64. It is the reference for the chains of
// kernels/solvers/anneal/chains.cl and has the same draws.
type saChain struct {
	m    *SA
	p    problems.Referenced
	key  rng.Key
	who  uint32
	kept *problems.DeltaEvaluator
	saChainState
}

// saChainState is the state of a chain on the host. state sets Point and Acc.
type saChainState struct {
	F          float64
	Best       float64   // smallest value so far
	At         []float64 // the point that had it
	Odd        int64     // number of values that were not finite
	Point, Acc []float64 // the point of kept and its accumulators
}

// newSAChain returns chain who at its start point, which is x0 or drawn.
func newSAChain(m *SA, p problems.Referenced, key rng.Key, who uint32, x0 []float64) *saChain {
	x := make([]float64, p.Domain().N)
	for i := range x {
		lo, hi := p.Domain().Interval(i)
		x[i] = min(max(math.FMA(rng.Uniform(key.Word(uint32(i), who, 0, rng.Init)), hi-lo, lo), lo), hi)
	}
	if x0 != nil {
		copy(x, x0)
	}
	c := &saChain{m: m, p: p, key: key, who: who, kept: problems.NewDeltaEvaluator(p, x),
		saChainState: saChainState{Best: math.Inf(1), At: x}}
	c.refresh()
	c.record()
	return c
}

// refresh computes the value in full.
func (c *saChain) refresh() { c.F = host.Infinite(c.kept.Refresh(), &c.Odd) }

func (c *saChain) record() {
	if c.F < c.Best {
		c.Best = c.F
		copy(c.At, c.kept.X)
	}
}

// steps makes the Metropolis steps [s0, s1) of a level at temperature t.
func (c *saChain) steps(level uint32, t float64, s0, s1 uint32) {
	n := uint32(c.p.Domain().N)
	for s := s0; s < s1; s++ {
		w := c.key.Words(s, c.who, level, rng.Anneal)
		i := int(rng.Int(w[0], n))
		lo, hi := c.p.Domain().Interval(i)
		y, odds := c.m.neighbourOf(c.kept.X[i], lo, hi, rng.Fine(w[1], w[2]))
		var fy float64
		if host.Finite(c.F) && !c.m.full() {
			fy = c.kept.Try(i, y)
		} else { // a full evaluation
			fy = c.kept.TryFull(i, y)
		}
		fy = host.Infinite(fy, &c.Odd)
		if fy-c.F <= t*(odds-float64(rng.LogUniform(w[3]))) || !c.m.Hastings && fy <= c.F {
			c.kept.Take()
			c.F = fy
			c.record()
		}
	}
}

// state returns the state of the chain, which the next step overwrites.
func (c *saChain) state() saChainState {
	c.Point, c.Acc = c.kept.X, c.kept.Accumulators()
	return c.saChainState
}

// restore sets the chain to a state.
func (c *saChain) restore(s saChainState) {
	c.saChainState = s
	c.kept.Restore(s.Point, s.Acc)
}

// neighbourOf is anneal_neighbour of the device text.
func (m *SA) neighbourOf(a, lo, hi, u float64) (y, odds float64) {
	switch {
	case m.neighbour() == "uniform":
		y = math.FMA(u, hi-lo, lo)
	case u < 0.5:
		y = math.FMA(u+u, a-lo, lo)
	default:
		y = math.FMA(u+u-1, hi-a, a)
	}
	if m.Hastings && y < a {
		odds = math.Log((a - lo) / (hi - y))
	} else if m.Hastings && y > a {
		odds = math.Log((hi - a) / (y - lo))
	}
	return min(max(y, lo), hi), odds
}

// hostSteps is the number of steps of a Step of V0.
const hostSteps = 1 << 17

// saHostRun is a run of V0.
type saHostRun struct {
	chain *saChain
	sch   saSchedule
	cost  cost
	info  solvers.Info
	state saHostState
}

// saHostState is the state of a run of V0. State sets Chain.
type saHostState struct {
	Sample solvers.Sample
	Level  int
	Next   uint32    // next step of the level
	Since  int       // steps since the last full evaluation
	X      []float64 // the point that has Sample.Best
	Chain  saChainState
}

func (m *SA) startHost(p problems.Problem, g *shard.Devices, s solvers.Setup) (solvers.Run, error) {
	h, ok := p.(problems.Referenced)
	if !ok {
		return nil, solvers.Settingf("variant=v0 needs a host reference, and %s has none; use variant=v1 with "+
			"chains=1, which is the same on a device", p.Spec())
	}
	if s.Precision != problems.FP64 {
		return nil, solvers.Settingf("variant=v0 runs on the host in float64; use --precision fp64")
	}
	var x0 []float64
	if len(s.X0) > 0 {
		x0 = s.X0[0]
	}
	r := &saHostRun{sch: m.schedule(), cost: m.costOf(p.Structure(), 1)}
	r.state.Sample.Best = math.Inf(1)
	for _, i := range g.Infos() {
		r.info.Plans = append(r.info.Plans, shard.DevicePlan{Info: i})
	}
	r.chain = newSAChain(m, h, s.Key, 0, x0)
	return r, nil
}

// Step makes steps of one level, as many as fit.
func (r *saHostRun) Step(ctx context.Context, room solvers.Room) (solvers.Sample, bool, error) {
	c := r.chain
	st := &r.state
	start := int64(0)
	s := &st.Sample
	if r.ended() {
		return *s, false, nil
	}
	if s.Step == 0 {
		start = 1 // the start point
	}
	total := uint32(r.sch.n * r.sch.chains)
	most := min(int64(total-st.Next), hostSteps, room.Moves-start)
	n := uint32(solvers.Room{Evaluations: room.Evaluations - start, Moves: most}.Fitting(most, *s, r.cost.moves(1), 1))
	if n == 0 {
		return *s, false, nil
	}
	if err := ctx.Err(); err != nil {
		return *s, false, err
	}
	// Differences drift, so the value is computed in full at every level or after as many steps as there are
	// variables.
	if st.Since >= c.p.Domain().N {
		c.refresh()
		st.Since = 0
	}
	before := c.Best
	c.steps(uint32(st.Level), r.sch.levels[st.Level], st.Next, st.Next+n)
	st.Since += int(n)
	st.Next += n
	if st.Next == total {
		st.Level, st.Next = st.Level+1, 0
	}
	s.F = max(c.F, s.Best) // the current value, updated by differences, may seem better than the best
	if c.Best < before || st.X == nil {
		f, err := problems.Eval(c.p, c.At)
		if err != nil {
			return *s, false, err
		}
		// A value updated by differences may have seemed better than it is.
		if f = host.Infinite(f, new(int64)); f < s.Best || st.X == nil {
			s.F = f
			s.Best = f
			st.X = append(st.X[:0], c.At...)
		}
	}
	s.Step++
	r.cost.add(start+int64(n), s)
	s.NonFinite = c.Odd
	return *s, true, nil
}

// ended reports whether all temperatures are done.
func (r *saHostRun) ended() bool { return r.state.Level == len(r.sch.levels) }

// Incumbent writes the best point that the chain visited.
func (r *saHostRun) Incumbent(first int, x []float64) error {
	copy(x, r.state.X[first:])
	return nil
}

// Info lists the devices, which V0 does not use, and says whether the run has ended.
func (r *saHostRun) Info() solvers.Info {
	info := r.info
	info.Ended = r.ended()
	return info
}

// Close does nothing.
func (r *saHostRun) Close() {}
