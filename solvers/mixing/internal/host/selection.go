package host

import (
	"slices"

	"github.com/clopt/clopt/problems/graph"
	"github.com/clopt/clopt/problems/rng"
)

// Population annealing (Hukushima and Iba 2003, doi:10.1063/1.1632130): while a population is annealed, some chains of
// small cuts become copies of chains of larger ones. After the temperature has fallen from T' to T:
//
//	a few times, for all individuals i at once:
//	   j = another individual, of another word
//	   if its cut is larger by d: i becomes j with probability 1 - exp(-d·(1/T - 1/T')/times)
//
// If the steps are small, a population that has the Boltzmann distribution of T' then has that of T. j is of another
// word because chains of a word share their draws, so that equal ones would stay equal.

// A population is selected after at least selectAfter sweeps each time, and about `selections` times.
const (
	selections  = 64
	selectAfter = 10
	selectTimes = 4
)

// fewEdges is the largest number of edges for each vertex at which populations are not selected. Annealed partitions
// of such a graph differ in many small components, and mixing needs partitions that do not descend from each other.
const fewEdges = 2

func selective(g *graph.Graph) bool { return g.M() > fewEdges*g.N() }

// Selective reports whether populations are selected while they are annealed. It is false if a is nil.
func (a *Annealing) Selective() bool { return a != nil && a.selective }

// leg returns the number of sweeps between two selections.
func (a *Annealing) leg() int { return max(a.Sweeps()/selections, selectAfter) }

// Leg returns where annealing of a population that has made some sweeps is next interrupted: where it is selected, or
// at the end.
func (a *Annealing) Leg(made int) int {
	if next := (made/a.leg() + 1) * a.leg(); a.selective && next < a.Sweeps() {
		return next
	}
	return len(a.Temps)
}

// Selects reports whether a population is selected after a number of sweeps.
func (a *Annealing) Selects(made int) bool {
	return a.selective && made > 0 && made < a.Sweeps() && made%a.leg() == 0
}

// Selections returns the largest number of selections of a population. It is 0 if a is nil.
func (a *Annealing) Selections() int {
	if !a.Selective() {
		return 0
	}
	return a.Sweeps() / a.leg()
}

// Select draws which individuals of p go on after p.Swept sweeps: in the place of individual i, from[i] does. It
// changes the cuts and hashes of p accordingly, but not the rows.
func (a *Annealing) Select(p *Population) (from []uint32) {
	from = make([]uint32, p.N)
	for i := range from {
		from[i] = uint32(i)
	}
	step := (1/a.Temps[p.Swept] - 1/a.Temps[p.Swept-a.leg()]) / selectTimes
	for n := range uint32(selectTimes) {
		before := slices.Clone(from)
		for i := range from {
			own := i / a.Width() * a.Width()
			others := p.N - min(a.Width(), p.N-own)
			if others == 0 {
				continue
			}
			w := a.Key.Words(n, p.Who(i), p.Generation+uint32(p.Swept), rng.Donor)
			j := int(rng.Int(w[0], uint32(others)))
			if j >= own {
				j += p.N - others
			}
			if d := p.F[before[j]] - p.F[before[i]]; d > 0 && rng.LogUniform(w[1]) > -step*float32(d) {
				from[i] = before[j]
			}
		}
	}
	f, hash := slices.Clone(p.F), slices.Clone(p.Hash)
	for i, k := range from {
		p.F[i], p.Hash[i] = f[k], hash[k]
	}
	return from
}

// Take puts the rows of the individuals from in the places of all.
func (p *Population) Take(from []uint32) {
	for i, k := range from {
		copy(p.NextRow(i), p.Row(int(k)))
	}
	p.Rows, p.Next = p.Next, p.Rows
}
