package solvers

import (
	"context"
	"fmt"
	"math"
	"strconv"

	"github.com/clopt/clopt/kernels"
	"github.com/clopt/clopt/problems"
	"github.com/clopt/clopt/problems/draw"
	"github.com/clopt/clopt/shard"
)

// Random is random search, the baseline: the best of uniform points of the
// box, of uniform bits where variables are 0 or 1. No point is stored; the best
// is drawn again at the end.
type Random struct {
	// Batch is the number of points of a step; 0: as many as make 1e7
	// variables, from 16 to 1024.
	Batch int
}

// Name is "random".
func (r *Random) Name() string { return "random" }

// String lists the settings as New reads them.
func (r *Random) String() string { return spell(r) }

func (r *Random) about() string {
	return "random search, the best of uniform points of the box; no point is stored"
}

func (r *Random) settings() []setting {
	return []setting{intSetting("batch", "points of a step; auto: 1e7 variables' worth, 16 to 1024", &r.Batch, 1, 65535, orAuto(r.Batch))}
}

func (r *Random) validate() error { return nil }

// Suits: every problem.
func (r *Random) Suits(problems.Problem, problems.Precision) error { return nil }

// A step of random search may be any part of a batch.
func (r *Random) demand(problems.Problem, problems.Precision) demand { return demand{0, 1} }

func (r *Random) batch(dim int) int {
	if r.Batch > 0 {
		return r.Batch
	}
	return min(max(1e7/dim, 16), 1024)
}

// Plan is the sums of one batch and nothing else.
func (r *Random) Plan(p problems.Problem, prec problems.Precision) shard.Plan {
	n := r.batch(p.Dim())
	return shard.Plan{
		Items: append([]shard.PlanItem{sumsItem(p, n*p.Accumulators())}, tableItems(p, prec, 1)...),
		Ways:  []string{"a smaller batch (--set batch=16)", "more devices"},
	}
}

// Start compiles the problem under the view of drawn points.
func (r *Random) Start(ctx context.Context, p problems.Problem, g *shard.Group, s Setup) (Run, error) {
	if s.X0 != nil {
		return nil, settingf("random search takes no start points")
	}
	if err := checkOneBox(r, p); err != nil {
		return nil, err
	}
	n := r.batch(p.Dim())
	plans, err := g.Fit(ctx, r.Plan(p, s.Precision), p, s.Precision)
	if err != nil {
		return nil, err
	}
	shards := shard.Split(p.Tiling(), shard.Supers(plans), nil)
	pl, err := shard.Place(g, p, s.Precision, shards, shard.Drawn(), n*p.Accumulators(), nil)
	if err != nil {
		return nil, err
	}
	run := &randomRun{p: p, pl: pl, s: s, info: Info{Plans: plans, Shards: shards, BuildTime: pl.BuildTime}, batch: n, check: g.Checked(), state: randomState{Sample: Sample{Best: math.Inf(1)}}}
	return run, nil
}

// randomState is all that a run must remember: a counter and the number of the
// best point; everything else follows from the key.
type randomState struct {
	Sample Sample
	Next   int64 // number of the next point
	Best   int64 // number of the best point
}

type randomRun struct {
	p     problems.Problem
	pl    *shard.Placement
	s     Setup
	batch int
	check bool
	info  Info
	state randomState
}

// counter splits the number of a point into the words of a draw.
func counter(point int64) (who, when uint32) { return uint32(point), uint32(point >> 32) }

