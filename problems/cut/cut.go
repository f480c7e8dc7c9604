// Package cut implements maximum cuts of graphs, and quadratic functions of bits and of spins as maximum cuts.
package cut

import (
	"fmt"
	"math"
	"math/big"
	"slices"
	"sync"

	"github.com/clopt/clopt/internal/problems/formats"
	"github.com/clopt/clopt/internal/problems/input"
	"github.com/clopt/clopt/problems"
	"github.com/clopt/clopt/problems/graph"
)

// Cut is a maximum cut, or a problem that is solved as one:
//
//	f(x) = sum over edges (i, j) of w_ij [x_i ≠ x_j]      x in {0, 1}^n, maximised
//
// QUBO and Ising problems are cuts with a root, see graph.Quadratic. Weights are whole numbers of a unit, so sums are
// exact. Each edge is a component and may read any two variables, so a Cut runs on one device.
type Cut struct {
	spec    problems.Spec
	kind    graph.Kind
	g       *graph.Graph
	n       int           // variables
	names   []string      // of the variables, or nil
	fixed   []input.Fixed // variables of the file that are none of the problem
	root    uint8         // the side of the last vertex, which is no variable; noRoot if it is one
	worth   line          // of a cut, the value that is minimized
	offset  *big.Rat      // of the values, as the problem states it
	rest    *graph.Rest   // is added to the value as the problem states it; nil: nothing
	sign    float64       // -1 for a maximization
	best    *float64      // proven, from FILE.bkv, or from known.csv; nil: unknown
	proven  bool          // no point has a smaller value than best
	optimum []float64     // a point of that value, or nil
	off     float64       // by which no point is better than optimum, where rounding leaves it open
	notes   formats.Notes

	split bool     // weights go into two accumulators
	even  bool     // all edges weigh the same
	most  float64  // the largest sum of |weights| at a vertex, in units
	total float64  // the sum of all
	rows  []edgeAt // where each tile begins

	constraints []input.Constraint // of the file, which have penalties
	numbers     map[string]int
	naming      sync.Once

	prove  sync.Once
	tables sync.Once
	table  []problems.Table
}

var (
	_ problems.Cut   = (*Cut)(nil)
	_ problems.Exact = (*Cut)(nil)
)

// noRoot marks a Cut without a root.
const noRoot = 2

// splitBits is the number of bits of a weight in the first of two accumulators. A sum of m such terms, and one of the
// remaining bits of 2^62, stay below 2^53.
const splitBits = 16

// weigh computes what there is to know about the weights.
func (c *Cut) weigh() {
	first, edge := int64(0), 0
	c.even = true
	for v := range c.g.N() {
		sum := 0.0
		for e := c.g.Offsets[v]; e < c.g.Offsets[v+1]; e++ {
			w := c.g.Weights[e]
			if first == 0 {
				first = w
			}
			c.even = c.even && w == first
			sum += math.Abs(float64(w))
			if int(c.g.Neighbors[e]) > v {
				if edge%tileEdges == 0 {
					c.rows = append(c.rows, edgeAt{v, e})
				}
				edge++
			}
		}
		c.most = max(c.most, sum)
		c.total += sum / 2
	}
	c.split = c.total >= 1<<52
	c.even = c.even && !c.split && c.g.M() > 0
}

// Spec returns "maxcut:FILE", "qubo:FILE" or "ising:FILE" with keys, or the keys of a generator.
func (c *Cut) Spec() problems.Spec { return c.spec }

// Info returns the value that is proven for the graph, or that of FILE.bkv, or that of the list of known cuts, and
// notes on what the file has and the graph does not.
func (c *Cut) Info() problems.Info {
	c.prove.Do(func() {
		if x, off, ok := c.largest(quickEntries); ok {
			f, _ := c.ExactValue(x).Float64()
			f *= c.sign
			c.best, c.optimum, c.off, c.proven = &f, x, off, c.proves(f, off)
		} else if r, ok := known(c.g); ok && c.rest == nil && (r.proven || c.best == nil) {
			f := c.Value(r.cut)
			c.best, c.proven = &f, r.proven
		}
	})
	i := problems.Info{Best: c.best, Proven: c.proven, Maximize: c.sign < 0, Notes: c.noted()}
	if c.spec.File {
		file, _ := formats.SplitNumber(c.spec.Name)
		i.Files = []string{file}
	}
	if c.optimum != nil {
		i.Optima = func() [][]float64 { return [][]float64{slices.Clone(c.optimum)} }
	}
	return i
}

