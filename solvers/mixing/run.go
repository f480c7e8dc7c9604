package mixing

import (
	"context"
	"math"
	"slices"

	"github.com/clopt/clopt/internal/problems/linkage"
	"github.com/clopt/clopt/problems"
	"github.com/clopt/clopt/solvers"
	"github.com/clopt/clopt/solvers/mixing/internal/engine"
	"github.com/clopt/clopt/solvers/mixing/internal/host"
	"github.com/clopt/clopt/solvers/mixing/internal/local"
)

// gomeaRun is a run of GOMEA. It decides which population is next; an engine makes its generations.
type gomeaRun struct {
	m      *GOMEA
	p      search
	s      solvers.Setup
	edges  int64          // the cost of an evaluation on the whole graph; so many are a unit of work
	home   *linkage.Model // partitions are stored in its order
	engine engine.Engine
	mixes  string // the linkage model
	grows  bool   // there is one population, which restarts with twice the individuals and sweeps
	room   int64  // bytes of a population, with parents and offspring
	ruled  bool   // the local search keeps rules
	mixed  bool   // weights differ in size
	pace   int64  // edges of annealing in the time of a unit of the cost of the local search
	info   solvers.Info

	populations []*host.Population // by number; nil: there is none
	growing     *host.Population   // created, but not complete yet; nil: there is none
	local       *local.Search      // its state is state.Local

	state gomeaState
}

func newGomeaRun(m *GOMEA, p problems.Cut, s solvers.Setup, room int64) *gomeaRun {
	of := m.searched(p)
	r := &gomeaRun{m: m, p: of, s: s, edges: host.Cost(p.Graph()), home: m.model(of, s), mixes: m.mixes(of),
		grows: m.grows(), room: room}
	words := host.Words(of.Graph().N())
	r.state.Elite.Row, r.state.Best = make([]uint64, words), make([]uint64, words)
	r.state.First, r.state.Sample.Best = m.first(of.Graph().N()), math.Inf(1)
	r.local = local.New(of.Graph(), s.Key, &r.state.Local)
	r.ruled, r.mixed = m.climbs(of.Graph()) && r.local.Ruled(), mixed(p)
	r.pace = paceOf(of.shape)
	return r
}

// anneals reports whether new individuals are annealed.
func (r *gomeaRun) anneals() bool { return r.m.method(r.p).Anneals }

// task returns what an engine has to do for the run.
func (r *gomeaRun) task() engine.Task {
	return engine.Task{Method: *r.m.method(r.p), Problem: r.p, Shape: r.p.shape, Setup: r.s, Home: r.home,
		Elite: &r.state.Elite, Counts: &r.state.Counts}
}

// most returns the largest number of populations.
func (r *gomeaRun) most() int {
	if r.m.Population > 0 || r.grows {
		return 1
	}
	return 25
}

// Step creates a part of a population, or makes a part of a generation. It begins only what fits into room with the
// largest number of edges that it can take.
func (r *gomeaRun) Step(ctx context.Context, room solvers.Room) (solvers.Sample, bool, error) {
	st := &r.state
	if err := ctx.Err(); err != nil {
		return st.Sample, false, err
	}
	// A larger limit than before, of a run that was resumed, may have room for larger populations again.
	all, edges := int64(math.MaxInt64), int64(math.MaxInt64)
	if room.Evaluations < all-st.Sample.Evaluations {
		all = st.Sample.Evaluations + room.Evaluations
	}
	if all > st.Limit {
		st.Limit, st.Most = all, r.most()
	}
	if all < math.MaxInt64/r.edges {
		edges = all*r.edges - st.Counts.Edges
	}
	st.Counts.Noted = false
	if cost := r.costOfLocal(edges - st.Reserved); cost > 0 {
		r.climb(cost)
		return r.stepped(), true, nil
	}
	st.Climbed = false
	if r.growing == nil {
		k, err := r.due()
		if err != nil {
			return st.Sample, false, err
		}
		switch {
		case k == len(r.populations) || r.populations[k] == nil:
			p, x0 := r.newPopulation(k), r.startPoints(k)
			left := edges
			if r.anneals() {
				left -= int64(len(x0)) * r.edges // they are evaluated before they are annealed
			}
			if int64(p.N) > left/max(r.engine.PerIndividual(p.N), 1) {
				return r.smaller(ctx, k, room)
			}
			if err := r.create(ctx, p, x0); err != nil {
				return st.Sample, false, err
			}
			r.growing, st.Reserved = p, int64(p.N)*r.engine.PerIndividual(p.N)+int64(len(x0))*r.edges
		case r.mixes == engine.Crossed:
			p := r.populations[k]
			if int64(p.N) > edges/max(r.engine.PerChild(p.N), 1) {
				return r.smaller(ctx, k, room)
			}
			apart, err := r.engine.Cross(ctx, p)
			if err != nil {
				return st.Sample, false, err
			}
			if apart {
				r.retire(p)
				return r.Step(ctx, room)
			}
			r.growing, r.populations[k], st.Reserved = p, nil, int64(p.N)*r.engine.PerChild(p.N)
		default:
			done, none, err := r.engine.Advance(ctx, r.populations[k], edges)
			if err != nil {
				return st.Sample, false, err
			}
			if none {
				return r.smaller(ctx, k, room)
			}
			if done {
				st.Schedule.Done()
			}
		}
	}
	if p := r.growing; p != nil {
		before := st.Counts.Edges
		done, err := r.engine.Grow(ctx, p)
		st.Reserved = max(0, st.Reserved-(st.Counts.Edges-before))
		if err != nil {
			return st.Sample, false, err
		}
		if done {
			r.add(p)
			r.growing, st.Reserved = nil, 0
			r.leads()
		}
	}
	if st.Elite.F > st.BestF || st.Sample.Step == 0 {
		copy(st.Best, st.Elite.Row)
		st.BestF = st.Elite.F
		if st.Elite.Found {
			st.Counts.Note(st.Elite.F) // it may be a start point of a step that was cancelled
		}
	}
	return r.stepped(), true, nil
}

