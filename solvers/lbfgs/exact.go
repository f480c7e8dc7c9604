package lbfgs

import (
	"context"
	"math"
	"slices"

	"github.com/clopt/clopt/cl"
	"github.com/clopt/clopt/internal/clc"
	"github.com/clopt/clopt/internal/clc/diff"
	"github.com/clopt/clopt/internal/clc/smooth"
	"github.com/clopt/clopt/internal/solvers/host"
	"github.com/clopt/clopt/kernels"
	"github.com/clopt/clopt/problems"
	"github.com/clopt/clopt/shard"
	"github.com/clopt/clopt/solvers/device"
)

// adjoint is the adjoint of a component of a problem, and how what it puts is added.
type adjoint struct {
	text  string
	tape  int  // reals that an item keeps in global memory
	steps bool // the function has steps, of which it does not see the slope
	form  form
	most  int // slots of a variable; 0: those of lists
	slots int // of lists in all
	// rounded is the component with rounded kinks, of which text is the adjoint; nil: it has none.
	rounded *smooth.Rounded

	grouped string // the text for groups of items, if they are worth while where components are copies; else ""
	shared  int    // numbers that a group has in common
}

// form says how the parts of a gradient are added. Each component has one adjoint, whatever reads it: tangents of a few
// directions at a time, or variables that compute all that read them, compute a component as often as it has variables,
// which is 15 evaluations for a grid with five neighbours.
type form int

const (
	// copies of the gradient, for components that read many variables: each has some components, which are added one
	// after the other; then the copies are added in order.
	copies form = iota
	// slots for each component and variable, which are added in the order of the components. On graphics cards a
	// variable gathers from the components that read it if these are few, in the same order.
	slots
)

const (
	exactWork  = 3       // of a gradient, in evaluations
	wide       = 4       // lists with more than a part of 1/wide of all variables are copies, too
	fewGather  = 8       // components of a variable that are computed for it
	mostCopies = 1 << 25 // elements of copies, and of what adjoints keep
	lanes      = 32      // items of a group that shares the loops of a component
	fewerSteps = 4       // times that these make them worth while
	manyGroups = 2048    // copies where groups share loops
	mostShared = 2048    // numbers that a group has in common
	mostRows   = 1 << 24 // elements of copies on processors
	manyRows   = 1024    // copies on processors
)

// adjointOf returns the adjoint of a problem, or nil if its text is not understood or has none.
func adjointOf(p problems.Problem, prec problems.Precision) *adjoint {
	trees, _ := problems.TreesOf(p, prec)
	if trees == nil {
		return nil
	}
	sizes := host.Sizes(p, prec)
	component := diff.Component(trees)
	rounded := roundedOf(p, prec, component, sizes)
	if rounded != nil {
		component = rounded.Tree
	}
	made, err := diff.Adjoint(component, sizes)
	if err != nil {
		return nil
	}
	w := clc.Writer{}
	w.Line("%s", clc.Helpers)
	w.Tree(made)
	class, known := problems.ClassOf(p)
	a := &adjoint{text: w.String(), steps: known && class.Kind() == smooth.Stepped, rounded: rounded}
	for _, v := range made.Vars {
		if v.Global {
			a.tape += v.Len
		}
	}
	s := p.Structure()
	if s.Whole() || s.DifferencesWork()/2*wide > float64(s.Variables()) {
		a.group(made, sizes)
		return a
	}
	a.form = slots
	stride, from, to, windows := s.Window()
	tables := s.TouchTables()
	if !windows && listed(tables, s) {
		a.slots = int(math.Round(s.DifferencesWork() / 2 * float64(s.Components())))
		return a
	}
	a.most = (to-from)/max(stride, 1) + 1
	if tables != nil {
		a.most = 0
		for r, first := range tables[1].Uint[1:] {
			a.most = max(a.most, int(first-tables[1].Uint[r]))
		}
	}
	return a
}

