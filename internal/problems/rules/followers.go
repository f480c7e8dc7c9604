package rules

import (
	"cmp"
	"math/bits"
	"slices"

	"github.com/clopt/clopt/problems/graph"
)

// Group is a set of vertices that follow others: whatever the sides of all others are, the best sides of the members
// are found in one step. It is one of two kinds:
//
//   - the bits of a number, such as the slack of a constraint. What weighs 1 at a vertex outside weighs its factor at
//     each member, so that only the number counts;
//   - a vertex that stands for a product of others, or for a clause, with edges much heavier than the rest.
type Group struct {
	Members []int32 // with falling factors
	Factors []int64 // by member, positive, each at most 1 more than the sum of smaller ones: all sums are possible
	Self    int64   // the weight between two members is Self times both factors; 0 of one member
	Leaders []int32 // neighbours that the members follow, in rising order
}

// Followers are the groups of a graph. A vertex is in at most one.
type Followers struct {
	Groups []Group
	Of     []int32   // by vertex: the number of its group, or -1
	By     [][]int32 // by vertex: the numbers of the groups that follow it
}

// findFollowers returns the groups of g.
func findFollowers(g *graph.Graph, root int) *Followers {
	f := &Followers{Of: make([]int32, g.N()), By: make([][]int32, g.N())}
	for v := range f.Of {
		f.Of[v] = -1
	}
	f.numbers(g, root)
	f.products(g, root)
	for k, group := range f.Groups {
		for _, v := range group.Leaders {
			f.By[v] = append(f.By[v], int32(k))
		}
	}
	return f
}

func (f *Followers) add(group Group) {
	for _, v := range group.Members {
		f.Of[v] = int32(len(f.Groups))
	}
	f.Groups = append(f.Groups, group)
}

// mostKinds is the largest number of vertices with the same neighbours that may have different weights, before a search
// for numbers among them ends: a dense graph without numbers has only such vertices.
const mostKinds = 256

// mostBits is the largest number of bits of a number.
const mostBits = 62

// numbers finds the bits of numbers among vertices that have the same neighbours, themselves included.
func (f *Followers) numbers(g *graph.Graph, root int) {
	alike := map[uint64][]int32{}
	for v := range g.N() {
		sum := mixed(v)
		for e := g.Offsets[v]; e < g.Offsets[v+1]; e++ {
			if u := int(g.Neighbors[e]); u != root {
				sum += mixed(u)
			}
		}
		if v != root && sum != mixed(v) {
			alike[sum] = append(alike[sum], int32(v))
		}
	}
	classes := make([][]int32, 0, len(alike))
	for _, class := range alike {
		if len(class) > 1 {
			classes = append(classes, class)
		}
	}
	slices.SortFunc(classes, func(a, b []int32) int { return cmp.Compare(a[0], b[0]) })
	for _, class := range classes {
		for _, bits := range proportional(g, class) {
			if group, ok := number(g, bits, root); ok {
				f.add(group)
			}
		}
	}
}

// mixed returns the bits of a number, mixed as SplitMix64 does.
func mixed(v int) uint64 {
	z := uint64(v+1) * 0x9E3779B97F4A7C15
	z = (z ^ z>>30) * 0xBF58476D1CE4E5B9
	z = (z ^ z>>27) * 0x94D049BB133111EB
	return z ^ z>>31
}

// bit is a vertex whose weights are those of another one, times over/under.
type bit struct {
	v           int32
	over, under int64
}

// proportional divides vertices into sets whose weights outside are proportional to those of the first one.
func proportional(g *graph.Graph, class []int32) (sets [][]bit) {
	for _, v := range class {
		found := false
		for k, set := range sets {
			if over, under, ok := ratio(g, v, set[0].v); ok && len(set) < mostBits {
				sets[k] = append(set, bit{v, over, under})
				found = true
				break
			}
		}
		if !found {
			if len(sets) == mostKinds {
				return nil
			}
			sets = append(sets, []bit{{v, 1, 1}})
		}
	}
	return sets
}

// ratio returns by what the weights of b have to be multiplied to be those of a, apart from their edge to each other.
// It is positive.
func ratio(g *graph.Graph, a, b int32) (over, under int64, ok bool) {
	i, j, enda, endb := g.Offsets[a], g.Offsets[b], g.Offsets[a+1], g.Offsets[b+1]
	for {
		if i < enda && int32(g.Neighbors[i]) == b {
			i++
		}
		if j < endb && int32(g.Neighbors[j]) == a {
			j++
		}
		if i == enda || j == endb {
			return over, under, i == enda && j == endb && under != 0
		}
		x, y := g.Weights[i], g.Weights[j]
		if g.Neighbors[i] != g.Neighbors[j] || (x < 0) != (y < 0) {
			return 0, 0, false
		}
		if under == 0 {
			d := divisor(x, y)
			over, under = magnitude(x)/d, magnitude(y)/d
		}
		h, l := bits.Mul64(uint64(magnitude(x)), uint64(under))
		h2, l2 := bits.Mul64(uint64(magnitude(y)), uint64(over))
		if h != h2 || l != l2 {
			return 0, 0, false
		}
		i, j = i+1, j+1
	}
}

