// Package cgrasp implements Continuous GRASP: many starts of a greedy randomized construction and a local
// search.
package cgrasp

import (
	"cmp"
	"context"
	"math"

	"github.com/clopt/clopt/problems"
	"github.com/clopt/clopt/shard"
	"github.com/clopt/clopt/solvers"
	"github.com/clopt/clopt/solvers/device"
)

// CGRASP is continuous GRASP, after Hirsch, Meneses, Pardalos and Resende (2007,
// doi:10.1007/s11590-006-0021-6) and Hirsch, Pardalos and Resende (2010, doi:10.1016/j.ejor.2010.02.009),
// with the parallel construction of Andrade, Xavier, Cabral and Formiga (2012, XLIV SBPO) extended:
//
//	for every start:                                    // a work-group each
//	   x uniform in the box; h = HS
//	   while h >= HE:
//	      construct: U = all variables
//	         while U is not empty:
//	            z_i, g_i: the best x_i + k h and f there, for i in U   // in parallel
//	            R = {i in U : g_i <= min g + alpha (max g - min g)}
//	            x_j = z_j for a random j of R; U = U \ {j}
//	      local search: points of B_h(x), in batches; x = the best of a batch if it is
//	         better, until Points in a row are not
//	      extend: x + 2^k (x - x of the last iteration), k < Extend, if the iteration helped
//	      if that did not improve f by enough: h = h/2
//
// The papers evaluate every candidate in full. Here a candidate costs only the components that its variable
// touches. If f is a sum (g is affine), a line search stays valid until a variable moves that shares a
// component with it. This gives the construction of the papers, up to rounding, without most of its line
// searches. There are four deviations. Line searches look at no more than Nodes nodes around x, which
// matters when h is small. The local search takes the best of Batch points (1 means the first improvement)
// and ends after Tries points. An iteration must improve f by a share of Worth, or h is halved (0 means any
// improvement). Extend follows narrow valleys (0 means off). All of them matter more with many variables,
// because a point of B_h costs a full evaluation and a tiny improvement is nearly always found.
//
// One Step has about 8,000 values of every start, or one unit if that is larger. Moves are the values of points and of
// candidates. The zero value of each field means its default.
type CGRASP struct {
	Variant    string   // parallel (devices) or seq (host, one core); "": parallel
	Evaluation string   // delta or full; "": delta
	Anchor     string   // current or lower; "": current
	Reuse      string   // terms or flag; "": terms
	Fix        string   // one or all; "": one
	HS, HE     *float64 // first and last h; nil: by the widest interval, 1/64 and 1e-7 of it (fp32: 1e-6)
	Alpha      *float64 // of the candidate list; nil: drawn for each construction
	Rho        *float64 // of the number of points of a local search; nil: 0.7
	Points     int      // a local search ends after this many points without success; 0: 300
	Tries      int      // a local search ends after this many points and the rest of a batch; 0: as Points
	// an iteration helps if it improves f by more than this share of the best improvement with the same h; nil: 0.3
	Worth  *float64
	Batch  int      // points of a local search that are evaluated together; 0: 128, fewer above 8,192 variables
	Nodes  int      // largest number of nodes of a line search beside x, even; 0: 128
	Extend *float64 // number of steps in the direction of an iteration; nil: 10
	Starts int      // number of starts side by side; 0: 64
	Once   bool     // no start follows one that has ended, so the run ends with the last one
	Until  *float64 // a start ends at or below this value; nil: no such value
	Items  int      // work-items of a start, a power of two, which affects rounding; 0: 1 on processors, else 128
}

// Traits describe CGRASP.
func (m *CGRASP) Traits() solvers.Traits {
	return solvers.Traits{
		Name: "cgrasp",
		About: `continuous GRASP (Hirsch et al. 2007, 2010; Andrade et al. 2012): randomized greedy construction by
line searches on a grid, local search on a sphere of grid directions, denser grids, many starts. A start is a
work-group of a device (variant=parallel). On the host (variant=seq), starts follow one another.`,
		Settings: m.settings(),
		Check:    m.check, Suits: m.suits, Limits: m.limits, Fit: m.fit,
	}
}