// group makes the text for groups, if it is worth while.
func (a *adjoint) group(made *clc.Tree, sizes diff.Sizes) {
	grouped, times := diff.Grouped(made, lanes, sizes)
	if grouped == nil || times < fewerSteps {
		return
	}
	for _, v := range grouped.Shared {
		a.shared += v.Len
	}
	if a.shared > mostShared {
		return
	}
	w := clc.Writer{}
	w.Line("%s", clc.Helpers)
	w.Tree(grouped)
	a.grouped = w.String()
}

// sharesLoops says on which kinds of devices groups share the loops of components.
var sharesLoops = func(info cl.Info) bool { return info.Type != cl.CPU && info.MaxGroup >= 2*lanes }

// groups reports whether groups of items share the loops of components on a kind of device.
func (a *adjoint) groups(info *cl.Info) bool {
	return info != nil && a.grouped != "" && sharesLoops(*info)
}

// gradientWork returns the work of a gradient, if exact ones agree with values.
func gradientWork(p problems.Problem, prec problems.Precision) float64 {
	if adjointOf(p, prec) != nil {
		return exactWork
	}
	return p.Structure().DifferencesWork()
}

// tables are those of slots of lists: the variables of each component, and the slots of both. a may be nil.
func (a *adjoint) tables(s problems.Structure) []problems.Table {
	if a == nil || a.slots == 0 {
		return nil
	}
	reads, start, _, _, _ := s.ReadTables()
	tables := s.TouchTables()
	next, slot := slices.Clone(tables[1].Uint), make([]uint32, len(tables[0].Uint))
	for k := range s.Components() {
		for r := start[k]; r < start[k+1]; r++ {
			if r+1 < start[k+1] && reads[r+1] == reads[r] { // a variable may be twice in a list
				continue
			}
			slot[next[reads[r]]] = r
			next[reads[r]]++
		}
	}
	return []problems.Table{{Name: "slot_reads", Uint: reads}, {Name: "slot_start", Uint: start},
		{Name: "slot", Uint: slot}}
}

// tableItems plans those tables.
func (a *adjoint) tableItems(s problems.Structure) []shard.PlanItem {
	if a == nil || a.slots == 0 {
		return nil
	}
	bytes := 4 * (2*int64(a.slots) + int64(s.Components()) + 1)
	return []shard.PlanItem{{What: "slots of components", Bytes: bytes, Fixed: true}}
}

// listed reports whether the tables of a structure have all variables.
func listed(tables []problems.Table, s problems.Structure) bool {
	_, grid := s.GridClass("i")
	return !grid && len(tables[1].Uint) == s.Variables()+1
}

// copiesOn returns the number of copies of a gradient of n variables on a kind of device; nil: on any.
func (a *adjoint) copiesOn(p problems.Problem, info *cl.Info) int {
	n, m := p.Domain().N, p.Structure().Components()
	most := min(mostCopies/n, mostCopies/max(a.tape, 1))
	if a.groups(info) {
		most = min(most, manyGroups)
	} else if info != nil && info.Type == cl.CPU {
		most = min(mostRows/n, manyRows, most)
	}
	return max(1, min(m, most))
}

// itemsOn returns how many items compute adjoints at a time where they keep something in global memory.
func (a *adjoint) itemsOn(items int) int {
	if a.tape == 0 {
		return items
	}
	return max(1, min(items, mostCopies/a.tape))
}

// vectors lists what a shard of n variables, to be held by o, needs on a kind of device; nil: on any. a may be nil.
func (a *adjoint) vectors(o *vectors, p problems.Problem, n int, info *cl.Info) []device.Vector {
	if a == nil {
		return nil
	}
	kept := device.Vector{To: &o.tape, Name: "tape", What: "what derivatives keep", Rows: 1}
	part := device.Vector{To: &o.parts, Name: "parts", What: "parts of the gradient"}
	switch {
	case a.form == copies:
		part.Rows, part.Per = a.copiesOn(p, info), device.Variable
		kept.Rows = max(1, a.tape*part.Rows)
	case a.most > 0:
		part.Rows, part.Per = a.most, device.Variable
		kept.Rows = max(1, a.tape*a.itemsOn(p.Structure().Components()))
	default:
		part.Rows = a.slots
		kept.Rows = max(1, a.tape*a.itemsOn(p.Structure().Components()))
	}
	return append([]device.Vector{part, kept}, a.kinkVector(o))
}

