package host

import (
	"math"

	"github.com/clopt/clopt/internal/problems/linkage"
	"github.com/clopt/clopt/problems/rng"
)

// Population is the parents of a generation and the offspring so far. A population on devices has no rows here.
type Population struct {
	Members
	Words      int      // of a row
	Rows, Next []uint64 // parents and offspring, row after row

	changed []uint64 // the vertices in which the parents are not all equal
}

// Members is what is known of the individuals of a population besides their partitions.
type Members struct {
	ID         uint32   // number of the population in the run, below 32
	N          int      // individuals
	Island     int      // individuals that are selected among each other; 0: all
	F          []int64  // cut of each individual
	Hash       []uint64 // of each partition
	Idle       []int32  // generations in a row without improvement
	Generation uint32   // counts its draws
	Made       int      // individuals of this generation, or of the sweeps in progress, so far
	Swept      int      // sweeps of annealing that all individuals have made; 0 after the last one
	Annealed   []uint32 // during annealing on devices: two numbers for each unit, see kernels/solvers/mixing/rest.cl
	Stopped    bool     // there will be no more generations
	ElderF     []int64  // while children are annealed: the cuts of the individuals that they may replace
	ElderHash  []uint64 // and the hashes of those
}

// NewPopulation returns a population of n individuals without rows. A row has a number of words.
func NewPopulation(id uint32, n, words int) *Population {
	return &Population{Words: words,
		Members: Members{ID: id, N: n, F: make([]int64, n), Hash: make([]uint64, n), Idle: make([]int32, n)}}
}

// Allocate allocates the rows, for a population on the host.
func (p *Population) Allocate() {
	p.Rows = make([]uint64, p.N*p.Words)
	p.Next = make([]uint64, p.N*p.Words)
	p.changed = make([]uint64, p.Words)
}

// Free drops the rows.
func (p *Population) Free() {
	p.Rows = nil
	p.Next = nil
	p.changed = nil
}

// Row returns parent i, which the caller may change.
func (p *Population) Row(i int) []uint64 { return p.Rows[i*p.Words : (i+1)*p.Words] }

// NextRow returns offspring i, which the caller may change.
func (p *Population) NextRow(i int) []uint64 { return p.Next[i*p.Words : (i+1)*p.Words] }

// MaxIndividuals bounds a population: the counters of draws have 27 bits for an individual and 5 for its population.
const MaxIndividuals = 1<<27 - 1

// Who returns the number of individual i in the counters of draws.
func (p *Population) Who(i int) uint32 { return p.ID<<27 | uint32(i) }

// Draw draws parent i, a partition of n vertices, with one counter for 128 of them.
func (p *Population) Draw(key rng.Key, i, n int) {
	row := p.Row(i)
	for b := range (n + 127) / 128 {
		w := key.Words(uint32(b), p.Who(i), p.Generation, rng.Init)
		row[2*b] = uint64(w[0]) | uint64(w[1])<<32
		if 2*b+1 < len(row) {
			row[2*b+1] = uint64(w[2]) | uint64(w[3])<<32
		}
	}
	if n%64 != 0 {
		row[len(row)-1] &= 1<<(n%64) - 1
	}
}

// Agree finds the vertices in which the parents are not all equal. It is called once for each generation. There is no
// donor for a set in which the parents are all equal, and the offspring equals them.
func (p *Population) Agree() {
	clear(p.changed)
	first := p.Row(0)
	for i := 1; i < p.N; i++ {
		for k, w := range p.Row(i) {
			p.changed[k] |= w ^ first[k]
		}
	}
}

// Average returns the mean cut.
func (p *Population) Average() float64 {
	sum := 0.0
	for _, f := range p.F {
		sum += float64(f)
	}
	return sum / float64(p.N)
}

// Uniform reports whether all individuals are the same cut. whole is Mixture.Whole.
func (p *Population) Uniform(whole uint64) bool {
	for i := range p.F {
		if p.F[i] != p.F[0] || p.Hash[i] != p.Hash[0] && p.Hash[i] != p.Hash[0]^whole {
			return false
		}
	}
	return true
}

// Patience returns the number of generations without improvement after which improvement is forced, for a population
// of n.
func Patience(n int) int32 { return int32(math.Floor(1 + math.Log10(float64(n)))) }

// DonorRule says how a donor is chosen.
type DonorRule int

// The rules.
const (
	Differing DonorRule = iota // uniformly among the parents that differ in the set
	Single                     // one parent; the set is skipped if it does not differ
)

// divided reports whether the parents differ in a set.
func (p *Population) divided(s linkage.Set) bool {
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

// donor draws a parent other than i that differs from o in a set, uniform among all of them, or returns -1 if there is
// none. It tries four times, and then counts them and draws a rank.
func (p *Population) donor(key rng.Key, rule DonorRule, o []uint64, i int, set uint32, s linkage.Set) int {
	if !p.divided(s) && !differ(o, p.Row(0), s.Lo, s.Hi) {
		return -1
	}
	who := p.Who(i)
	for k, w := range key.Words(set, who, p.Generation, rng.Donor) {
		j := int(rng.Int(w, uint32(p.N-1)))
		if j >= i {
			j++
		}
		if differ(o, p.Row(j), s.Lo, s.Hi) {
			return j
		}
		if rule == Single && k == 0 {
			return -1
		}
	}
	count := uint32(0)
	for j := range p.N {
		if j != i && differ(o, p.Row(j), s.Lo, s.Hi) {
			count++
		}
	}
	if count == 0 {
		return -1
	}
	r := rng.Int(key.Words(set, who, p.Generation, rng.Scan)[0], count)
	for j := range p.N {
		if j != i && differ(o, p.Row(j), s.Lo, s.Hi) {
			if r == 0 {
				return j
			}
			r--
		}
	}
	panic("mixing: there are fewer donors than counted")
}