// number returns the group of the bits of a number, if they are that.
func number(g *graph.Graph, all []bit, root int) (group Group, ok bool) {
	const most = 1 << 40 // of a factor
	if len(all) < 2 {
		return group, false
	}
	whole := int64(1) // divided by all under
	for _, b := range all {
		if whole = whole / divisor(whole, b.under) * b.under; whole > most || b.under > most {
			return group, false
		}
	}
	factor := func(b bit) int64 { return whole / b.under * b.over }
	slices.SortStableFunc(all, func(a, b bit) int { return cmp.Compare(factor(b), factor(a)) })
	common, sum := int64(0), int64(0)
	for _, b := range all {
		common = divisor(common, factor(b))
	}
	group.Members, group.Factors = make([]int32, len(all)), make([]int64, len(all))
	for k, b := range slices.Backward(all) {
		f := factor(b) / common
		if b.over > most || f > most || f > sum+1 {
			return group, false
		}
		group.Members[k], group.Factors[k] = b.v, f
		sum += f
	}
	for k, v := range group.Members {
		for i, u := range group.Members[:k] {
			w, unit := weight(g, u, v), group.Factors[i]*group.Factors[k]
			if k == 1 {
				group.Self = w / unit
			}
			if group.Self <= 0 || w != group.Self*unit {
				return group, false
			}
		}
	}
	v := group.Members[0]
	for e := g.Offsets[v]; e < g.Offsets[v+1]; e++ {
		if u := int32(g.Neighbors[e]); int(u) != root && !slices.Contains(group.Members, u) {
			group.Leaders = append(group.Leaders, u)
		}
	}
	return group, len(group.Leaders) > 0
}

// Vertices that stand for products: the largest number of their leaders; the weight of any other edge, and of those
// between the leaders, in parts of theirs, where the penalty of a product has one half. They are a part of all.
const (
	mostLeaders  = 3
	lightest     = 0.5
	joined       = 0.2
	partProducts = 0.1
)

// products finds vertices that stand for products or clauses: two or three edges, to vertices that have edges to each
// other, are much heavier than the rest.
func (f *Followers) products(g *graph.Graph, root int) {
	heavy := make([][]int32, g.N())
	for v := range g.N() {
		if v != root && f.Of[v] < 0 {
			heavy[v] = heaviest(g, v, root)
		}
	}
	var found []Group
	follows := func(v int32) bool { return heavy[v] != nil || f.Of[v] >= 0 }
	for v, leaders := range heavy {
		if leaders != nil && !slices.ContainsFunc(leaders, follows) {
			found = append(found, Group{Members: []int32{int32(v)}, Factors: []int64{1}, Leaders: leaders})
		}
	}
	if float64(len(found)) < partProducts*float64(g.N()) {
		return
	}
	for _, group := range found {
		f.add(group)
	}
}

// heaviest returns the vertices that v would follow, nil if it follows none.
func heaviest(g *graph.Graph, v, root int) (leaders []int32) {
	top := int64(0)
	each := func(use func(u int32, w int64)) {
		for e := g.Offsets[v]; e < g.Offsets[v+1]; e++ {
			if int(g.Neighbors[e]) != root {
				use(int32(g.Neighbors[e]), magnitude(g.Weights[e]))
			}
		}
	}
	each(func(_ int32, w int64) { top = max(top, w) })
	heavy := func(w int64) bool { return float64(w) > lightest*float64(top) }
	count := 0
	each(func(_ int32, w int64) {
		if heavy(w) {
			count++
		}
	})
	if count < 2 || count > mostLeaders {
		return nil
	}
	each(func(u int32, w int64) {
		if heavy(w) {
			leaders = append(leaders, u)
		}
	})
	for k, u := range leaders {
		for _, x := range leaders[:k] {
			if float64(magnitude(weight(g, u, x))) < joined*float64(top) {
				return nil
			}
		}
	}
	return leaders
}

// weight returns the weight between two vertices, 0 if there is no edge.
func weight(g *graph.Graph, u, v int32) int64 {
	lo, hi := g.Offsets[u], g.Offsets[u+1]
	if k, ok := slices.BinarySearch(g.Neighbors[lo:hi], uint32(v)); ok {
		return g.Weights[lo+k]
	}
	return 0
}

func magnitude(w int64) int64 { return max(w, -w) }

// divisor returns the greatest common divisor of the amounts of two numbers.
func divisor(a, b int64) int64 {
	a, b = magnitude(a), magnitude(b)
	for b != 0 {
		a, b = b, a%b
	}
	return a
}