// part is a text of the adjoint.
func (a *adjoint) part(p problems.Problem, text string) kernels.Part {
	return kernels.Part{Name: problems.SourceOf(p) + " (derivatives)", Text: text}
}

// newExact builds the program of exact gradients.
func (e *engine) newExact() (slopes, error) {
	if e.adjoint.form == copies {
		return e.newCopies()
	}
	return e.newSlots()
}

// copied computes gradients as copies.
type copied struct {
	e           *engine
	program     *shard.Programs
	copies, sum *device.Kernel
	pace        []shard.Pacer // of a component of every copy, for each shard
}

func (e *engine) newCopies() (_ slopes, err error) {
	c := &copied{e: e, pace: make([]shard.Pacer, len(e.on))}
	c.program, err = e.pl.Beside(kernels.Get("solvers/lbfgs/view.cl"), false,
		func(info cl.Info) ([]kernels.Define, []kernels.Part) {
			a := e.adjoint
			defines := append(a.kinks(), kernels.Number("COPIES", a.copiesOn(e.p, &info)))
			if a.groups(&info) {
				return append(defines, kernels.Number("LANES", lanes), kernels.Number("SHARED", max(1, a.shared))),
					[]kernels.Part{kernels.Get("solvers/lbfgs/lanes.cl"), a.part(e.p, a.grouped)}
			}
			return append(defines, kernels.Number("TAPED", a.tape), kernels.Flag("INTERLEAVED", info.Type != cl.CPU)),
				[]kernels.Part{kernels.Get("solvers/lbfgs/copies.cl"), a.part(e.p, a.text)}
		})
	if err != nil {
		return nil, err
	}
	copies, join := "lbfgs_copies", "lbfgs_join"
	if info := e.g.Infos()[e.pl.Shards()[0].Device]; e.adjoint.groups(&info) { // there is one shard
		copies, join = "lbfgs_lanes", "lbfgs_join_rows"
	}
	c.copies = e.memory.Kernel(c.program, copies, "x lo kinks first_kink slope parts tape from to tables")
	c.sum = e.memory.Kernel(c.program, join, "parts direction tables")
	return c, nil
}

func (c *copied) close() { c.program.Close() }

// compute computes the adjoints of some components of each copy at a time.
func (c *copied) compute(ctx context.Context, at point, _ stage) error {
	e := c.e
	return e.pl.Each(func(s int, sh shard.Shard, on *cl.Device) error {
		info := on.Info()
		copies, group := e.adjoint.copiesOn(e.p, &info), e.pl.GroupSize(s)
		elements := copies * sh.Vars()
		if err := launch(e.clear, s, elements, group, device.Values{"vector": e.on[s].parts,
			"elements": uint64(elements)}); err != nil {
			return err
		}
		items, size, joined := copies, adjointGroup(info), sh.Vars()
		switch {
		case e.adjoint.groups(&info):
			items, size, joined = copies*lanes, lanes, (sh.Vars()+lanes-1)/lanes*group
		case info.Type != cl.CPU:
			joined *= group
		}
		pace := e.g.Pace(&c.pace[s], on)
		rounds := (e.p.Structure().Components() + copies - 1) / copies
		for from := 0; from < rounds; {
			to := min(rounds, from+pace.Fit())
			err := launch(c.copies, s, items, size, device.Values{"x": at(e.on[s]), "from": from, "to": to})
			if err != nil {
				return err
			}
			if err := pace.Launched(ctx, float64(to-from)); err != nil {
				return err
			}
			from = to
		}
		if err := launch(c.sum, s, joined, group, nil); err != nil {
			return err
		}
		return pace.Wait(ctx)
	})
}

// adjointGroup returns the number of components of a group. Components may be few and long: many small groups keep all
// units of a device busy.
func adjointGroup(info cl.Info) int {
	if info.Type == cl.CPU {
		return 8
	}
	return min(32, info.MaxGroup)
}

