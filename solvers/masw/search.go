package masw

import (
	"context"
	"math"

	"github.com/clopt/clopt/cl"
	"github.com/clopt/clopt/internal/solvers/host"
	"github.com/clopt/clopt/problems"
	"github.com/clopt/clopt/shard"
	"github.com/clopt/clopt/solvers/device"
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
	if c.Pending {
		return proposal{c.When, c.Rho, c.Scale, -1}
	}
	return proposal{now, c.Rho, c.Scale, 1}
}

// outcome adapts a chain after its neighbour m was accepted or rejected.
func (c *chain) outcome(m proposal, accepted bool) {
	c.When = m.when
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
	if r.states[0].Phase == r.iters {
		if err := r.startChains(ctx); err != nil {
			return nil, err
		}
	}
	moves := r.proposals[:0]
	for k := range r.states {
		st := &r.states[k]
		for j := range st.Chains {
			moves = append(moves, st.Chains[j].propose(st.LocalStep))
		}
	}
	r.proposals = moves
	f, err := r.evaluateMoves(ctx, moves)
	if err != nil {
		return nil, err
	}
	accepted := r.chosen[:0]
	for p, v := range f {
		if host.Better(v, r.states[p/r.n].F[p%r.n]) {
			accepted = append(accepted, uint32(p))
		}
	}
	r.chosen = accepted
	if err := r.apply(accepted); err != nil {
		return nil, err
	}
	for k := range r.states {
		st := &r.states[k]
		lo, hi := r.of(k)
		for j, v := range f[lo:hi] {
			better := host.Better(v, st.F[j])
			if better {
				st.F[j] = v
			}
			st.Chains[j].outcome(moves[lo+j], better)
		}
		st.LocalStep++
		if st.Phase++; st.Phase == 2*r.iters {
			st.Phase = 0
		}
	}
	return f, nil
}

// evaluateMoves evaluates one neighbour of each individual of all runs. The zero proposal is the individual itself. If
// ctx is cancelled, it returns the values of the first ones with the error.
func (r *maswRun) evaluateMoves(ctx context.Context, moves []proposal) ([]float64, error) {
	when, move := r.when[:0], r.move[:0]
	for _, m := range moves {
		when, move = append(when, m.when), append(move, m.rho, m.scale, m.sign)
	}
	r.when, r.move = when, move
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
	sums, err := r.moves.Eval(ctx, r.all(), func(s int) []any {
		o, sh := r.on[s], shards[s]
		return []any{o.x.Arg(), o.bias.Arg(), uint64(sh.Vars()), uint32(sh.ReadLo), key.Seed, key.Run, o.when,
			o.move.Arg()}
	})
	return shard.Values(r.p, sums), err
}

// apply stores the accepted neighbours and their biases.
func (r *maswRun) apply(accepted []uint32) error {
	if len(accepted) == 0 {
		return nil
	}
	return r.moves.Each(func(s int, sh shard.Shard, d *cl.Device) error {
		o := r.on[s]
		if err := o.chosen.Send(0, accepted); err != nil {
			return err
		}
		size := r.moves.GroupSize(s)
		return r.moves.Slices(s, len(accepted), len(accepted), func(e, n int) error {
			return r.kernels.apply.Launch(s, []int{device.RoundUp(device.Quads(sh), size), n}, []int{size, 1},
				device.Values{"e0": e})
		})
	})
}

// gaps is the number of individuals of a run that a launch of masw_gap compares with all others of the run.
const gaps = 4

// startChains sets rho of the new chains to the distance to the nearest other individual that does not
// coincide, divided by 2n. If all coincide, rho is 1e-3 of the box.
func (r *maswRun) startChains(ctx context.Context) error {
	fresh, most := make([][]int, r.runs), 0 // individuals with new chains of each run
	for k, st := range r.states {
		for j, c := range st.Chains {
			if !c.Started {
				fresh[k] = append(fresh[k], j)
			}
		}
		most = max(most, len(fresh[k]))
	}
	for from := 0; from < most; from += gaps {
		d2, err := r.gapsOf(ctx, fresh)
		if err != nil {
			return err
		}
		for k := range fresh {
			lo, _ := r.of(k)
			some := fresh[k][:min(gaps, len(fresh[k]))]
			fresh[k] = fresh[k][len(some):]
			for c, j := range some {
				r.states[k].Chains[j] = chain{Started: true, Rho: r.rho(j, d2[lo*gaps+c:])}
			}
		}
	}
	return nil
}

// gapsOf returns the squared distances of all individuals to the first few listed ones of their run: that of individual
// p to the c-th one has the index p·gaps + c. In place of those that a list does not have there are other individuals.
func (r *maswRun) gapsOf(ctx context.Context, lists [][]int) ([]float64, error) {
	r.chosen = r.chosen[:0]
	for k, list := range lists {
		lo, _ := r.of(k)
		for c := range gaps {
			j := 0
			if c < len(list) {
				j = list[c]
			}
			r.chosen = append(r.chosen, uint32(lo+j))
		}
	}
	shards := r.moves.Shards()
	if err := r.moves.Each(func(s int, _ shard.Shard, _ *cl.Device) error {
		return r.on[s].chosen.Send(0, r.chosen)
	}); err != nil {
		return nil, err
	}
	return r.moves.Reduce(ctx, gaps*r.all(), func(s int, part *shard.Sums, tile0, tiles int) error {
		size := r.moves.GroupSize(s)
		return r.kernels.gap.Launch(s, []int{r.all() * size, tiles}, []int{size, 1}, device.Values{
			"sums": part, "first": shards[s].TileLo, "tile0": tile0})
	})
}

// rho returns the first step size of individual j. gap[k·gaps] is its squared distance to
// individual k of its run.
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