// settings returns a setting for each exported field.
func (m *CGRASP) settings() []solvers.Setting {
	return []solvers.Setting{
		solvers.Word("variant", "parallel (devices) or seq (one core of the host, float64)", &m.Variant, "parallel",
			"seq"),
		solvers.Word("evaluation", "of a candidate: delta (the components that change) or full (all, as in the papers)",
			&m.Evaluation, "delta", "full"),
		solvers.Word("anchor", "nodes of a line search: current (x + k h) or lower (bound + k h)", &m.Anchor, "current",
			"lower"),
		solvers.Word("reuse", "line searches that stay valid after a move: terms (if f is a sum, those that share no "+
			"component with the moved variable) or flag (all, but only if no variable moved)", &m.Reuse, "terms",
			"flag"),
		solvers.Word("fix", "candidates that a selection fixes: one, or all that do not interact", &m.Fix, "one",
			"all"),
		solvers.Real("hs", "first h; auto: 1/64 of the widest interval", &m.HS, 1e-300, 1e300, nil),
		solvers.Real("he", "last h; auto: 1e-7 of the widest interval, 1e-6 in fp32", &m.HE, 1e-300, 1e300, nil),
		solvers.Real("alpha", "width of the candidate list; auto: drawn for each construction", &m.Alpha, 0, 1, nil),
		solvers.Real("rho", "share of the grid that a local search may try", &m.Rho, 0, 1e6, new(defaultRho)),
		solvers.Int("points", "a local search ends after this many points without success", &m.Points, 1, 1<<20,
			defaultPoints),
		solvers.Int("tries", "a local search ends after this many points and the rest of a batch; auto: as points",
			&m.Tries, 1, 1<<30, 0),
		solvers.Real("worth",
			"an iteration helps if it improves f by more than this share of the best improvement with "+
				"the same h (in the papers: 0)", &m.Worth, 0, 0.999, new(defaultWorth)),
		solvers.Int("batch", "points of a local search that are evaluated together; auto: 128, fewer above 8192 "+
			"variables", &m.Batch, 1, 1<<14, 0),
		solvers.Int("nodes", "largest number of nodes of a line search beside x, even", &m.Nodes, 2, 1<<20,
			defaultNodes),
		solvers.Real("extend", "number of steps, 1, 2, 4, … times as long as that of an iteration, in its direction",
			&m.Extend, 0, 30, new(defaultExtend)),
		solvers.Int("starts", "number of starts side by side", &m.Starts, 1, 1<<20, m.defaultStarts()),
		solvers.Switch("once", "no start follows one that has ended, so the run ends with the last one", &m.Once),
		solvers.Real("until", "a start ends at or below this value; auto: no such value", &m.Until, math.Inf(-1),
			math.Inf(1), nil),
		solvers.Int("items", "work-items of a start, a power of two; auto: 1 on processors, else 128", &m.Items, 1,
			1024, 0),
	}
}

// Defaults that do not depend on the problem.
const (
	defaultRho    = 0.7
	defaultPoints = 300
	defaultWorth  = 0.3
	defaultNodes  = 128
	defaultExtend = 10.0
)

func (m *CGRASP) defaultStarts() int {
	if m.Variant == "seq" {
		return 1
	}
	return 64
}

func (m *CGRASP) starts() int { return cmp.Or(m.Starts, m.defaultStarts()) }
func (m *CGRASP) points() int { return cmp.Or(m.Points, defaultPoints) }
func (m *CGRASP) extend() int { return int(solvers.OrReal(m.Extend, defaultExtend)) }

// check checks the combination of settings.
func (m *CGRASP) check() error {
	var c solvers.Complaints
	if m.Items&(m.Items-1) != 0 {
		c.Addf("items=%d is not a power of two", m.Items)
	}
	if m.Nodes%2 != 0 {
		c.Addf("nodes=%d is odd; half of the nodes are on each side", m.Nodes)
	}
	if m.HS != nil && m.HE != nil && *m.HE > *m.HS {
		c.Addf("he=%g is above hs=%g, but h decreases from hs to he", *m.HE, *m.HS)
	}
	if m.Fix == "all" && (m.Evaluation == "full" || m.Reuse == "flag") {
		c.Addf("fix=all needs evaluation=delta and reuse=terms, which find the variables that interact")
	}
	if m.Extend != nil && *m.Extend != math.Trunc(*m.Extend) {
		c.Addf("extend=%g is not a whole number", *m.Extend)
	}
	return c.Err()
}

// limits allows any number of start points on the host, which makes one start after the other. Devices take one for
// each of the Starts. One start needs its point, a line search for each variable, and the point to which
// they lead.
func (m *CGRASP) limits(p problems.Problem, prec problems.Precision) solvers.Limits {
	l := solvers.Limits{Starts: m.starts(), Step: 1, Moves: 1}
	if m.Variant == "seq" {
		l.Starts = math.MaxInt
	}
	if r, err := m.rules(p, prec); err == nil { // Start returns the error
		need, comps := r.first(p.Structure()), int64(r.comps)
		l.Step, l.Moves = (need.components+comps-1)/comps, need.values
	}
	return l
}

