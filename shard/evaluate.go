package shard

import (
	"context"
	"fmt"
	"slices"

	"github.com/clopt/clopt/cl"
	"github.com/clopt/clopt/problems"
)

// Evaluate returns the values of points, each of p.Domain().N variables, by devices. In FP32 it rounds
// the points to float32 first. A text that nobody has checked needs trial.Try first. If another caller has the devices,
// such as a run, the error is ErrInUse.
func Evaluate(ctx context.Context, g *Devices, p problems.Problem, prec problems.Precision,
	points [][]float64) ([]float64, error) {
	done, err := g.Use()
	if err != nil {
		return nil, err
	}
	defer done()
	sums, err := Accumulate(ctx, g, p, prec, points)
	if err != nil {
		return nil, err
	}
	return Values(p, sums), nil
}

// Accumulate is Evaluate with the accumulators of each point, p.Accumulators() numbers a point, instead of its value,
// for a caller that has the devices (Use). A function of the host needs none.
func Accumulate(ctx context.Context, g *Devices, p problems.Problem, prec problems.Precision,
	points [][]float64) ([]float64, error) {
	if len(points) == 0 {
		return nil, nil
	}
	t := p.Tiling()
	for i, x := range points {
		if len(x) != t.N {
			return nil, fmt.Errorf("shard: point %d has %d variables, %s has %d", i, len(x), p.Spec(), t.N)
		}
	}
	if call := problems.CallOf(p); call != nil {
		return call(ctx, points)
	}
	// As many points at a time as fit in a gigabyte.
	batch := min(len(points), max(1, (1<<30)/(t.N*prec.Bits()/8)))
	shards := Split(t, apportion(t.SuperTiles(), g.weights(), nil), nil)
	pl, err := Place(g, p, prec, shards, Plain(), batch*p.Accumulators(), nil)
	if err != nil {
		return nil, err
	}
	defer pl.Close()
	x := make([]*Reals, len(shards))
	defer func() {
		for _, v := range x {
			v.Close()
		}
	}()
	if err := pl.Each(func(s int, sh Shard, d *cl.Device) (err error) {
		x[s], err = AllocReals(d, prec, batch*sh.Vars())
		return err
	}); err != nil {
		return nil, err
	}
	all := make([]float64, 0, len(points)*p.Accumulators())
	for len(points) > 0 {
		n := min(batch, len(points))
		if err := pl.Each(func(s int, sh Shard, d *cl.Device) error {
			for i, v := range points[:n] {
				if err := x[s].Write(i*sh.Vars(), v[sh.ReadLo:sh.ReadHi]); err != nil {
					return err
				}
			}
			return nil
		}); err != nil {
			return nil, err
		}
		sums, err := pl.Eval(ctx, n, func(s int) []any {
			return []any{x[s].Arg(), uint64(shards[s].Vars()), uint32(shards[s].ReadLo)}
		})
		if err != nil {
			return nil, err
		}
		all = append(all, sums...)
		points = points[n:]
	}
	return all, nil
}

// Values applies g to the accumulators of each point, Accumulators() numbers a point.
func Values(p problems.Problem, sums []float64) []float64 {
	accs := p.Accumulators()
	f := make([]float64, len(sums)/accs)
	for i := range f {
		f[i] = p.Objective(sums[i*accs : (i+1)*accs])
	}
	return f
}

// weights returns the weights of the options, or equal ones.
func (g *Devices) weights() []float64 {
	if g.opt.Weights != nil {
		return g.opt.Weights
	}
	return slices.Repeat([]float64{1}, len(g.devices))
}
