package graybox

import (
	"cmp"
	"context"
	"math"

	"github.com/clopt/clopt/problems"
	"github.com/clopt/clopt/solvers"
	"github.com/clopt/clopt/solvers/device"
)

// The size of a step. It depends on the problem, the kind of device and the evaluations so far, never on the clock.
const (
	mostQuota  = 64 // evaluations of the first steps; later ones make a hundredth of those so far
	leastQuota = 8  // so that reading and storing the states of the parts takes little of a step
)

// quota returns how many evaluations the parts make in a step.
func (r *run) quota() int64 {
	return min(max(mostQuota, r.state.Units/r.total()/100), max(leastQuota, r.stepCost/r.total()))
}

// Step lets every part that does not rest make some evaluations. If all rest, they first get more patience. A step that
// was cancelled goes on where it was.
func (r *run) Step(ctx context.Context, room solvers.Room) (solvers.Sample, bool, error) {
	st := &r.state
	if err := ctx.Err(); err != nil {
		return st.Sample, false, err
	}
	if st.Turns.Count == 0 {
		if err := r.wait(ctx); err != nil {
			return st.Sample, false, err
		}
		if st.Awake == 0 || st.Lost {
			return st.Sample, false, nil
		}
		left := int64(math.MaxInt64)
		if total := r.total(); room.Evaluations < math.MaxInt64/total-st.Sample.Evaluations {
			left = (st.Sample.Evaluations+room.Evaluations)*total - st.Units
		}
		begin := r.closedStep
		if r.open() {
			begin = r.openStep
		}
		if ok, err := begin(ctx, left); err != nil || !ok {
			return r.broken(ctx, err)
		}
	}
	if err := r.advance(ctx); err != nil {
		return r.broken(ctx, err)
	}
	sums, err := r.measure(context.WithoutCancel(ctx))
	if err != nil {
		return st.Sample, false, err
	}
	if err := r.steer(sums); err != nil {
		return st.Sample, false, err
	}
	total := r.total()
	fallen := (st.Sample.Best - sums.f) / float64(sums.units-st.Units)
	st.Layers[st.Layer].Gain = 0
	if fallen > 0 {
		st.Layers[st.Layer].Gain = fallen
	}
	st.Units = sums.units
	r.count(sums)
	st.Sample.Add(0, sums.f, sums.nonFinite)
	st.Sample.Worked(float64(sums.units) / float64(total))
	return st.Sample, true, nil
}

// broken returns what Step does after an error. A first step begins anew. If it was cancelled, its best point counts if
// all parts have one.
func (r *run) broken(ctx context.Context, err error) (s solvers.Sample, ok bool, _ error) {
	st := &r.state
	if s = st.Sample; err == nil || ctx.Err() == nil {
		st.Turns = turns{}
		return s, false, err
	}
	now, e := r.cancelled()
	first := s.Step == 0
	if first {
		st.Turns = turns{}
	}
	if e == nil && (!first || r.open() || r.found.finite == r.parts()) {
		s = now
	}
	return s, false, cmp.Or(e, err)
}

// cancelled notes what a step has done that was cancelled, and returns the sample of the best point that the run has
// now. An evaluation of the point of open parts would take too long.
func (r *run) cancelled() (solvers.Sample, error) {
	found, err := r.report(context.Background())
	st := &r.state
	s := r.state.Sample
	total := r.total()
	t := &st.Turns
	t.F = found.f
	t.Units = found.units
	t.Awake = found.awake
	t.Cost = found.cost
	if r.open() {
		t.F = math.NaN()
	}
	if r.p.Linear() == nil { // the best point is that of the last step
		return s, err
	}
	s.Worked(float64(t.Units) / float64(total))
	s.F, s.Best, s.NonFinite = t.F, min(s.Best, t.F), found.nonFinite
	return s, err
}

// wait gives more patience to layers whose parts all rest, until one does not.
func (r *run) wait(ctx context.Context) error {
	for l := range r.state.Layers {
		for st := &r.state.Layers[l]; st.Awake == 0 && st.Patience < mostPatience; {
			st.Patience *= 2
			st.Gain = math.Inf(1)
			found, err := r.report(ctx)
			if err != nil {
				return err
			}
			r.count(found)
		}
	}
	return nil
}

// count notes which parts do not rest.
func (r *run) count(found sums) {
	r.state.Awake, r.state.Cost = found.awake, found.cost
	for l := range r.state.Layers {
		r.state.Layers[l].Awake = found.layers[l]
	}
}

