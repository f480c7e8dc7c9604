package graph

import (
	"cmp"
	"math"
	"math/bits"
	"slices"

	"github.com/clopt/clopt/problems/rng"
)

// The work for the largest cut of a square: values that are added, and sums of halves of the vertices.
const (
	mostSums  = 1 << 28
	firstHalf = 10 // vertices of a half in the first tries; there are some tries with each number
	mostHalf  = 18
	mostTries = 10
)

// square finds a largest cut of a graph whose edges weigh q·a_i·a_j, for all pairs but those with the last vertex, the
// root. That is a square of a sum and linear terms, as a QUBO of a knapsack or of numbers to be split: if S is the sum
// of a_i over the vertices that are not on the side of the root, and A the sum of all, the cut is
//
//	q·S·(A - S) + the weights of their edges to the root
//
// Of the partitions with the same S, those with the largest weight of edges to the root are found by dynamic
// programming over S. If these edges weigh c·a_i, S is all that counts. Then two halves of some vertices have sums that
// come as close to the best S as can be, or ok is false. It is also false for other graphs, and if there are too many
// sums. The graph keeps the result for later calls.
func (g *Graph) square() (side []uint8, ok bool) {
	g.once.Do(func() {
		s, ok := squareOf(g)
		if !ok {
			return
		}
		ones := s.split()
		if ones == nil {
			ones = s.pack()
		}
		if ones != nil {
			g.squared = s.sides(ones)
		}
	})
	return slices.Clone(g.squared), g.squared != nil
}

// square is a graph with edges of weights q·a_i·a_j. Where a_i would be negative, the vertex has changed its side.
type square struct {
	n       int
	members []int   // vertices with such edges
	turned  []bool  // by member: it has changed its side
	a       []int64 // by member, positive
	root    []int64 // by member: what it adds on the other side than the root, besides the edges of the square
	others  []int   // vertices with an edge to the root alone
	apart   []bool  // by vertex: one of others that should be on the other side than the root
	q       int64
	all     int64   // the sum of a
	want    float64 // where the square alone, with the proportional part of root, is largest
	rest    float64 // the most that the other part of root can change
}

// squareOf returns g as a square.
func squareOf(g *Graph) (s *square, ok bool) {
	n := g.N()
	if g.fractions != nil || n < 4 {
		return nil, false
	}
	s = &square{n: n, apart: make([]bool, n)}
	toRoot := make([]int64, n)
	for v := range n - 1 {
		degree := g.Offsets[v+1] - g.Offsets[v]
		if degree > 0 && int(g.Neighbors[g.Offsets[v+1]-1]) == n-1 {
			toRoot[v] = g.Weights[g.Offsets[v+1]-1]
			degree--
		}
		if degree > 0 {
			s.members = append(s.members, v)
			continue
		}
		s.apart[v] = toRoot[v] > 0
	}
	if len(s.members) < 3 || !s.factors(g) {
		return nil, false
	}
	for k, v := range s.members {
		s.root = append(s.root, toRoot[v])
		s.turned = append(s.turned, s.a[k] < 0)
	}
	s.turn()
	return s, true
}

