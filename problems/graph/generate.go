package graph

import (
	"fmt"
	"math"

	"github.com/clopt/clopt/internal/problems/input"
	"github.com/clopt/clopt/problems/rng"
)

// Instance is a generated graph.
type Instance struct {
	Graph *Graph
	Best  int64   // the largest cut, if Known
	Known bool    // whether the construction proves the largest cut
	Side  []uint8 // a partition with that cut, or nil if the construction has none
}

// Weights is the distribution of generated weights: integers uniform in [Lo, Hi]
// or, with Signs, -1 and 1 with equal probability.
type Weights struct {
	Lo, Hi int64
	Signs  bool
}

// Unit gives all edges the weight 1; PM1 gives them -1 or 1.
var (
	Unit = Weights{Lo: 1, Hi: 1}
	PM1  = Weights{Signs: true}
)

// The kinds of generated graphs separate their draws, which have the key (seed,
// generated+kind) and the purpose Generate. who selects one of several arrays: 0
// and 1 are described at the generators, 2 is the weights. The index of a weight is
// the number of its edge, in the order in which the generator makes edges.
const (
	generated = 0x67720000 // "gr"

	kindTile = iota
	kindTorus
	kindGNP
	kindComplete
	kindCliques
)

const whoWeight = 2

// maxEdges bounds generated graphs: 16 GB of edges at most. The sum of that many weights of maxWeight is below 2^62.
const (
	maxEdges  = 1 << 30
	maxWeight = 1<<31 - 1
)

// words returns draws by index and keeps the last quad of words.
type words struct {
	key  rng.Key
	who  uint32
	quad int64 // number of the quad in w; -1: none
	w    [4]uint32
}

func newWords(seed uint32, kind, who uint32) *words {
	return &words{key: rng.Key{Seed: seed, Run: generated + kind}, who: who, quad: -1}
}

// at returns the word of index i, which may have 34 bits.
func (d *words) at(i int64) uint32 {
	if d.quad != i>>2 {
		d.quad = i >> 2
		d.w = d.key.Words(uint32(d.quad), d.who, uint32(d.quad>>32), rng.Generate)
	}
	return d.w[i&3]
}

// builder adds edges with drawn weights.
type builder struct {
	Edges
	law  Weights
	draw *words
}

// newBuilder returns a builder for n vertices and about m edges, or an error if these are too many or law is invalid.
func newBuilder(n int, m float64, law Weights, seed, kind uint32) (*builder, error) {
	switch {
	case n > input.MaxIndex:
		return nil, fmt.Errorf("%d vertices; there may be up to %d", n, input.MaxIndex)
	case m > maxEdges:
		return nil, fmt.Errorf("about %.3g edges; there may be up to %d", m, maxEdges)
	case !law.Signs && (law.Lo < -maxWeight || law.Lo > law.Hi || law.Hi > maxWeight):
		return nil, fmt.Errorf("weights from %d to %d; use LO..HI with -%d <= LO <= HI <= %d", law.Lo, law.Hi,
			maxWeight, maxWeight)
	}
	b := &builder{law: law, draw: newWords(seed, kind, whoWeight)}
	room := int(m+4*math.Sqrt(m)) + 16 // enough for a random number of edges of mean m, too
	b.Reserve(room)
	return b, nil
}

func (b *builder) join(u, v int) {
	w := b.law.Lo
	switch word := func() uint32 { return b.draw.at(int64(len(b.W))) }; {
	case b.law.Signs:
		w = 1 - 2*int64(word()>>31)
	case b.law.Hi > b.law.Lo:
		w += int64(rng.Int(word(), uint32(b.law.Hi-b.law.Lo+1)))
	}
	b.weigh(u, v, w)
}

func (b *builder) weigh(u, v int, w int64) {
	if !b.Add(u, v, w, 0) {
		panic("graph: generated weights beyond the exact range") // newBuilder excludes this
	}
}

func (b *builder) finish(n int) *Graph {
	g, _, _, err := b.Graph(n, false)
	if err != nil {
		panic("graph: the generated edges are no graph")
	}
	return g
}

