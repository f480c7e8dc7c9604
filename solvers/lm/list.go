package lm

import (
	"math"

	"github.com/clopt/clopt/cl"
	"github.com/clopt/clopt/problems"
	"github.com/clopt/clopt/shard"
	"github.com/clopt/clopt/solvers/device"
)

// vectors are those of a shard, as kernels/solvers/lm/lm.cl describes them.
type vectors struct {
	room  room
	list  list
	kept  int // numbers of the equations that it has
	group int // work-items that compute a tile, or solve the equations of a component

	x, lower, upper  *shard.Reals
	items, variable  *cl.Buffer[uint32]
	parameter, value *shard.Reals
	residual         *shard.Reals
	tape             *shard.Reals
	product          *shard.Reals // the equations of components that are parts of their own, and then the answers
}

// task is what devices compute of components: their values at so many points, or derivatives, or trials: steps, and
// their values at the points that these lead to.
type task int

const (
	derivatives task = 0
	trials      task = -1
)

// room is what some components need on a device, in numbers. kept are those of equations, which the device keeps for
// the steps; answers are those that the host reads. Tiles, values of components, and cost, that of the components, need
// no memory.
type room struct{ components, entries, tiles, values, residuals, answers, kept, cost int }

func (a room) plus(b room) room {
	return room{a.components + b.components, a.entries + b.entries, a.tiles + b.tiles, a.values + b.values,
		a.residuals + b.residuals, a.answers + b.answers, a.kept + b.kept, a.cost + b.cost}
}

func (a room) minus(b room) room {
	return room{a.components - b.components, a.entries - b.entries, a.tiles - b.tiles, a.values - b.values,
		a.residuals - b.residuals, a.answers - b.answers, a.kept - b.kept, a.cost - b.cost}
}

// cumulate calls use for each number below n with the sum of the rooms that the numbers before it need, on all
// processors. It returns that sum for the first number of each block, and that of all.
func cumulate(n int, need func(i int) room, use func(i int, before room)) (before []room, all room) {
	before = make([]room, (n+block-1)/block)
	blocks(n, func(b, lo, hi int) {
		for i := lo; i < hi; i++ {
			before[b] = before[b].plus(need(i))
		}
	})
	for b, own := range before {
		before[b], all = all, all.plus(own)
	}
	blocks(n, func(b, lo, hi int) {
		sum := before[b]
		for i := lo; i < hi; i++ {
			use(i, sum)
			sum = sum.plus(need(i))
		}
	})
	return before, all
}

// or returns the room for either of a and b.
func (a room) or(b room) room {
	return room{max(a.components, b.components), max(a.entries, b.entries), max(a.tiles, b.tiles),
		max(a.values, b.values), max(a.residuals, b.residuals), max(a.answers, b.answers), max(a.kept, b.kept),
		max(a.cost, b.cost)}
}

// fits reports whether there is as much room in b, which has room for all equations.
func (a room) fits(b room) bool {
	return a.components <= b.components && a.entries <= b.entries && a.residuals <= b.residuals &&
		a.answers <= b.answers
}

// together is the room for components that a shard works on at a time, if each of them fits into it.
var together = room{components: 1 << 20, entries: 1 << 21, residuals: 1 << 26, answers: 1 << 23}

const (
	narrow = 15 // components of more variables are wide: work-groups multiply their derivatives, and solve equations
	tile   = 32 // rows of a tile
)

func triangle(n int) int { return n * (n + 1) / 2 }

// need returns the room for a task for component k. Derivatives are those of the stack that begins with it.
func (c *components) need(k int, t task) room {
	n := len(c.variables(k))
	m := int(c.of[k].squares)
	cost := int(c.of[k].cost)
	wide := problems.Flag(n > narrow)
	switch {
	case t > 0:
		return room{components: 1, values: int(t), residuals: int(t) * m, answers: int(t), cost: int(t) * cost}
	case t == trials: // equations cost nothing, and whether the values count is known afterwards
		return room{components: 1, entries: 1 + n, tiles: wide, values: points,
			residuals: max(triangle(n+1)+n, points*m), answers: points + 1 + n}
	}
	stack := int(c.stack[k])
	if stack == 0 {
		return room{}
	}
	need := room{components: 1, entries: 1 + n, tiles: wide * triangle(1+n/tile)}
	switch c.by {
	case bySlopes:
		need.values, need.residuals, need.cost = 1, (2+n)*m, (1+slopes)*cost
	case byTangents:
		need.values, need.residuals, need.cost = (1+n)*stack, (1+n)*m*stack, (1+tangentWork*n)*stack*cost
	case byAdjoints:
		need.values, need.residuals, need.cost = (1+m)*stack, (1+n)*m*stack, (1+adjointWork*m)*stack*cost
	default:
		need.entries += n
		need.values = need.entries * stack
		need.residuals = need.values * m
		need.cost = need.values * cost
	}
	if c.own[k] {
		need.kept = triangle(n + 1)
	} else {
		need.answers = triangle(n + 1)
	}
	return need
}

// room returns that of a shard with copies of the components from lo to hi-1, if it has the equations of all of them.
func (c *components) room(lo, hi, copies int) (most room) {
	var all room
	for k := lo; k < hi; k++ {
		need := c.need(k, derivatives).or(c.need(k, points))
		if c.own[k] {
			need = need.or(c.need(k, trials))
		}
		all, most = all.plus(need), most.or(need)
	}
	return room{
		components: min(copies*all.components, together.components),
		entries:    max(most.entries, min(copies*all.entries, together.entries)),
		residuals:  max(most.residuals, min(copies*all.residuals, together.residuals)),
		answers:    max(most.answers, min(copies*all.answers, together.answers)),
		kept:       copies * all.kept,
	}
}