// factors finds q and a, and reports whether all weights are products of them.
func (s *square) factors(g *Graph) bool {
	m := s.members
	row := func(v int) []int64 {
		lo, hi := g.Offsets[v], g.Offsets[v+1]
		if int(g.Neighbors[hi-1]) == s.n-1 {
			hi--
		}
		return g.Weights[lo:hi]
	}
	first := row(m[0])
	for _, v := range m {
		if len(row(v)) != len(m)-1 {
			return false
		}
	}
	common := int64(0)
	for _, w := range first {
		common = divisor(common, w)
	}
	s.a = make([]int64, len(m))
	for k, w := range first {
		s.a[k+1] = w / common
	}
	// w_01·w_02/w_12 is q·a_0².
	w12 := row(m[1])[1]
	high, low := bits.Mul64(magnitude(common*s.a[1]), magnitude(s.a[2]))
	if high != 0 || low > math.MaxInt64 {
		return false
	}
	over, under := int64(low), int64(magnitude(w12)) // a_0 in units of the others
	d := divisor(over, under)
	over, under = over/d, under/d
	for k := range s.a {
		if h, l := bits.Mul64(magnitude(s.a[k]), uint64(under)); h != 0 || l >= 1<<40 {
			return false
		}
		s.a[k] *= under
	}
	s.a[0] = over
	if (w12 < 0) != ((s.a[1] < 0) != (s.a[2] < 0)) || over >= 1<<40 {
		return false // q would be negative
	}
	d = 0
	for _, a := range s.a {
		d = divisor(d, a)
	}
	for k := range s.a {
		s.a[k] /= d
	}
	h, unit := bits.Mul64(magnitude(s.a[0]), magnitude(s.a[1]))
	if h != 0 || unit == 0 || magnitude(first[0])%unit != 0 {
		return false
	}
	s.q = int64(magnitude(first[0]) / unit)
	for k, v := range m {
		for j, w := range row(v) {
			if j >= k {
				j++
			}
			h, l := bits.Mul64(magnitude(s.a[k]), magnitude(s.a[j]))
			h2, l2 := bits.Mul64(l, uint64(s.q))
			if h != 0 || h2 != 0 || l2 != magnitude(w) || (w < 0) != ((s.a[k] < 0) != (s.a[j] < 0)) {
				return false
			}
		}
	}
	return true
}

// divisor returns the greatest common divisor of the amounts of two numbers.
func divisor(a, b int64) int64 {
	a, b = max(a, -a), max(b, -b)
	for b != 0 {
		a, b = b, a%b
	}
	return a
}

// turn makes all of a positive, and finds where the square is largest.
func (s *square) turn() {
	sum, negative := int64(0), int64(0)
	for _, a := range s.a {
		sum += a
		negative += min(a, 0)
	}
	// With S = negative + S', q·S·(sum - S) is q·S'·(sum - 2·negative - S') and a constant.
	for k, a := range s.a {
		if a < 0 {
			s.a[k], s.root[k] = -a, -s.root[k]
		}
	}
	s.all = sum - 2*negative
	ratios := make([]float64, len(s.a))
	for k, a := range s.a {
		ratios[k] = float64(s.root[k]) / float64(a)
	}
	slices.Sort(ratios)
	c := ratios[len(ratios)/2]
	for k, a := range s.a {
		s.rest += math.Abs(float64(s.root[k]) - c*float64(a))
	}
	s.want = (float64(s.all) + c/float64(s.q)) / 2
}

// sides returns the partition of the vertices of which ones says who is not on the side of the root.
func (s *square) sides(ones []bool) []uint8 {
	side := make([]uint8, s.n)
	for v, apart := range s.apart {
		if apart {
			side[v] = 1
		}
	}
	for k, v := range s.members {
		if ones[k] != s.turned[k] {
			side[v] = 1
		}
	}
	return side
}

// proportional reports whether the edges to the root weigh c·a_i.
func (s *square) proportional() bool {
	for k := range s.a {
		h, l := bits.Mul64(magnitude(s.root[k]), uint64(s.a[0]))
		h2, l2 := bits.Mul64(magnitude(s.root[0]), uint64(s.a[k]))
		if h != h2 || l != l2 || l != 0 && (s.root[k] < 0) != (s.root[0] < 0) {
			return false
		}
	}
	return true
}

