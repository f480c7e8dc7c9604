package masw

import (
	"context"
	"math"
	"slices"

	"github.com/clopt/clopt/cl"
	"github.com/clopt/clopt/problems"
	"github.com/clopt/clopt/shard"
	"github.com/clopt/clopt/solvers/device"
	"github.com/clopt/clopt/solvers/internal/host"
)

// chain is the Solis-Wets state of one individual. The zero value is a new chain: it has no bias, and local
// search sets rho from the distance to the nearest other individual when it begins.
type chain struct {
	Started bool
	Rho     float64 // standard deviation of a step
	Scale   float64 // the bias is Scale times the stored vector; 0: no bias
	Ok, Bad int     // successes and failures in a row
	Pending bool    // the forward step failed; the opposite step is next
	When    uint32  // counter of the draws of the current step's deviation
}

// proposal describes one neighbour to a device.
type proposal struct {
	when             uint32
	rho, scale, sign float64
}

// propose returns the neighbour of a chain for local search step now.
func (c *chain) propose(now uint32) proposal {
	if !c.Pending {
		c.When = now
		return proposal{now, c.Rho, c.Scale, 1}
	}
	return proposal{c.When, c.Rho, c.Scale, -1}
}

// outcome adapts a chain after its neighbour was accepted or rejected.
func (c *chain) outcome(accepted bool) {
	switch {
	case accepted:
		c.Scale = 1 // a new bias was stored
		c.Ok++
		c.Bad = 0
		c.Pending = false
	case !c.Pending:
		c.Pending = true // Ok and Bad change after the opposite step
		return
	default:
		c.Scale *= 0.5
		c.Bad++
		c.Ok = 0
		c.Pending = false
	}
	if c.Ok >= 5 {
		c.Ok = 0
		c.Rho *= 2
	} else if c.Bad >= 3 {
		c.Bad = 0
		c.Rho /= 2
	}
}

// localStep evaluates one neighbour of every individual.
func (r *maswRun) localStep(ctx context.Context) ([]float64, error) {
	st := &r.state
	if st.Phase == r.iters {
		if err := r.startChains(ctx); err != nil {
			return nil, err
		}
	}
	chains := append([]chain(nil), st.Chains...)
	moves := make([]proposal, r.n)
	for j := range chains {
		moves[j] = chains[j].propose(st.LocalStep)
	}
	f, err := r.evaluateMoves(ctx, moves)
	if err != nil {
		return nil, err
	}
	var accepted []uint32
	for j, v := range f {
		ok := host.Better(v, st.F[j])
		if ok {
			accepted = append(accepted, uint32(j))
		}
		chains[j].outcome(ok)
	}
	if len(accepted) > 0 {
		if err := r.apply(accepted); err != nil {
			return nil, err
		}
		for _, j := range accepted {
			st.F[j] = f[j]
		}
	}
	st.Chains = chains
	st.LocalStep++
	if st.Phase++; st.Phase == 2*r.iters {
		st.Phase = 0
	}
	return f, nil
}

// evaluateMoves evaluates one neighbour of each individual. The zero proposal is the individual itself.
func (r *maswRun) evaluateMoves(ctx context.Context, moves []proposal) ([]float64, error) {
	when, move := make([]uint32, r.n), make([]float64, 3*r.n)
	for j, m := range moves {
		when[j] = m.when
		move[3*j], move[3*j+1], move[3*j+2] = m.rho, m.scale, m.sign
	}
	if err := r.moves.Each(func(s int, sh shard.Shard, d *cl.Device) error {
		if err := r.on[s].when.Send(0, when); err != nil {
			return err
		}
		return r.on[s].move.Send(0, move)
	}); err != nil {
		return nil, err
	}
	key := r.s.Key
	shards := r.moves.Shards()
	sums, err := r.moves.Eval(ctx, r.n, func(s int) []any {
		o, sh := r.on[s], shards[s]
		return []any{o.x.Arg(), o.bias.Arg(), uint64(sh.Vars()), uint32(sh.ReadLo), key.Seed, key.Run, o.when,
			o.move.Arg()}
	})
	if err != nil {
		return nil, err
	}
	return shard.Values(r.p, sums), nil
}

// apply stores the accepted neighbours and their biases.
func (r *maswRun) apply(accepted []uint32) error {
	return r.moves.Each(func(s int, sh shard.Shard, d *cl.Device) error {
		o := r.on[s]
		if err := o.chosen.Send(0, accepted); err != nil {
			return err
		}
		size := r.moves.GroupSize(s)
		return r.moves.Slices(s, len(accepted), len(accepted), func(e, n int) error {
			return r.kernels.apply.Launch(s, []int{device.RoundUp(device.Quads(sh), size), n}, []int{size, 1},
				device.Values{"e0": e, "accepted": o.chosen})
		})
	})
}

// gaps is the number of individuals that a launch of masw_gap compares with all others.
const gaps = 4

// startChains sets rho of the new chains to the distance to the nearest other individual that does not
// coincide, divided by 2n. If all coincide, rho is 1e-3 of the box.
func (r *maswRun) startChains(ctx context.Context) error {
	var fresh []int
	for j, c := range r.state.Chains {
		if !c.Started {
			fresh = append(fresh, j)
		}
	}
	shards := r.moves.Shards()
	for some := range slices.Chunk(fresh, gaps) {
		f := func(k int) int { return some[min(k, len(some)-1)] }
		d2, err := r.moves.Reduce(ctx, gaps*r.n, func(s int, part *shard.Sums, tile0, tiles int) error {
			size := r.moves.GroupSize(s)
			return r.kernels.gap.Launch(s, []int{r.n * size, tiles}, []int{size, 1}, device.Values{
				"sums": part, "first": shards[s].TileLo, "tile0": tile0, "f0": f(0), "f1": f(1), "f2": f(2),
				"f3": f(3)})
		})
		if err != nil {
			return err
		}
		for k, j := range some {
			r.state.Chains[j] = chain{Started: true, Rho: r.rho(j, d2[k:])}
		}
	}
	return nil
}

// rho returns the first step size of individual j. gap[k·gaps] is its squared distance to individual k.
func (r *maswRun) rho(j int, gap []float64) float64 {
	nearest := math.Inf(1)
	for k := range r.n {
		if d := gap[k*gaps]; k != j && d > 0 {
			nearest = min(nearest, d)
		}
	}
	lo, hi := r.p.Domain().Box()
	rho := 1e-3 * (hi - lo)
	if !math.IsInf(nearest, 1) {
		rho = math.Sqrt(nearest) / float64(2*r.p.Domain().N)
	}
	if r.s.Precision == problems.FP32 {
		rho = float64(float32(rho))
	}
	return rho
}
