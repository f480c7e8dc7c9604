package multistart

import (
	"cmp"
	"context"
	"math"

	"github.com/clopt/clopt/problems"
	"github.com/clopt/clopt/problems/rng"
	"github.com/clopt/clopt/shard"
	"github.com/clopt/clopt/solvers"
	"github.com/clopt/clopt/solvers/internal/host"
)

// Parts of large problems need not be in memory together. They are searched in waves: ranges of tiles, each until
// its parts rest or have made as many evaluations as the run may make. What is left of the budget after the last
// wave goes to another round of all waves, with twice the patience, in which the first episode of a part begins at
// its best point. The best point is kept by the host. A part does the same whatever parts are in its wave, so a
// run has the same bits on any number of devices.

// waveVars is the number of variables of a wave, about.
const waveVars = 1 << 24

// waves returns the number of waves of a problem. There is one if the objective is not linear in its sums, or if parts
// have components in common.
func (m *Multistart) waves(p problems.Problem, classes []class) int {
	t, size := p.Tiling(), cmp.Or(m.wave, waveVars)
	if p.Linear() == nil || classes[0].open {
		return 1
	}
	return min(max(1, (t.N+size/2)/size), t.SuperTiles())
}

// wavesRun is a run in waves.
type wavesRun struct {
	m       *Multistart
	p       problems.Problem
	g       *shard.Devices
	s       solvers.Setup
	classes []class
	layout  solvers.Info
	waves   [][]shard.Shard

	x      []float64   // the best point of the parts whose wave is over
	drawn  []float64   // accumulators of the first start point, for each super-tile
	rows   [][]float64 // of each class, as in run, of the parts whose wave is over
	open   *run        // the wave that is searched; nil between waves
	wave   int
	round  int
	most   uint32 // evaluations of a part in this round
	before int64  // cost of the rounds before
	sample solvers.Sample
}

// startWaves starts a run in n waves.
func (m *Multistart) startWaves(ctx context.Context, p problems.Problem, g *shard.Devices, s solvers.Setup,
	classes []class, n int) (solvers.Run, error) {
	plans, err := g.Fit(ctx, m.plan(p, s.Precision, classes), p, s.Precision)
	if err != nil {
		return nil, err
	}
	r := &wavesRun{m: m, p: p, g: g, s: s, classes: classes, waves: make([][]shard.Shard, n),
		rows: make([][]float64, len(classes)), sample: solvers.Sample{Best: math.Inf(1)}}
	supers, pieces := shard.Supers(plans), make([]int, len(plans))
	for i := range pieces {
		pieces[i] = n
	}
	shards := shard.Split(p.Tiling(), supers, pieces)
	r.layout = solvers.Info{Plans: plans, Shards: shards}
	next := make([]int, len(plans))
	for _, sh := range shards {
		r.waves[next[sh.Device]] = append(r.waves[next[sh.Device]], sh)
		next[sh.Device]++
	}
	for len(r.waves[len(r.waves)-1]) == 0 {
		r.waves = r.waves[:len(r.waves)-1]
	}
	for i := range r.rows {
		r.rows[i] = make([]float64, p.Tiling().SuperTiles()*(p.Accumulators()+reported))
	}
	return r, r.first(ctx, shards)
}

// first evaluates the first start point, whose parts count until their wave begins.
func (r *wavesRun) first(ctx context.Context, shards []shard.Shard) error {
	pl, err := shard.Place(r.g, r.p, r.s.Precision, shards, shard.Drawn(), r.p.Accumulators(), nil)
	if err != nil {
		return err
	}
	defer pl.Close()
	r.layout.BuildTime = pl.BuildTime
	r.drawn, err = pl.EvalRows(ctx, 1, func(int) []any {
		return []any{r.s.Key.Seed, r.s.Key.Run, uint32(0), uint32(0), uint32(rng.Init)}
	})
	return err
}

// total returns the cost of an evaluation of all parts.
func (r *wavesRun) total() int64 { return int64(r.p.Tiling().Tiles()) * int64(r.classes[0].cost) }

