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
	room room
	list list
	pace shard.Pacer // of all kernels for an entry

	x                 *shard.Reals
	items, variable   *cl.Buffer[uint32]
	difference, value *shard.Reals
	residual          *shard.Reals
	product           *shard.Reals
}

// room is what some components need on a device, in numbers.
type room struct{ components, entries, residuals, products int }

func (a room) plus(b room) room {
	return room{a.components + b.components, a.entries + b.entries, a.residuals + b.residuals, a.products + b.products}
}

// or returns the room for either of a and b.
func (a room) or(b room) room {
	return room{max(a.components, b.components), max(a.entries, b.entries), max(a.residuals, b.residuals),
		max(a.products, b.products)}
}

// fits reports whether there is as much room in b.
func (a room) fits(b room) bool {
	return a.components <= b.components && a.entries <= b.entries && a.residuals <= b.residuals &&
		a.products <= b.products
}

// together is the room for components that a shard works on at a time, if each of them fits into it.
var together = room{1 << 20, 1 << 21, 1 << 24, 1 << 23}

// need returns the room for the values of component k at some points, or for its derivatives at one point if points
// is 0.
func (c *components) need(k, points int) room {
	n, m := len(c.variables(k)), int(c.of[k].squares)
	entries := 1 + 2*n
	switch {
	case points > 0:
		return room{1, points, points * m, points}
	case c.s.Slopes():
		entries = 1 + n
	}
	return room{1, entries, entries * m, 1 + n*(n+3)/2}
}

// room returns that of a shard with copies of the components from lo to hi-1.
func (c *components) room(lo, hi, copies int) (most room) {
	var all room
	for k := lo; k < hi; k++ {
		need := c.need(k, 0).or(c.need(k, points))
		all, most = all.plus(need), most.or(need)
	}
	return room{min(copies*all.components, together.components),
		max(most.entries, min(copies*all.entries, together.entries)),
		max(most.residuals, min(copies*all.residuals, together.residuals)),
		max(most.products, min(copies*all.products, together.products))}
}

// shareOf lists the vectors of a shard with a room, to be held by o. The problem has n variables.
func shareOf(o *vectors, prec problems.Precision, n int, r room) device.Share {
	const list = "components, variables and values for differences"
	return device.Share{Precision: prec, Vectors: []device.Vector{
		{To: &o.x, Name: "x", What: "points along a direction", Rows: points * n},
		{To: &o.items, Name: "list", What: list, Rows: itemNumbers * r.components},
		{To: &o.difference, Name: "difference", What: list, Rows: r.components},
		{To: &o.variable, Name: "variable", What: list, Rows: r.entries},
		{To: &o.value, Name: "value", What: list, Rows: r.entries},
		{To: &o.residual, Name: "residual", What: "residuals, and those for differences", Rows: r.residuals},
		{To: &o.product, Name: "product", What: "products of derivatives", Rows: r.products},
	}}
}

// list is the components that a shard works on, and their entries, as kernels/solvers/lm/lm.cl describes them.
type list struct {
	items      []uint32
	difference []float64
	variable   []uint32
	value      []float64
	used       room
}

const itemNumbers = 5

func (l *list) clear() {
	*l = list{l.items[:0], l.difference[:0], l.variable[:0], l.value[:0], room{}}
}

// fill lists the first of some chosen components for which there is room, and returns their number, at least 1.
func (e *engine) fill(o *vectors, c *chosen, ks []int, x []float64) int {
	l := &o.list
	l.clear()
	for i, k := range ks {
		next := l.used.plus(e.c.need(k, c.points))
		if !next.fits(o.room) {
			return i
		}
		l.items = append(l.items, uint32(k), uint32(l.used.entries), e.c.of[k].squares, uint32(l.used.residuals),
			uint32(l.used.products))
		switch {
		case c.points > 0:
		case e.c.s.Slopes():
			l.difference = append(l.difference, c.size(k))
		default:
			l.variable, l.value = append(l.variable, 0), append(l.value, 0) // of the entry at x, which has none
			for _, i := range e.c.variables(k) {
				up, down := e.around(i, x[i], c.size(k))
				l.variable, l.value = append(l.variable, uint32(i), uint32(i)), append(l.value, up, down)
			}
		}
		l.used = next
	}
	return len(ks)
}

// write gives the device what is listed.
func (o *vectors) write() error {
	if err := o.items.Write(0, o.list.items); err != nil {
		return err
	}
	if err := o.difference.Write(0, o.list.difference); err != nil {
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