func (r *randomRun) Step(ctx context.Context, limit int64) (Sample, bool, error) {
	n := r.batch
	if who, _ := counter(r.state.Next); int64(who)+int64(n) > 1<<32 {
		n = int(1<<32 - int64(who)) // a batch stays within one value of the upper word
	}
	if n = int(min(int64(n), limit)); n <= 0 {
		return r.state.Sample, false, nil
	}
	who, when := counter(r.state.Next)
	key := r.s.Key
	sums, err := r.pl.Eval(ctx, n, func(int) []any {
		return []any{key.Seed, key.Run, who, when, uint32(draw.Random)}
	})
	if err != nil {
		return r.state.Sample, false, err
	}
	if r.check {
		r.check = false
		if err := r.pl.Check(key, n, func(p, lo, hi int) []float64 {
			w, t := counter(r.state.Next + int64(p))
			return drawn(r.p, r.s.Precision, key, w, t, draw.Random, lo, hi)
		}); err != nil {
			return r.state.Sample, false, err
		}
	}
	s := &r.state.Sample
	s.F = math.Inf(1)
	for i, f := range shard.Values(r.p, sums) {
		if !finite(f) {
			s.NonFinite++
			continue
		}
		if f < s.Best {
			s.Best, r.state.Best = f, r.state.Next+int64(i)
		}
		s.F = min(s.F, f)
	}
	r.state.Next += int64(n)
	s.Step++
	s.Evaluations += int64(n)
	s.Work = float64(s.Evaluations)
	return *s, true, nil
}

// drawn is what at(x, i) of view_drawn gives for i in [lo, hi), in float64.
func drawn(p problems.Problem, prec problems.Precision, key draw.Key, who, when uint32, purpose draw.Purpose, lo, hi int) []float64 {
	a, b := problems.BoxIn(p, prec)
	x := make([]float64, hi-lo)
	var w [4]uint32
	block := uint32(math.MaxUint32)
	for i := lo; i < hi; i++ {
		if q := uint32(i) >> 2; q != block {
			block, w = q, key.Words(q, who, when, purpose)
		}
		u := draw.Uniform(w[i&3])
		if prec == problems.FP32 {
			x[i-lo] = float64(draw.FMA32(float32(u), float32(b)-float32(a), float32(a)))
		} else {
			x[i-lo] = math.FMA(u, b-a, a)
		}
	}
	return x
}

func (r *randomRun) Incumbent(x []float64) error {
	if len(x) != r.p.Dim() {
		return fmt.Errorf("solvers: a point of %d variables for a problem of %d", len(x), r.p.Dim())
	}
	who, when := counter(r.state.Best)
	const span = 1 << 20
	for lo := 0; lo < len(x); lo += span {
		hi := min(lo+span, len(x))
		copy(x[lo:hi], drawn(r.p, r.s.Precision, r.s.Key, who, when, draw.Random, lo, hi))
	}
	if _, binary := r.p.(problems.Binary); binary {
		for i, v := range x {
			if x[i] = 0; v > 0.5 {
				x[i] = 1
			}
		}
	}
	return nil
}

func (r *randomRun) Info() Info { return r.info }

func (r *randomRun) Close() { r.pl.Close() }

func finite(f float64) bool { return !math.IsNaN(f) && !math.IsInf(f, 0) }

// sumsItem is the partial sums of a placement of width sums a tile.
func sumsItem(p problems.Problem, width int) shard.PlanItem {
	t := p.Tiling()
	return shard.PlanItem{
		What:  fmt.Sprintf("partial sums: %d a tile, %d tiles", width, t.Tiles()),
		Bytes: 8 * int64(width) * int64(t.Tiles()+t.SuperTiles()),
	}
}

// tableItems is the problem's tables, once for each of views placements.
func tableItems(p problems.Problem, prec problems.Precision, views int64) []shard.PlanItem {
	text, err := p.Text(prec)
	if err != nil {
		return nil // Start reports it
	}
	n := int64(0)
	for _, t := range text.Tables {
		reals := int64(len(t.Real))
		if t.Pair && prec == problems.FP32 {
			reals *= 2
		}
		n += reals*int64(prec.Bits()/8) + 4*int64(len(t.Uint))
	}
	return []shard.PlanItem{{What: "tables of the problem", Bytes: views * n, Fixed: true}}
}

func define(name string, v int) kernels.Define {
	return kernels.Define{Name: name, Value: strconv.Itoa(v) + "u"}
}