// slotted computes gradients as slots, or gathers them.
type slotted struct {
	e                  *engine
	program            *shard.Programs
	slots, add, gather *device.Kernel
	pace               []shard.Pacer // of an item, for each shard
}

func (e *engine) newSlots() (_ slopes, err error) {
	t := &slotted{e: e, pace: make([]shard.Pacer, len(e.on))}
	t.program, err = e.pl.Beside(kernels.Get("solvers/lbfgs/view.cl"), false,
		func(info cl.Info) ([]kernels.Define, []kernels.Part) {
			kernel := "solvers/lbfgs/slots.cl"
			if e.gathers(info) {
				kernel = "solvers/lbfgs/gather.cl"
			}
			defines := append(slices.Clone(e.touch), e.adjoint.kinks()...)
			return append(defines, kernels.Signed("SLOTS", e.adjoint.most)), []kernels.Part{
				kernels.Get("lib/touch.cl"), kernels.Get(kernel), e.adjoint.part(e.p, e.adjoint.text)}
		})
	if err != nil {
		return nil, err
	}
	t.slots = e.memory.Kernel(t.program, "lbfgs_slots", "x lo kinks first_kink slope parts tape own count from "+
		"items tables")
	t.add = e.memory.Kernel(t.program, "lbfgs_add", "parts direction own count tables")
	t.gather = e.memory.Kernel(t.program, "lbfgs_gather", "x lo kinks first_kink slope direction tape own from "+
		"items tables")
	return t, nil
}

// gathers reports whether variables gather their derivatives from the components that read them.
func (e *engine) gathers(info cl.Info) bool {
	return info.Type != cl.CPU && e.adjoint.most > 0 && e.adjoint.most <= fewGather
}

func (t *slotted) close() { t.program.Close() }

func (t *slotted) compute(ctx context.Context, at point, _ stage) error {
	e := t.e
	return e.pl.Each(func(s int, sh shard.Shard, on *cl.Device) error {
		pace, group := e.g.Pace(&t.pace[s], on), e.pl.GroupSize(s)
		if e.gathers(on.Info()) {
			if err := t.each(ctx, pace, sh.VarLo, sh.VarHi, func(from, items int) error {
				return launch(t.gather, s, items, group, device.Values{"x": at(e.on[s]), "from": from,
					"items": items})
			}); err != nil {
				return err
			}
			return pace.Wait(ctx)
		}
		elements := e.adjoint.slots + e.adjoint.most*sh.Vars()
		if err := launch(e.clear, s, elements, group, device.Values{"vector": e.on[s].parts,
			"elements": uint64(elements)}); err != nil {
			return err
		}
		own := device.Values{"count": sh.VarHi - sh.VarLo}
		lo, hi := componentsOf(e.p.Structure(), sh)
		if err := t.each(ctx, pace, lo, hi, func(from, items int) error {
			return launch(t.slots, s, items, adjointGroup(on.Info()), device.Values{"x": at(e.on[s]), "from": from,
				"items": items,
				"count": own["count"]})
		}); err != nil {
			return err
		}
		if err := launch(t.add, s, sh.VarHi-sh.VarLo, group, own); err != nil {
			return err
		}
		return pace.Wait(ctx)
	})
}

// each launches items lo to hi, as many at a time as the pace and the tape allow.
func (t *slotted) each(ctx context.Context, pace *shard.Pacer, lo, hi int, launch func(from, items int) error) error {
	for from := lo; from < hi; {
		items := min(max(pace.Fit(), busyGPU), t.e.adjoint.itemsOn(hi-from))
		if err := launch(from, items); err != nil {
			return err
		}
		from += items
		if err := pace.Launched(ctx, float64(items)); err != nil {
			return err
		}
	}
	return nil
}

// componentsOf returns the first component that reads one of the variables of a shard, and the end of them.
func componentsOf(s problems.Structure, sh shard.Shard) (lo, hi int) {
	stride, from, to, ok := s.Window()
	if !ok {
		return 0, s.Components()
	}
	return max(0, (sh.VarLo-to)/stride), min(s.Components(), max(0, sh.VarHi-1-from)/stride+1)
}