// closedStep begins a step of closed parts with work of room at most. It returns false if that is not enough.
func (r *run) closedStep(ctx context.Context, room int64) (bool, error) {
	quota := int(min(r.quota(), room/r.state.Cost))
	if quota < 1 {
		return false, nil
	}
	if r.p.Linear() == nil && r.state.Sample.Step == 0 {
		quota = 1 // the value of the start point
	}
	return true, r.startTurn(ctx, quota)
}

// startTurn begins a turn of closed parts. It compares their first evaluation with the host.
func (r *run) startTurn(ctx context.Context, quota int) error {
	if r.checked && r.state.Sample.Step == 0 {
		quota--
		r.state.Turns = turns{Quota: 1, Count: 1}
		if err := r.advance(ctx); err != nil {
			return err
		}
		if err := r.compare(); err != nil {
			return err
		}
	}
	r.state.Turns = turns{Quota: quota, Count: 1}
	return nil
}

// advance makes the turns of a step. Open parts exchange their variables after those of a colour.
func (r *run) advance(ctx context.Context) error {
	t := &r.state.Turns
	for ; t.Count > 0; t.Count, t.Launch = t.Count-1, 0 {
		for ; t.Launch < r.layers[r.state.Layer].colours*len(r.classes); t.Launch++ {
			i := t.Launch % len(r.classes)
			if err := r.turn(ctx, i, t.Launch/len(r.classes)); err != nil {
				return err
			}
			if r.open() && i == len(r.classes)-1 {
				if err := r.exchange(); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// turn makes the turn of the parts of class i that have a colour, if they are in the layer that works.
func (r *run) turn(ctx context.Context, i, colour int) error {
	c := r.classes[i]
	k := &r.kernels[i]
	t := &r.state.Turns
	if c.layer != r.state.Layer {
		return nil
	}
	first, count := c.turn(colour)
	return r.launch(ctx, k.run, i, first, count, &k.pace, t.Quota, &t.Made, func(from, rounds int) device.Values {
		return device.Values{"turn": turnOrders{Quota: uint32(rounds), Most: r.most, Patience: uint32(r.patience(i)),
			Given: uint32(len(r.s.X0)), Pass: uint32(r.round), Begins: uint32(problems.Flag(from == 0))}}
	})
}

// ended reports whether all parts rest for good, or have left the sums at which the objective has a value.
func (r *run) ended() bool {
	if r.state.Lost {
		return true
	}
	for _, st := range r.state.Layers {
		if st.Awake > 0 || st.Patience < mostPatience {
			return false
		}
	}
	return true
}

// Info describes the layout of the run, its searches, and how many parts have a best point of a finite value.
func (r *run) Info() solvers.Info {
	info := r.layout
	info.Searches, info.Ended, info.Finite = r.found.searches, r.ended(), r.found.finite
	return info
}

// Open parts have components in common. The parts of a colour, which have none, make a turn of some evaluations at the
// same time. They read the variables of other parts in the best point, which do not change meanwhile, so what improves
// a part improves the whole. A step makes turns of one layer of parts, and evaluates the best point.

// A turn of an open part.
const (
	turnQuota = 100 // evaluations of candidates
	refreshes = 2   // most evaluations of points whose surroundings have changed

	wholeFirst = 2 // most evaluations of the whole point in the first step: one is compared with the host
)

// openStep begins a step of a layer of open parts with work of room at most. It returns false if that is not enough.
func (r *run) openStep(ctx context.Context, room int64) (bool, error) {
	st := &r.state
	first, whole := r.checked && st.Sample.Step == 0, int64(1)
	if st.Sample.Step == 0 {
		whole = wholeFirst
	}
	room -= r.total() * whole
	st.Layer = r.nextLayer()
	cost := r.layers[st.Layer].cost
	quota := min(turnQuota, room/cost-refreshes)
	if quota < 1 {
		return false, nil
	}
	if first {
		if _, err := r.evaluate(ctx); err != nil {
			return false, err
		}
		if err := r.whole.Check(r.s.Key, 1, func(_, lo, hi int) ([]float64, error) {
			return r.first(lo, hi), nil
		}); err != nil {
			return false, err
		}
	}
	each := quota + refreshes
	st.Turns = turns{Quota: int(quota), Count: int(max(1, min(r.quota()*r.total(), room)/cost/each))}
	return true, nil
}

// everyLayer is the number of steps after which a layer is taken that may have gained nothing.
const everyLayer = 8

// nextLayer chooses the layer that has gained most in its last step, or from time to time the next one.
func (r *run) nextLayer() int {
	if step := int(r.state.Sample.Step); step%everyLayer == everyLayer-1 {
		return step / everyLayer % len(r.layers)
	}
	best := -1
	for l, st := range r.state.Layers {
		if st.Awake > 0 && (best < 0 || st.Gain > r.state.Layers[best].Gain) {
			best = l
		}
	}
	return best
}