// pack returns members for the largest cut by dynamic programming over their sum, nil if there are too many sums.
func (s *square) pack() []bool {
	// A greedy choice bounds how far from the best sum of the square alone the sum may be.
	order := make([]int, len(s.a))
	for k := range order {
		order[k] = k
	}
	slices.SortStableFunc(order, func(i, j int) int { return cmp.Compare(s.a[j], s.a[i]) })
	sum := 0.0
	for _, k := range order {
		if sum+float64(s.a[k]) <= s.want {
			sum += float64(s.a[k])
		}
	}
	far := math.Sqrt((s.want-sum)*(s.want-sum)+2*s.rest/float64(s.q)) + 2
	top := min(s.want+far, float64(s.all))
	if top < 0 {
		return make([]bool, len(s.a))
	}
	if (top+1)*float64(len(s.a)) > mostSums {
		return nil
	}
	size := int(top) + 1
	const never = math.MinInt64
	best, words := make([]int64, size), (size+63)/64
	for k := range best {
		best[k] = never
	}
	best[0] = 0
	taken := make([]uint64, len(s.a)*words)
	reach := 0
	for k, a := range s.a {
		row, root := taken[k*words:(k+1)*words], s.root[k]
		if a >= int64(size) {
			continue
		}
		reach = min(reach+int(a), size-1)
		for sum := reach; sum >= int(a); sum-- {
			if from := best[sum-int(a)]; from != never && from+root > best[sum] {
				best[sum] = from + root
				row[sum>>6] |= 1 << (sum & 63)
			}
		}
	}
	at, most := 0, int64(never)
	for sum, f := range best {
		if f == never {
			continue
		}
		if cut := s.q*int64(sum)*(s.all-int64(sum)) + f; cut > most {
			at, most = sum, cut
		}
	}
	ones := make([]bool, len(s.a))
	for k := len(s.a) - 1; k >= 0; k-- {
		if taken[k*words+at>>6]>>(at&63)&1 == 1 {
			ones[k] = true
			at -= int(s.a[k])
		}
	}
	return ones
}

// split returns members whose sum is as near to the best one as a whole number can be, or as any sum is if there are
// few members; nil if that was not found, or if not only the sum counts.
func (s *square) split() []bool {
	if !s.proportional() || s.want < 0 || s.want > float64(s.all) {
		return nil
	}
	m := len(s.a)
	order := make([]int, m)
	for k := range order {
		order[k] = k
	}
	least := math.Abs(s.want - math.Round(s.want))
	for try := range mostTries {
		size := min(firstHalf+try*(mostHalf-firstHalf)/(mostTries-1), (m+1)/2)
		ones := s.near(order[:size], order[size:min(2*size, m)], order[min(2*size, m):])
		sum := int64(0)
		for k, one := range ones {
			if one {
				sum += s.a[k]
			}
		}
		if 2*size >= m || math.Abs(float64(sum)-s.want) <= least {
			return ones
		}
		for k := range order {
			j := rng.Int(rng.Key{Seed: uint32(try)}.Word(uint32(k), 0, 0, rng.Shuffle), uint32(k+1))
			order[k], order[j] = order[j], order[k]
		}
	}
	return nil
}

// near returns members with about the sum that is wanted: some of those in others, one after the other as long as there
// is room for half of the rest, and then the best of left and right.
func (s *square) near(left, right, others []int) (ones []bool) {
	ones = make([]bool, len(s.a))
	rest := s.want
	for _, k := range left {
		rest -= float64(s.a[k]) / 2
	}
	for _, k := range right {
		rest -= float64(s.a[k]) / 2
	}
	for _, k := range others {
		if a := float64(s.a[k]); a <= rest+a/2 {
			ones[k] = true
			rest -= a
		}
	}
	for _, list := range [][]int{left, right} {
		for _, k := range list {
			rest += float64(s.a[k]) / 2
		}
	}
	x, y := s.halves(left, right, rest)
	for k, i := range left {
		ones[i] = x>>k&1 == 1
	}
	for k, i := range right {
		ones[i] = y>>k&1 == 1
	}
	return ones
}

// halves returns subsets of two lists, as bits, whose sums together come nearest to want.
func (s *square) halves(left, right []int, want float64) (x, y uint32) {
	type subset struct {
		sum  int64
		bits uint32
	}
	sums := func(list []int) []subset {
		all := make([]subset, 1, 1<<len(list))
		for k, i := range list {
			for _, b := range all[:1<<k] {
				all = append(all, subset{b.sum + s.a[i], b.bits | 1<<k})
			}
		}
		slices.SortFunc(all, func(a, b subset) int { return cmp.Compare(a.sum, b.sum) })
		return all
	}
	a, b := sums(left), sums(right)
	near := math.Inf(1)
	for i, j := 0, len(b)-1; i < len(a) && j >= 0; {
		d := float64(a[i].sum+b[j].sum) - want
		if math.Abs(d) < near {
			near, x, y = math.Abs(d), a[i].bits, b[j].bits
		}
		if d > 0 {
			j--
		} else {
			i++
		}
	}
	return x, y
}