// batch returns the number of points of a local search that are evaluated together.
func (m *CGRASP) batch(dim int) int {
	return min(cmp.Or(m.Batch, max(8, min(128, 1<<20/dim))), m.points())
}

// width returns the number of points of a start that are stored at a time.
func (m *CGRASP) width(dim int) int { return max(m.batch(dim), m.extend()) }

// rules returns the rules that follow from the settings and a problem.
func (m *CGRASP) rules(p problems.Problem, prec problems.Precision) (*graspRules, error) {
	n, s := p.Domain().N, p.Structure()
	r := &graspRules{
		grid: grid{lo: make([]float64, n), hi: make([]float64, n), half: cmp.Or(m.Nodes, defaultNodes) / 2,
			lower: m.Anchor == "lower"},
		windows: windows{n: n, comps: s.Components()},
		localSearch: localSearch{rho: solvers.OrReal(m.Rho, defaultRho), points: m.points(),
			tries: cmp.Or(m.Tries, m.points()), batch: m.batch(n)},
		alpha: solvers.OrReal(m.Alpha, -1), full: m.Evaluation == "full", worth: solvers.OrReal(m.Worth, defaultWorth),
		extend: m.extend(), restart: !m.Once, until: solvers.OrReal(m.Until, math.Inf(-1)),
	}
	r.size(s, m.Batch > 0)
	box := p.Domain().In(prec)
	for i := range r.lo {
		r.lo[i], r.hi[i] = box.Interval(i)
		r.span = max(r.span, r.hi[i]-r.lo[i])
	}
	if !p.Domain().OneBox() {
		r.scale = make([]float64, n)
		for i := range r.scale {
			r.scale[i] = (r.hi[i] - r.lo[i]) / r.span
		}
	}
	r.hs = solvers.OrReal(m.HS, r.span/64)
	r.he = solvers.OrReal(m.HE, map[problems.Precision]float64{problems.FP64: 1e-7, problems.FP32: 1e-6}[prec]*r.span)
	if m.HE == nil {
		r.he = min(r.he, r.hs)
	}
	switch {
	case r.hs < r.he:
		return nil, solvers.Settingf("hs=%g is below he=%g", r.hs, r.he)
	case r.hs > r.span:
		return nil, solvers.Settingf("hs=%g is wider than the widest interval of %s, %g", r.hs, p.Spec(), r.span)
	}
	r.additive = !r.full && affine(p)
	r.touches(s)
	if stride, from, to, ok := s.Window(); ok && r.additive && m.Reuse != "flag" {
		r.stride = stride
		r.from = from
		r.to = to
	}
	if vars, _, ok := s.Repeats(); ok && r.additive && m.Reuse != "flag" {
		r.stride, r.to = vars, vars-1 // within a period
	}
	r.many = m.Fix == "all"
	if r.many && r.stride == 0 {
		return nil, solvers.Settingf("fix=all is not possible with %s: it needs f a sum, and components that read "+
			"declared windows (//@ reads k..k+1); use fix=one", p.Spec())
	}
	return r, nil
}

// Plan returns the vectors of graspDevice, with the points of the local search first.
func (m *CGRASP) Plan(p problems.Problem, prec problems.Precision) shard.Plan {
	if m.Variant == "seq" {
		return shard.Plan{}
	}
	rules, err := m.rules(p, prec)
	if err != nil {
		return shard.Plan{}
	}
	items := rules.share(newGraspDevice(0, m.starts()), prec, p.Accumulators(), m.width(p.Domain().N), nil).Items()
	return shard.Plan{
		Units: m.starts(),
		Items: append(items, device.ReplicaItems(p, prec)...),
	}
}

// suits checks that devices can evaluate the changes of p.
func (m *CGRASP) suits(p problems.Problem, prec problems.Precision) error {
	if err := solvers.Continuous(m, p); err != nil {
		return err
	}
	if m.Variant == "seq" {
		return nil
	}
	return solvers.CheckPartial(m, p, prec)
}

// Start prepares the starts, on the host or on devices.
func (m *CGRASP) Start(ctx context.Context, p problems.Problem, g *shard.Devices, s solvers.Setup) (solvers.Run,
	error) {
	r, err := m.rules(p, s.Precision)
	if err != nil {
		return nil, err
	}
	if m.Variant == "seq" {
		return m.startHost(r, p, g, s)
	}
	return m.startDevices(ctx, r, p, g, s)
}