// shareOf lists the vectors of a shard with a room, to be held by o. The problem has n variables.
func shareOf(o *vectors, prec problems.Precision, n int, r room, tape int) device.Share {
	const list = "components, variables and their numbers"
	return device.Share{Precision: prec, Vectors: []device.Vector{
		{To: &o.x, Name: "x", What: "points", Rows: (1 + points) * n},
		{To: &o.lower, Name: "lower", What: "bounds", Rows: n},
		{To: &o.upper, Name: "upper", What: "bounds", Rows: n},
		{To: &o.items, Name: "list", What: list, Rows: itemNumbers * r.components},
		{To: &o.parameter, Name: "parameter", What: list, Rows: r.components},
		{To: &o.variable, Name: "variable", What: list, Rows: r.entries},
		{To: &o.value, Name: "value", What: list, Rows: r.entries},
		{To: &o.tape, Name: "tape", What: "what derivatives keep", Rows: max(1, tape)},
		{To: &o.residual, Name: "residual", What: "residuals, and those for differences", Rows: r.residuals},
		{To: &o.product, Name: "product", What: "products of derivatives", Rows: r.kept + r.answers},
	}}
}

// list is the components that a shard works on, and their entries, as kernels/solvers/lm/lm.cl describes them.
type list struct {
	items     []uint32
	parameter []float64
	variable  []uint32
	value     []float64
	used      room
}

const itemNumbers = 9

// fill lists those of the chosen components from first to end-1 for which there is room, and returns the next one.
// There is room for one at least.
func (e *engine) fill(o *vectors, c *chosen, first, end int, x []float64) (next int) {
	before := c.needed(e.c, first)
	next, used := c.fitting(e.c, first, end, before, o.room)
	l, count := &o.list, next-first
	l.used = used
	differences := c.task == derivatives && e.c.by == byDifferences
	exact := c.task == derivatives && e.c.by.exact()
	l.items = resized(l.items, itemNumbers*count)
	l.parameter = resized(l.parameter, count*problems.Flag(c.task <= 0 && !differences && !exact))
	l.variable = resized(l.variable, used.entries*problems.Flag(c.task == trials || differences || exact))
	l.value = resized(l.value, used.entries*problems.Flag(differences))
	parallel((next-1)/block-first/block+1, func(_, b int) {
		b += first / block
		sum, from := before, first
		if at := b * block; at > first {
			sum, from = c.before[b], at
		}
		for i := from; i < min((b+1)*block, next); i++ {
			e.item(o, c, i-first, c.list[i], sum.minus(before), x)
			sum = sum.plus(e.c.need(c.list[i], c.task))
		}
	})
	o.kept += used.kept
	return next
}

// item lists component k as item i. Those before it in the list need the room before.
func (e *engine) item(o *vectors, c *chosen, i, k int, before room, x []float64) {
	l := &o.list
	vars := e.c.variables(k)
	row := o.room.kept + before.answers
	switch {
	case c.task == trials:
		row = e.equations[k]
	case c.task == derivatives && e.c.own[k]:
		row, e.equations[k] = o.kept+before.kept, o.kept+before.kept
	}
	stack := uint32(1)
	if c.task == derivatives {
		stack = uint32(e.c.stack[k])
	}
	copy(l.items[itemNumbers*i:], []uint32{uint32(k), uint32(before.entries), uint32(before.tiles), uint32(len(vars)),
		stack * e.c.of[k].squares, uint32(before.residuals), uint32(row), uint32(before.values), e.c.of[k].squares})
	if len(l.parameter) > 0 {
		l.parameter[i] = c.parameter(k)
	}
	switch at := before.entries; {
	case c.task == trials:
		l.variable[at] = uint32(problems.Flag(c.hold(k)))
		for v, i := range vars {
			l.variable[at+1+v] = uint32(i)
		}
	case c.task == derivatives && e.c.by.exact():
		l.variable[at] = 0 // of the entry at x, which has none
		for v, i := range vars {
			l.variable[at+1+v] = uint32(i)
		}
	case len(l.value) > 0:
		l.variable[at], l.value[at] = 0, 0 // of the entry at x, which has none
		for v, i := range vars {
			up, down := at+1+v, at+1+len(vars)+v
			l.variable[up], l.variable[down] = uint32(i), uint32(i)
			l.value[up], l.value[down] = e.around(i, x[i], c.parameter(k))
		}
	}
}

// write gives the device what is listed.
func (o *vectors) write() error {
	if err := o.items.Write(0, o.list.items); err != nil {
		return err
	}
	if err := o.parameter.Write(0, o.list.parameter); err != nil {
		return err
	}
	if err := o.variable.Write(0, o.list.variable); err != nil {
		return err
	}
	return o.value.Write(0, o.list.value)
}

// around returns the values of variable i, which is v, at which residuals are computed for its derivatives.
func (e *engine) around(i int, v, size float64) (up, down float64) {
	lo, hi := e.p.Domain().Interval(i)
	h := size * max(math.Abs(v), 1e-3*(hi-lo))
	if up = v + h; up > hi {
		up = v
	}
	if down = v - h; down < lo {
		down = v
	}
	return up, down
}