// Step lets the parts of a wave that do not rest make some evaluations.
func (r *wavesRun) Step(ctx context.Context, limit int64) (solvers.Sample, bool, error) {
	if err := ctx.Err(); err != nil {
		return r.sample, false, err
	}
	if r.wave == 0 && r.open == nil {
		if 1<<r.round > mostPatience || limit < 1 {
			return r.sample, false, nil
		}
		r.most = uint32(min(limit, math.MaxUint32))
	}
	if r.open == nil {
		if err := r.begin(); err != nil {
			return r.sample, false, err
		}
	}
	o := r.open
	quota := int(min(o.quota(), int64(r.most)))
	if err := o.advance(quota); err != nil {
		return r.sample, false, err
	}
	found, err := o.report(context.WithoutCancel(ctx)) // work that was done is counted
	if err != nil {
		return r.sample, false, err
	}
	o.state.Units = found.units
	r.look()
	if found.awake > 0 {
		return r.sample, true, nil
	}
	return r.sample, true, r.end()
}

// begin opens the next wave.
func (r *wavesRun) begin() (err error) {
	s := r.s
	if r.round > 0 {
		s.X0 = [][]float64{r.x}
	}
	if r.open, err = r.m.place(r.p, r.g, s, r.classes, r.waves[r.wave], r.round, r.p.Linear()); err != nil {
		return err
	}
	r.open.most, r.open.state.Layers[0].Patience = r.most, 1<<r.round
	return nil
}

// end closes the wave that is open.
func (r *wavesRun) end() error {
	width := r.p.Accumulators() + reported
	if r.x == nil {
		r.x = make([]float64, r.p.Domain().N)
	}
	if err := r.open.read(r.x); err != nil {
		return err
	}
	for _, sh := range r.waves[r.wave] {
		for i, rows := range r.open.rows {
			copy(r.rows[i][sh.SuperLo*width:sh.SuperHi*width], rows[sh.SuperLo*width:sh.SuperHi*width])
		}
	}
	r.open.Close()
	r.open = nil
	if r.wave++; r.wave == len(r.waves) {
		for _, rows := range r.rows {
			r.before += int64(shard.Fold(rows, width)[r.p.Accumulators()])
		}
		r.wave = 0
		r.round++
	}
	return nil
}

// look computes the sample from what the open wave has reported and from what is known of the other parts.
func (r *wavesRun) look() {
	accs := r.p.Accumulators()
	width := accs + reported
	all := make([]float64, width)
	now := map[int]bool{} // super-tiles of the open wave
	for _, sh := range r.waves[r.wave] {
		for k := sh.SuperLo; k < sh.SuperHi; k++ {
			now[k] = true
		}
	}
	begun := map[int]bool{}
	for _, wave := range r.waves[:r.wave] {
		for _, sh := range wave {
			for k := sh.SuperLo; k < sh.SuperHi; k++ {
				begun[k] = true
			}
		}
	}
	for k := range r.p.Tiling().SuperTiles() {
		for i := range r.classes {
			from := r.rows[i]
			switch {
			case now[k]:
				from = r.open.rows[i]
			case !begun[k] && r.round == 0:
				if i == 0 {
					for a, v := range r.drawn[k*accs : (k+1)*accs] {
						all[a] += v
					}
				}
				continue
			}
			row := from[k*width : (k+1)*width]
			for a, v := range row[:accs] {
				all[a] += v
			}
			if now[k] || begun[k] {
				all[accs] += row[accs]
			}
			all[accs+3] += row[accs+3]
		}
	}
	found := sumsOf(r.p, all, int64(r.p.Tiling().Tiles())*int64(r.classes[0].all))
	units := r.before + found.units
	r.sample.Add((units+r.total()-1)/r.total()-r.sample.Evaluations, found.f, found.nonFinite)
	r.sample.Work = float64(units) / float64(r.total())
}

// Ended reports whether all parts rest for good.
func (r *wavesRun) Ended() bool { return r.open == nil && r.wave == 0 && 1<<r.round > mostPatience }

// Incumbent writes the best point to x: parts whose wave has not begun have their start point.
func (r *wavesRun) Incumbent(x []float64) error {
	if r.x != nil {
		copy(x, r.x)
	}
	const span = 1 << 20
	for k := r.wave; k < len(r.waves) && r.round == 0; k++ {
		if k == r.wave && r.open != nil {
			continue
		}
		for _, sh := range r.waves[k] {
			for lo := sh.VarLo; lo < sh.VarHi; lo += span {
				hi := min(lo+span, sh.VarHi)
				copy(x[lo:hi], host.Drawn(r.p, r.s.Precision, r.s.Key, 0, 0, rng.Init, lo, hi))
			}
		}
	}
	if r.open == nil {
		return nil
	}
	return r.open.read(x)
}

// Info describes the layout of the run.
func (r *wavesRun) Info() solvers.Info { return r.layout }

// Close releases the wave that is open.
func (r *wavesRun) Close() {
	if r.open != nil {
		r.open.Close()
	}
}