// Tile makes a planted instance on a torus of rows x cols vertices (Hamze, Jacob,
// Ochoa, Perera, Wang, Katzgraber 2018, doi:10.1103/PhysRevE.97.043303). rows and
// cols must be even and at least 4; row r and column c have vertex r·cols + c. Every
// edge is in exactly one of the squares (r, c) with r + c even. A square has the
// couplings a, a, a and -1, with the -1 at a random place; a is 2 with probability p
// and else 1. The weights are w_uv = -J z_u z_v for random spins z. In every
// partition an odd number of edges of a square is unsatisfied. With z only the
// weakest edge of each square is, so that z is optimal.
//
// Draws: the spin of vertex v has who 0, index v, and the top bit. Square (r, c) has
// who 1: the draw of index 2(r·cols+c) gives a = 2 if it is below p, and the next
// one gives the place.
func Tile(rows, cols int, p float64, seed uint32) (*Instance, error) {
	n := rows * cols
	switch {
	case rows < 4 || cols < 4 || rows%2 == 1 || cols%2 == 1:
		return nil, fmt.Errorf("a tile of %d x %d; use even sides of at least 4", rows, cols)
	case !(p >= 0 && p <= 1):
		return nil, fmt.Errorf("p is %g; use 0 to 1", p)
	}
	b, err := newBuilder(n, 2*float64(n), Weights{}, seed, kindTile)
	if err != nil {
		return nil, err
	}
	spins, squares := newWords(seed, kindTile, 0), newWords(seed, kindTile, 1)
	in := &Instance{Known: true, Side: make([]uint8, n)}
	for v := range in.Side {
		in.Side[v] = uint8(spins.at(int64(v)) >> 31)
	}
	for r := range rows {
		for c := r % 2; c < cols; c += 2 {
			r1, c1 := (r+1)%rows, (c+1)%cols
			corner := [4]int{r*cols + c, r*cols + c1, r1*cols + c1, r1*cols + c}
			i := 2 * int64(corner[0])
			a := int64(1)
			if rng.Uniform(squares.at(i)) < p {
				a = 2
			}
			weak := int(rng.Int(squares.at(i+1), 4))
			for k, u := range corner {
				v, w := corner[(k+1)%4], -a
				if k == weak {
					w = 1
				}
				if in.Side[u] != in.Side[v] {
					w = -w
					in.Best += w
				}
				b.weigh(u, v, w)
			}
		}
	}
	in.Graph = b.finish(n)
	return in, nil
}

// Torus makes a torus of two or three dimensions with sides of at least 3. The
// vertex of coordinates x is (…(x_1·L_2 + x_2)·L_3…). Each vertex is joined to the
// next one in every direction, and the last to the first. Edges are made vertex by
// vertex, the first direction first. With weights of 1, the parity of the
// coordinates cuts all edges but one for each line of odd length. No cut is larger,
// because these lines are edge-disjoint odd cycles.
func Torus(sides []int, law Weights, seed uint32) (*Instance, error) {
	if len(sides) < 2 || len(sides) > 3 {
		return nil, fmt.Errorf("a torus of %d sides; use 2 or 3, such as 100x100", len(sides))
	}
	n := 1
	for _, l := range sides {
		if l < 3 || l > input.MaxIndex || n > input.MaxIndex/l {
			return nil, fmt.Errorf("a torus with a side of %d; use sides of at least 3 and up to %d vertices", l,
				input.MaxIndex)
		}
		n *= l
	}
	m := n * len(sides)
	b, err := newBuilder(n, float64(m), law, seed, kindTorus)
	if err != nil {
		return nil, err
	}
	side := make([]uint8, n)
	for v := range n {
		rest := v
		stride := n
		parity := 0
		for _, l := range sides {
			stride /= l
			x := rest / stride
			rest %= stride
			parity += x
			next := v + stride
			if x == l-1 {
				next = v - x*stride
			}
			b.join(v, next)
		}
		side[v] = uint8(parity & 1)
	}
	in := settle(b.finish(n))
	if in.Known || law != Unit {
		return in, nil
	}
	in.Best = int64(m)
	in.Known = true
	in.Side = side
	for _, l := range sides {
		if l%2 == 1 {
			in.Best -= int64(n / l)
		}
	}
	return in, nil
}

// GNP makes a random graph of n vertices in which each pair is joined with
// probability p. It skips over pairs in lexicographic order (Batagelj, Brandes 2005,
// doi:10.1103/PhysRevE.71.036113).
//
// Draws: skip k has who 0 and indices 2k and 2k+1, which give a uniform number as
// rng.Fine does. Logarithms are rounded to multiples of 2^-20, so that the last bits
// of a machine's logarithm do not matter.
func GNP(n int, p float64, law Weights, seed uint32) (*Instance, error) {
	pairs := float64(n) * float64(n-1) / 2
	switch {
	case n < 1:
		return nil, fmt.Errorf("%d vertices; use 1 or more", n)
	case !(p >= 0 && p <= 1):
		return nil, fmt.Errorf("p is %g; use 0 to 1", p)
	}
	b, err := newBuilder(n, p*pairs, law, seed, kindGNP)
	if err != nil {
		return nil, err
	}
	skips := newWords(seed, kindGNP, 0)
	base := math.Log1p(-p)
	u, v := 0, 0
	for k := int64(0); p > 0 && u < n-1; k++ {
		skip := 1.0
		if p < 1 {
			hi, lo := uint64(skips.at(2*k)), uint64(skips.at(2*k+1))
			uniform := (float64(hi<<20|lo>>12) + 0.5) * (1.0 / (1 << 52))
			skip += math.Floor(math.Round(math.Log(uniform)/base*(1<<20)) / (1 << 20))
		}
		if skip > pairs {
			break
		}
		v += int(skip)
		for v >= n && u < n-1 {
			u++
			v += u + 1 - n
		}
		if u < n-1 {
			b.join(u, v)
		}
	}
	return settle(b.finish(n)), nil
}

// settle returns the instance of a graph, whose largest cut is known if the graph is balanced.
func settle(g *Graph) *Instance {
	best, side, ok := g.Balanced()
	return &Instance{g, best, ok, side}
}
