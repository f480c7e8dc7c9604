package host

import (
	"math/bits"

	"github.com/clopt/clopt/problems/rng"
)

// Crossing makes children of annealed individuals on a dense graph, where mixing by components cannot, because two
// partitions differ in one component. In each generation:
//
//	for each individual o of P, and a mate d in P that is another cut:
//	   D = where o differs from d, or from the complement of d, whichever is less, without the anchor
//	   child = o with random sides in D, annealed again from a low temperature
//	   o = child if its cut is larger, or as large, and no individual had it or has it now
//
// So the search goes on in the vertices about which good partitions disagree. If they disagree about most vertices, as
// on complete graphs of random signs, there is nothing that children could keep, and no generation is made. While
// children are annealed, the population has them, and the cuts of their elders are in ElderF and ElderHash.

// reheated is the temperature from which children are annealed, divided by that at which the graph freezes.
const reheated = 0.25

// mostApart is the largest share of the vertices in which individuals and their mates may differ, on average. They
// differ in 0.06 of them on qubo:palubeckis=5000,density=50,seed=51000, and in 0.45 on a complete graph of 1000
// vertices and random signs, both after annealing.
const mostApart = 0.2

// Apart reports whether individuals of n vertices are too different for children. Individual i and its mate differ in
// sizes[i] vertices.
func Apart(sizes []uint32, n int) bool {
	sum := 0.0
	for _, s := range sizes {
		sum += float64(s)
	}
	return sum > mostApart*float64(n)*float64(len(sizes))
}

// patient is the number of generations in which the largest cut may stay the same. They take about as long as annealing
// two or three new populations.
const patient = 16

// Stands reports whether the largest cut of p has stayed the same for long. Others may still grow, since of many
// individuals some do in nearly every generation, but then a new population finds more.
func (p *Population) Stands() bool {
	best, idle := p.F[0], int32(0)
	for i, f := range p.F {
		if f > best {
			best, idle = f, 0
		}
		if f == best {
			idle = max(idle, p.Idle[i])
		}
	}
	return idle >= patient
}

// Reheat returns the number of the sweep with which annealing of children begins.
func (a *Annealing) Reheat() int {
	for s, t := range a.Temps {
		if float64(t) <= a.warm {
			return s
		}
	}
	return a.Sweeps()
}

// Children reports whether p has children that are annealed.
func (p *Population) Children() bool { return len(p.ElderF) > 0 }

// Begin makes the individuals of p elders, before their children take their rows. Annealing begins with a sweep.
func (p *Population) Begin(sweep int) {
	p.ElderF, p.ElderHash = append([]int64(nil), p.F...), append([]uint64(nil), p.Hash...)
	p.Swept = sweep
}

// Child sets a row to the child of individual i of n vertices and its mate, and returns in how many vertices they
// differ. Vertex anchor keeps its side.
func (p *Population) Child(key rng.Key, i int, mate, anchor uint32, n int, row []uint64) uint32 {
	own := p.Row(i)
	copy(row, own)
	if mate == mateNone {
		return 0
	}
	other := p.Row(int(mate))
	size := 0
	flip := uint64(0)
	for k := range own {
		size += bits.OnesCount64(own[k] ^ other[k])
	}
	if 2*size > n {
		size, flip = n-size, ^flip
	}
	var words [4]uint32
	for k := range own {
		if k%2 == 0 {
			words = key.Words(uint32(k/2), p.Who(i), p.Generation, rng.Cross)
		}
		d := own[k] ^ other[k] ^ flip
		if n-64*k < 64 {
			d &= 1<<(n%64) - 1
		}
		if k == int(anchor/64) {
			d &^= 1 << (anchor % 64)
		}
		row[k] ^= d & Pair(words[:], k%2*2)
	}
	return uint32(size)
}

// Settle ends a generation of children. It returns for each individual its number if the child stays, and otherwise
// 2^32-1: there the elder has its place back. whole is Mixture.Whole. Settle changes all but the rows.
func (p *Population) Settle(whole uint64) (from []uint32) {
	type cut struct {
		f    int64
		hash uint64
	}
	at := func(f int64, hash uint64) cut { return cut{f, min(hash, hash^whole)} }
	seen := make(map[cut]bool, p.N)
	for i, f := range p.ElderF {
		seen[at(f, p.ElderHash[i])] = true
	}
	from = make([]uint32, p.N)
	for i := range from {
		f, child := p.ElderF[i], at(p.F[i], p.Hash[i])
		if p.F[i] >= f && !seen[child] {
			from[i], seen[child] = uint32(i), true
		} else {
			from[i] = mateNone
			p.F[i] = f
			p.Hash[i] = p.ElderHash[i]
		}
		p.Age(i, f)
	}
	p.ElderF, p.ElderHash = nil, nil
	return from
}