// stepped returns the sample of a step that is complete.
func (r *gomeaRun) stepped() solvers.Sample {
	st := &r.state
	s := &st.Sample
	s.Step++
	s.Moves = st.Counts.Values
	s.Worked(float64(st.Counts.Edges) / float64(r.edges))
	s.F = math.Inf(1)
	if st.Counts.Noted {
		s.F = r.p.Value(st.Counts.Best)
	}
	s.Best = min(s.Best, s.F)
	return *s
}

// create allocates and draws p, or neither.
func (r *gomeaRun) create(ctx context.Context, p *host.Population, x0 [][]uint64) error {
	if err := r.engine.Allocate(p); err != nil {
		return err
	}
	err := r.engine.Create(ctx, p, x0)
	if err != nil {
		r.engine.Drop(p)
	}
	return err
}

// add puts p among the populations that are complete.
func (r *gomeaRun) add(p *host.Population) {
	for int(p.ID) >= len(r.populations) {
		r.populations = append(r.populations, nil)
	}
	r.populations[p.ID] = p
}

// smaller makes a step of a population before k, because no step of k fits into the limit any more.
func (r *gomeaRun) smaller(ctx context.Context, k int, room solvers.Room) (solvers.Sample, bool, error) {
	if k <= r.state.Schedule.Base {
		return r.state.Sample, false, nil
	}
	r.state.Most = k
	return r.Step(ctx, room)
}

// size returns the number of individuals of population k.
func (r *gomeaRun) size(k int) int {
	first := r.state.First
	if !r.grows {
		return first << k
	}
	room := r.room / (2 * 8 * int64(max(host.Words(r.p.Graph().N()), 1)))
	return max(first, min(first<<min(r.state.Doubled, 16), largestAnnealed, int(min(room, math.MaxInt32))))
}

// largestAnnealed is the largest size of a population that grows. Beyond it, more sweeps help more.
const largestAnnealed = 1 << 13

// largestPopulation is the largest size of populations after the first. Beyond it, a restart helps more
// than more individuals. No population after the first has more individuals than there are partitions.
const largestPopulation = 1 << 17

// fits reports whether population k is allowed.
func (r *gomeaRun) fits(k int) bool {
	n := r.p.Graph().N()
	return k < r.state.Most && (k == 0 || r.size(k) <= min(largestPopulation, 1<<min(n, 62))) &&
		2*8*int64(host.Words(n))*int64(r.size(k)) <= r.room
}

// due returns the number of the population whose turn it is, which may have to be created. Before each generation it
// checks whether the population stops.
func (r *gomeaRun) due() (int, error) {
	st := &r.state
	for {
		k := st.Schedule.Turn()
		if k > 0 && !r.fits(k) {
			if st.Schedule.Base < k {
				st.Schedule.At = st.Schedule.Base // there is no larger population
				continue
			}
			// All have stopped. The largest restarts.
			k--
			st.Schedule.Base, st.Schedule.At = k, k
			r.engine.Drop(r.populations[k])
			st.Draws = r.populations[k].Generation
			if err := r.grow(r.populations[k]); err != nil {
				return 0, err
			}
			r.populations[k] = nil
			return k, nil
		}
		if k >= len(r.populations) || r.populations[k] == nil {
			return k, nil
		}
		p := r.populations[k]
		if r.mixes == engine.Unmixed {
			p.Stopped = true
		}
		if p.Made == 0 && !p.Stopped {
			r.stop(k)
		}
		if !p.Stopped {
			return k, nil
		}
		if st.Schedule.Base == k {
			for st.Schedule.Base < len(r.populations) && r.populations[st.Schedule.Base].Stopped {
				st.Schedule.Base++
			}
			continue
		}
		st.Schedule.Done()
	}
}