// The numbers of entries of the tables that prove an optimum: for Info, which takes about a tenth of a second, and for
// Prove, which takes up to a minute of a core and 2 GB.
const (
	quickEntries = 1 << 23
	mostEntries  = 1 << 32
)

// Prove computes the smallest value, that of the minimization, and a point that has it. ok is false if the graph is too
// large and too wide, or if its weights are rounded by too much.
func (c *Cut) Prove() (best float64, x []float64, ok bool) {
	x, off, ok := c.largest(mostEntries)
	if !ok {
		return 0, nil, false
	}
	best, _ = c.ExactValue(x).Float64()
	return c.sign * best, x, c.proves(best, off)
}

// largest returns a point of a largest cut if the graph has no conflict, or if tables of a number of entries suffice to
// find it. No point is better by more than off units.
func (c *Cut) largest(entries int) (x []float64, off float64, ok bool) {
	g, off := c.whole()
	_, side, ok := g.Balanced()
	if !ok {
		if _, side, ok = g.Largest(entries); !ok {
			return nil, 0, false
		}
	}
	return c.pointOf(side), off, true
}

// whole returns the graph with what rounding has taken from its weights. No cut of it is wrong by more than off units.
func (c *Cut) whole() (g *graph.Graph, off float64) {
	if c.rest == nil {
		return c.g, 0
	}
	terms, times, _ := c.rest.Cut(c.n)
	per, _ := new(big.Rat).Quo(c.rest.Unit, c.worth.b).Float64()
	for i := range terms {
		terms[i].C *= -c.sign * times * per
	}
	return c.g.With(terms)
}

// pointOf returns the point of a partition of the whole graph, of which it may change all sides.
func (c *Cut) pointOf(side []uint8) (x []float64) {
	if len(side) > c.n && c.root == noRoot && side[c.n] == 0 { // only rests have the root of an Ising problem
		for i := range side {
			side[i] ^= 1
		}
	}
	x = make([]float64, c.n)
	c.Point(side, x)
	return x
}

// Descend returns a point that is not worse than x, with the numbers that the file has: changes of one variable that
// lower the value are made as long as there are any, or for as many passes as graph.Ascend makes.
func (c *Cut) Descend(x []float64) (better []float64) {
	g, _ := c.whole()
	side := make([]uint8, g.N())
	side[len(side)-1] = 1 // the root, if only rests have one
	c.Side(x, side)
	g.Ascend(side)
	return c.pointOf(side)
}

// proves reports whether an optimum f is one although the numbers from which it was computed are off by so many units:
// whether float64 does not show the error, or it is far below a unit.
func (c *Cut) proves(f, off float64) bool {
	return off < 1e-9 || math.Abs(f)+c.amount(off) == math.Abs(f)
}

// amount returns the value of a number of units of the cut.
func (c *Cut) amount(units float64) float64 { return units * c.worth.step }

// Domain returns variables of 0 and 1.
func (c *Cut) Domain() problems.Domain {
	return problems.Domain{N: c.n, Lo: zero, Hi: one, Binary: true, Names: c.names, Fixed: c.fixed}
}

// zero and one are the bounds of all cuts.
var zero, one = []float64{0}, []float64{1}

// Structure returns Everything: methods for cuts use the graph instead.
func (c *Cut) Structure() problems.Structure {
	t := c.Tiling()
	return problems.Everything(t.N, t.M)
}

// Linear returns what a unit of each accumulator adds to the value.
func (c *Cut) Linear() []float64 {
	unit := -c.worth.step
	if c.split {
		return []float64{unit, unit * (1 << splitBits)}
	}
	return []float64{unit}
}

// Graph returns the graph. The caller must not change it.
func (c *Cut) Graph() *graph.Graph { return c.g }

// tileEdges is about how many edges a tile has.
const tileEdges = 4096

// Tiling returns tiles of about 4096 edges, which may read any variable.
func (c *Cut) Tiling() problems.Tiling {
	m := max(c.g.M(), 1)
	tiles := (m + tileEdges - 1) / tileEdges
	return problems.Tiling{N: c.n, M: m, TileVars: (c.n + tiles - 1) / tiles, TileComps: tileEdges, Whole: true}
}

