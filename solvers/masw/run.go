package masw

import (
	"context"
	"fmt"
	"math"

	"github.com/clopt/clopt/cl"
	"github.com/clopt/clopt/problems"
	"github.com/clopt/clopt/problems/rng"
	"github.com/clopt/clopt/shard"
	"github.com/clopt/clopt/solvers"
	"github.com/clopt/clopt/solvers/device"
	"github.com/clopt/clopt/solvers/internal/host"
)

// maswRun is a started MASW. All that a run must remember is here: the fields
// of state on the host, and x and bias on the devices; State lists them.
type maswRun struct {
	p        problems.Problem
	s        solvers.Setup
	n        int // individuals
	iters    int
	portions int
	check    bool
	info     solvers.Info

	children, moves *shard.Placement
	kernels         struct{ distance, columns, mate, piece, join, write, init, gap, apply []*cl.Kernel }
	writeVars       int
	on              []*maswShard
	border          []borderPortion
	pieces          []borderPiece

	state maswState
}

// maswState is the host's share of a run's state.
type maswState struct {
	Sample     solvers.Sample
	F          []float64 // value of each individual
	Generation uint32    // generations so far; the counter of their draws
	LocalStep  uint32    // local search steps so far; the counter of their draws
	Phase      int       // steps done in the current cycle, 0 to 2·iterations-1
	Chains     []chain
}

// maswShard is one shard's memory.
type maswShard struct {
	x, bias  *shard.Reals       // [individual][stored variable]
	mate     *cl.Buffer[uint16] // [portion - q0][individual], like the next two
	variable *cl.Buffer[uint32] // that mutation moves; n if none
	gift     *shard.Reals       // what it adds
	q0, q1   int                // portions that the stored variables touch
	when     *cl.Buffer[uint32] // counter of each individual's deviation
	move     *shard.Reals       // rho, scale, sign of each individual
	chosen   *cl.Buffer[uint32] // swaps of a generation, or accepted steps
	pieces   *cl.Buffer[uint32] // border pieces that lie here, as tile ranges
	pieceOut *shard.Sums
	borders  *cl.Buffer[uint32] // of each border portion: itself, its first piece, behind its last; nil where the host adds pieces
	owned    []int              // indices of those pieces in maswRun.pieces
}

func (m *MASW) start(p problems.Problem, g *shard.Group, s solvers.Setup, n int, shards []shard.Shard) (run *maswRun, refused int, err error) {
	t := p.Tiling()
	r := &maswRun{p: p, s: s, n: n, iters: m.iterations(), portions: m.portions(t), check: g.Checked(), on: make([]*maswShard, len(shards))}
	r.state.Sample.Best = math.Inf(1)
	r.border, r.pieces = borders(t, r.portions, shards)
	defer func() {
		if err != nil {
			r.Close()
		}
	}()
	if err = r.programs(m, g, shards); err != nil {
		return nil, -1, err
	}
	refused, err = device.Rooms(r.moves, func(i int, sh shard.Shard, d *cl.Device) (err error) {
		r.on[i], err = r.room(t, sh, d)
		return err
	})
	return r, refused, err
}

// room allocates a shard's vectors.
func (r *maswRun) room(t problems.Tiling, sh shard.Shard, d *cl.Device) (o *maswShard, err error) {
	o = &maswShard{}
	defer func() {
		if err != nil {
			o.close()
			o = nil // the caller closes what it got
		}
	}()
	o.q0, o.q1 = r.portionOfVar(t, sh.ReadLo), r.portionOfVar(t, sh.ReadHi-1)+1
	if last := portionOf(t, r.portions, sh.TileHi-1) + 1; last > o.q1 {
		o.q1 = last // tiles without variables of their own
	}
	if o.x, err = shard.AllocReals(d, r.s.Precision, r.n*sh.Vars()); err != nil {
		return o, err
	}
	if o.bias, err = shard.AllocReals(d, r.s.Precision, r.n*sh.Vars()); err != nil {
		return o, err
	}
	if o.mate, err = cl.Alloc[uint16](d, (o.q1-o.q0)*r.n); err != nil {
		return o, err
	}
	if o.variable, err = cl.Alloc[uint32](d, (o.q1-o.q0)*r.n); err != nil {
		return o, err
	}
	if o.gift, err = shard.AllocReals(d, r.s.Precision, (o.q1-o.q0)*r.n); err != nil {
		return o, err
	}
	if o.when, err = cl.Alloc[uint32](d, r.n); err != nil {
		return o, err
	}
	if o.move, err = shard.AllocReals(d, r.s.Precision, 3*r.n); err != nil {
		return o, err
	}
	if o.chosen, err = cl.Alloc[uint32](d, 2*r.n); err != nil {
		return o, err
	}
	var ranges []uint32
	for i, piece := range r.pieces {
		if piece.lo >= sh.TileLo && piece.hi <= sh.TileHi {
			o.owned = append(o.owned, i)
			ranges = append(ranges, uint32(piece.lo-sh.TileLo), uint32(piece.hi-sh.TileLo))
		}
	}
	if len(ranges) == 0 {
		return o, nil
	}
	if o.pieces, err = cl.Alloc[uint32](d, len(ranges)); err != nil {
		return o, err
	}
	if err = o.pieces.Write(0, ranges); err != nil {
		return o, err
	}
	if o.pieceOut, err = shard.AllocSums(d, len(o.owned)*3*r.n); err != nil || r.kernels.join == nil {
		return o, err
	}
	var all []uint32
	for _, b := range r.border {
		all = append(all, uint32(b.q), uint32(b.from), uint32(b.to))
	}
	if o.borders, err = cl.Alloc[uint32](d, len(all)); err != nil {
		return o, err
	}
	return o, o.borders.Write(0, all)
}

