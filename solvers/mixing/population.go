package mixing

import (
	"math"

	"github.com/clopt/clopt/problems/graph"
	"github.com/clopt/clopt/problems/linkage"
	"github.com/clopt/clopt/problems/rng"
)

// mixture is a graph in the leaf order of a linkage model: what one generation
// needs beside a population. Vertices are positions in that order.
type mixture struct {
	graph *graph.Graph
	model *linkage.Model
	field field
	hash  []uint64 // of a vertex on side 1
	whole uint64   // hash of the partition with all vertices on side 1
	worst int64    // edges evaluated at most in one pass over all sets
}

func newMixture(g *graph.Graph, m *linkage.Model, key rng.Key) *mixture {
	x := &mixture{graph: linkage.Relabel(g, m.Order), model: m, hash: make([]uint64, g.N())}
	x.field = newField(x.graph)
	for p, v := range m.Order {
		w := key.Words(v, 0, 0, rng.Zobrist)
		x.hash[p] = uint64(w[0])<<32 | uint64(w[1])
		x.whole ^= x.hash[p]
	}
	for _, s := range m.Sets {
		x.worst += min(int64(x.graph.Offsets[s.Hi]-x.graph.Offsets[s.Lo]), int64(g.M()))
	}
	return x
}

func wordsOf(n int) int { return (n + 63) / 64 }

// hashOf is the hash of a partition.
func (x *mixture) hashOf(o []uint64) (h uint64) {
	for v, z := range x.hash {
		if side(o, uint32(v)) != 0 {
			h ^= z
		}
	}
	return h
}

// elite is the best partition of a run. A partition and its complement are the
// same cut.
type elite struct {
	row   []uint64
	f     int64
	hash  uint64
	found bool
}

// is tells whether a partition of cut f and that hash is the elitist.
func (e *elite) is(f int64, hash, whole uint64) bool {
	return f == e.f && e.found && (hash == e.hash || hash == e.hash^whole)
}

// offer takes o if it is better.
func (e *elite) offer(o []uint64, f int64, hash uint64) {
	if !e.found || f > e.f {
		copy(e.row, o)
		e.f, e.hash, e.found = f, hash, true
	}
}

// population is the parents of a generation and the offspring so far.
type population struct {
	id         uint32
	n          int
	words      int      // of a row
	rows, next []uint64 // parents and offspring
	f          []int64
	hash       []uint64
	idle       []int32 // generations in a row without improvement
	generation uint32  // the counter of its draws
	at         int     // offspring done
	changed    []uint64
	stopped    bool
}

func newPopulation(id uint32, n, words int) *population {
	return &population{id: id, n: n, words: words, f: make([]int64, n), hash: make([]uint64, n), idle: make([]int32, n)}
}

// room makes the rows of a population that lives on the host.
func (p *population) room() {
	p.rows, p.next, p.changed = make([]uint64, p.n*p.words), make([]uint64, p.n*p.words), make([]uint64, p.words)
}

// free gives the rows back.
func (p *population) free() { p.rows, p.next, p.changed = nil, nil, nil }

func (p *population) row(i int) []uint64 { return p.rows[i*p.words : (i+1)*p.words] }

// maxIndividuals bounds a population: draws have 27 bits for an individual
// and 5 for its population.
const maxIndividuals = 1<<27 - 1

func (p *population) who(i int) uint32 { return p.id<<27 | uint32(i) }

// populate draws row i, 128 vertices a block.
func (p *population) populate(key rng.Key, i, n int) {
	row := p.row(i)
	for b := range (n + 127) / 128 {
		w := key.Words(uint32(b), p.who(i), p.generation, rng.Init)
		row[2*b] = uint64(w[0]) | uint64(w[1])<<32
		if 2*b+1 < len(row) {
			row[2*b+1] = uint64(w[2]) | uint64(w[3])<<32
		}
	}
	if n%64 != 0 {
		row[len(row)-1] &= 1<<(n%64) - 1
	}
}

// agree notes where the parents are not unanimous, once per generation: where
// they all are, and o is like them, there is no donor.
func (p *population) agree() {
	clear(p.changed)
	first := p.row(0)
	for i := 1; i < p.n; i++ {
		for k, w := range p.row(i) {
			p.changed[k] |= w ^ first[k]
		}
	}
}

// average is the mean cut.
func (p *population) average() float64 {
	sum := 0.0
	for _, f := range p.f {
		sum += float64(f)
	}
	return sum / float64(p.n)
}

// uniform says whether all individuals are one cut.
func (p *population) uniform(whole uint64) bool {
	for i := range p.f {
		if p.f[i] != p.f[0] || p.hash[i] != p.hash[0] && p.hash[i] != p.hash[0]^whole {
			return false
		}
	}
	return true
}

// patience is how many generations without improvement an individual has
// before improvement is forced.
func patience(n int) int32 { return int32(math.Floor(1 + math.Log10(float64(n)))) }

// donorRule is how a donor is chosen.
type donorRule int

const (
	differing donorRule = iota // uniformly among the parents that differ in the set
	single                     // one parent; the set is skipped if it does not differ
)

// divided says whether the parents differ anywhere in a set.
func (p *population) divided(s linkage.Set) bool {
	first, last := masks(s.Lo, s.Hi)
	i, j := s.Lo>>6, (s.Hi-1)>>6
	if i == j {
		return p.changed[i]&first&last != 0
	}
	if p.changed[i]&first != 0 || p.changed[j]&last != 0 {
		return true
	}
	for k := i + 1; k < j; k++ {
		if p.changed[k] != 0 {
			return true
		}
	}
	return false
}

// donor chooses a parent other than i that differs from o in a set, or -1.
// Uniform among those that do: four tries among all, then the r-th of a count.
func (p *population) donor(key rng.Key, rule donorRule, o []uint64, i int, set uint32, s linkage.Set) int {
	if !p.divided(s) && !differ(o, p.row(0), s.Lo, s.Hi) {
		return -1
	}
	who := p.who(i)
	for k, w := range key.Words(set, who, p.generation, rng.Donor) {
		j := int(rng.Int(w, uint32(p.n-1)))
		if j >= i {
			j++
		}
		if differ(o, p.row(j), s.Lo, s.Hi) {
			return j
		}
		if rule == single && k == 0 {
			return -1
		}
	}
	count := uint32(0)
	for j := range p.n {
		if j != i && differ(o, p.row(j), s.Lo, s.Hi) {
			count++
		}
	}
	if count == 0 {
		return -1
	}
	r := rng.Int(key.Words(set, who, p.generation, rng.Scan)[0], count)
	for j := range p.n {
		if j != i && differ(o, p.row(j), s.Lo, s.Hi) {
			if r == 0 {
				return j
			}
			r--
		}
	}
	panic("solvers: a donor was lost")
}