// perSize is the number of populations of one size that have children. With children, another population of the same
// size finds more in the same time than a larger one: on an H100, qubo:palubeckis=5000,density=50,seed=51000 is met
// within 20 s in 3 of 7 runs with one population of each size, in 7 with four, and in 6 if the size stays. With four, 1
// of 20 runs of 60 s did not meet it. It ended with populations of four times the size.
const perSize = 8

// perLargest is the number of populations of the largest size that are mixed by components, before annealing is slower.
const perLargest = 4

// grow makes the population that replaces p larger, and anneals it slower, if it is time.
func (r *gomeaRun) grow(p *host.Population) error {
	st := &r.state
	st.OfSize++
	switch {
	case r.mixes == engine.Crossed && p.Stands() && st.OfSize < perSize,
		r.mixes == engine.Components && p.N == largestAnnealed && st.OfSize < perLargest:
		return nil
	}
	st.OfSize = 0
	st.Doubled++
	if r.m.Local != "sa" {
		return nil
	}
	return r.engine.Slower()
}

// stop ends population k and all smaller ones if a larger one has a higher average. It also ends k if all its
// individuals are the same cut, or if none has improved for long with components, or not the best with children.
func (r *gomeaRun) stop(k int) {
	p := r.populations[k]
	for _, q := range r.populations[k+1:] {
		if q.Average() > p.Average() {
			for j := range k + 1 {
				r.retire(r.populations[j])
			}
			return
		}
	}
	if p.Uniform(r.engine.Whole()) || r.mixes == engine.Crossed && p.Stands() ||
		r.mixes == engine.Components && slices.Min(p.Idle) > 4*host.Patience(p.N) {
		r.retire(p)
	}
}

func (r *gomeaRun) retire(p *host.Population) {
	if !p.Stopped {
		p.Stopped = true
		r.engine.Drop(p)
	}
}

// newPopulation returns population k without rows. If it replaces one that has stopped, it continues the draws of that
// one.
func (r *gomeaRun) newPopulation(k int) *host.Population {
	p := host.NewPopulation(uint32(k), r.size(k), host.Words(r.p.Graph().N()))
	p.Generation, p.Island = r.state.Draws, r.island(p.N)
	return p
}

// island returns how many individuals of the next population of n are selected among each other. The populations of the
// largest size that follow each other have islands of all, a quarter, a sixteenth and a 64th of them. Some graphs are
// solved sooner by a population that ends in one valley, and others by one that ends in many: on H100, G59 has met its
// best known cut with islands only, and G35 and G36 meet theirs sooner without.
func (r *gomeaRun) island(n int) int {
	if r.mixes == engine.Components && n == largestAnnealed {
		return n >> (2 * r.state.OfSize)
	}
	return n
}

// startPoints returns the partitions of the run's start points for the first population, and nil for others.
func (r *gomeaRun) startPoints(k int) (rows [][]uint64) {
	if k > 0 || r.state.Annealed > 0 {
		return nil
	}
	n := r.p.Graph().N()
	sides := make([]uint8, n)
	for _, x := range r.s.X0 {
		r.p.Side(x, sides)
		row := make([]uint64, host.Words(n))
		for q, v := range r.home.Order {
			row[q>>6] |= uint64(sides[v]) << (q & 63)
		}
		rows = append(rows, row)
	}
	return rows
}

// Incumbent writes the best partition of the last complete step.
func (r *gomeaRun) Incumbent(first int, x []float64) error {
	n := r.p.Graph().N()
	sides := make([]uint8, n)
	for q, v := range r.home.Order {
		sides[v] = uint8(host.Side(r.state.Best, uint32(q)))
	}
	whole := make([]float64, r.p.Domain().N)
	r.p.Point(sides, whole)
	copy(x, whole[first:])
	return nil
}

func (r *gomeaRun) Info() solvers.Info { return r.info }

func (r *gomeaRun) Close() {
	if r.engine != nil {
		r.engine.Drop(r.growing)
		r.engine.Close()
	}
}