// Accumulators returns 1, or 2 where |weights| add up to 2^52 units or more.
func (c *Cut) Accumulators() int {
	if c.split {
		return 2
	}
	return 1
}

// Objective returns the value of the cut that the accumulators hold.
func (c *Cut) Objective(acc []float64) float64 {
	cut := int64(acc[0])
	if c.split {
		cut += int64(acc[1]) << splitBits
	}
	return c.Value(cut)
}

// Value returns the value that is minimized, for a cut in units: the float64 nearest to it. Weights that have been
// rounded count as they are.
func (c *Cut) Value(cut int64) float64 { return c.worth.value(cut) }

// ExactValue returns the value of a point in full, with the numbers that the file has.
func (c *Cut) ExactValue(x []float64) *big.Rat {
	side := make([]uint8, c.g.N())
	c.Side(x, side)
	v := c.worth.exact(c.g.Cut(side))
	if c.sign < 0 {
		v.Neg(v)
	}
	if c.rest != nil {
		v.Add(v, c.rest.Value(side[:c.n]))
	}
	return v
}

// Rounding returns the largest difference of Value and ExactValue.
func (c *Cut) Rounding() float64 { return c.rest.Size() }

// noted lists what the file has and the graph does not.
func (c *Cut) noted() (notes []string) {
	for _, n := range []struct {
		count       int
		thing, what string
	}{{c.notes.Loops, "loop", "dropped"},
		{c.notes.Merged, "repeated edge", "added to the first"},
		{c.notes.Again, "edge", "there again, with the same weight, counted once"},
		{c.notes.Zeros, "edge", "of weight 0 dropped"},
		{c.notes.Long, "coefficient", "of more than 18 digits read with 17 of them, as float64"},
		{c.notes.Near, "coefficient", "rounded to " + c.notes.Cut + " for the search, with which sums are " +
			"exact; the best point has its value with the numbers of the file"},
		{c.notes.Gone, "rounded coefficient", "became 0"},
		{c.notes.Fixed, "variable", "fixed by bounds of the file"}} {
		if n.count > 1 {
			n.thing += "s"
		}
		if n.count > 0 {
			notes = append(notes, fmt.Sprintf("%d %s %s", n.count, n.thing, n.what))
		}
	}
	if c.off > 0 && !c.proven {
		notes = append(notes, fmt.Sprintf("the best known value is the optimum, with an error of at most %.1g",
			c.amount(c.off)))
	}
	if c.notes.Others != "" {
		notes = append(notes, "all edges count 1: their numbers "+c.notes.Others+" are not read. "+
			"Call the one weight that is it")
	}
	if c.notes.Unread != "" {
		notes = append(notes, "values leave out what a comment says: "+input.Shown([]byte(c.notes.Unread))+". What is "+
			"read is \"offset : 5\" in lists of terms, and also \"scale : 2\" in .qubo files")
	}
	if c.notes.Beside != "" {
		notes = append(notes, c.notes.Beside+"; remove it if the file is another one now")
	}
	if c.notes.Rows {
		notes = append(notes, "the three lines are read as terms i, j, q; if they are the rows of a matrix, write "+
			"commas between the numbers")
	}
	if c.notes.Form != "" {
		notes = append(notes, "the matrix is "+c.notes.Form)
	}
	return notes
}

// Point writes the point of a partition to x. It swaps the sides where the root is not on its own.
func (c *Cut) Point(side []uint8, x []float64) {
	flip := uint8(0)
	if c.root != noRoot {
		flip = side[c.n] ^ c.root
	}
	for i := range x {
		x[i] = float64(side[i] ^ flip)
	}
}

// Side writes the partition of a point to side, with the root on its own side.
func (c *Cut) Side(x []float64, side []uint8) {
	for i, v := range x {
		side[i] = 0
		if v > 0.5 {
			side[i] = 1
		}
	}
	if c.root != noRoot {
		side[c.n] = c.root
	}
}

// Tolerance returns the relative error of rounding a value to float64. Sums are exact.
func (c *Cut) Tolerance(problems.Precision) float64 { return 1e-15 }