func (o *maswShard) close() {
	if o == nil {
		return
	}
	o.x.Close()
	o.bias.Close()
	o.gift.Close()
	o.move.Close()
	o.pieceOut.Close()
	if o.mate != nil {
		o.mate.Close()
	}
	for _, b := range []*cl.Buffer[uint32]{o.variable, o.when, o.chosen, o.pieces, o.borders} {
		if b != nil {
			b.Close()
		}
	}
}

func (r *maswRun) Info() solvers.Info { return r.info }

func (r *maswRun) Close() {
	for _, o := range r.on {
		o.close()
	}
	if r.children != nil {
		r.children.Close()
	}
	if r.moves != nil {
		r.moves.Close()
	}
}

func (r *maswRun) Step(ctx context.Context, limit int64) (solvers.Sample, bool, error) {
	st := &r.state
	if limit < int64(r.n) {
		return st.Sample, false, nil
	}
	var f []float64
	var err error
	switch {
	case st.F == nil:
		f, err = r.populate(ctx)
	case st.Phase < r.iters:
		f, err = r.generation(ctx)
	default:
		f, err = r.localStep(ctx)
	}
	if err != nil {
		return st.Sample, false, err
	}
	s := &st.Sample
	s.Step++
	s.Evaluations += int64(r.n)
	s.Work = float64(s.Evaluations)
	s.F = math.Inf(1)
	for _, v := range f {
		if !host.Finite(v) {
			s.NonFinite++
		} else {
			s.F = min(s.F, v)
		}
	}
	s.Best = min(s.Best, s.F)
	return *s, true, nil
}

// populate draws, stores and evaluates the first population.
func (r *maswRun) populate(ctx context.Context) ([]float64, error) {
	key := r.s.Key
	err := r.moves.Each(func(i int, sh shard.Shard, d *cl.Device) error {
		o := r.on[i]
		size := r.moves.GroupSize(i)
		if err := r.moves.Slices(i, r.n, r.n, func(j, n int) error {
			return r.kernels.init[sh.Device].Launch([]int{device.RoundUp(device.Blocks(sh), size), n}, []int{size, 1},
				o.x.Arg(), uint64(sh.Vars()), uint32(sh.ReadLo), uint32(sh.Vars()), uint32(j), key.Seed, key.Run)
		}); err != nil {
			return err
		}
		for j, x := range r.s.X0 {
			if err := o.x.Write(j*sh.Vars(), host.StoredIn(r.p, x[sh.ReadLo:sh.ReadHi], r.s.Precision)); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	f, err := r.evaluateMoves(ctx, make([]proposal, r.n))
	if err != nil {
		return nil, err
	}
	if r.check {
		if err := r.moves.Check(key, r.n, func(j, lo, hi int) ([]float64, error) {
			if j < len(r.s.X0) {
				return host.StoredIn(r.p, r.s.X0[j][lo:hi], r.s.Precision), nil
			}
			return host.Drawn(r.p, r.s.Precision, key, uint32(j), 0, rng.Init, lo, hi), nil
		}); err != nil {
			return nil, err
		}
	}
	r.state.F = f
	r.state.Chains = make([]chain, r.n)
	return f, nil
}

// Incumbent reads the best individual. Survivors always contain it.
func (r *maswRun) Incumbent(x []float64) error {
	if len(x) != r.p.Dim() {
		return fmt.Errorf("solvers: a point of %d variables for a problem of %d", len(x), r.p.Dim())
	}
	best := 0
	for j, f := range r.state.F {
		if host.Better(f, r.state.F[best]) {
			best = j
		}
	}
	return r.moves.Each(func(i int, sh shard.Shard, d *cl.Device) error {
		return r.on[i].x.Read(best*sh.Vars()+sh.VarLo-sh.ReadLo, x[sh.VarLo:sh.VarHi])
	})
}
