package host

import (
	"cmp"
	"slices"

	"github.com/clopt/clopt/problems/rng"
)

// Population annealing (Hukushima and Iba 2003, doi:10.1063/1.1632130): while a population is annealed, some chains of
// small cuts become copies of chains of larger ones. After the temperature has fallen from T' to T:
//
//	all individuals are paired at random, each with one of another word
//	if the cuts of a pair differ by d: the smaller one becomes the larger one with probability 1 - exp(-d·step)
//	   step = 1/T - 1/T', or less, so that at most a share mostReplaced of the population is expected to be replaced
//
// If the steps are small, a population that has the Boltzmann distribution of T' then has that of T. Otherwise few
// chains would be the ancestors of all (Amey and Machta 2018, doi:10.1103/PhysRevE.97.033301): the best one is found
// sooner where chains are stuck, as on almost planar graphs, but where many chains can get there on their own, as on
// random and dense graphs, they would all go to the same valley, which may be the wrong one. Islands keep as many
// valleys as there are islands: individuals are only paired with others of theirs. Pairs are of different words because
// chains of a word share their draws, so that equal ones would stay equal.

// A population is selected `selections` times, or selectionsOfFields where chains keep fields: on dense graphs chains
// that descend from few sooner miss the optimum. Between two selections are at least selectAfter sweeps, because
// devices wait while the host selects.
//
// Slow annealing is selected more often: every selectWithin sweeps, up to mostSelections times. Between 64 selections
// the temperature of a graph of thousands of vertices falls so far that mostReplaced limits nearly all of them, and the
// population does not have the Boltzmann distribution of T. With 512 it nearly has.
const (
	selections         = 64
	selectionsOfFields = 16
	mostSelections     = 512
	selectAfter        = 10
	selectWithin       = 50
	mostReplaced       = 0.2
)

// Selective reports whether populations are selected while they are annealed. It is false if a is nil.
func (a *Annealing) Selective() bool { return a != nil && a.selective }

// leg returns the number of sweeps between two selections.
func (a *Annealing) leg() int {
	if a.Dense != nil {
		return max(a.Sweeps()/selectionsOfFields, selectAfter)
	}
	return max(min(a.Sweeps()/selections, selectWithin), a.Sweeps()/mostSelections, selectAfter)
}

// Leg returns where annealing of p is next interrupted: where it is selected, or at the end. Children are not selected,
// as they compete with their elders.
func (a *Annealing) Leg(p *Population) int {
	if next := (p.Swept/a.leg() + 1) * a.leg(); a.selects(p) && next < a.Sweeps() {
		return next
	}
	return len(a.Temps)
}

// Selects reports whether p is selected now.
func (a *Annealing) Selects(p *Population) bool {
	return a.selects(p) && p.Swept > 0 && p.Swept < a.Sweeps() && p.Swept%a.leg() == 0
}

func (a *Annealing) selects(p *Population) bool { return a.selective && !p.Children() }

// Selections returns the largest number of selections of a population. It is 0 if a is nil.
func (a *Annealing) Selections() int {
	if !a.Selective() {
		return 0
	}
	return a.Sweeps() / a.leg()
}

// Select draws which individuals of p go on after p.Swept sweeps: in the place of individual i, from[i] does. An
// individual that goes on elsewhere also stays in its own place. Select changes the cuts and hashes of p accordingly,
// but not the rows.
func (a *Annealing) Select(p *Population) (from []uint32) {
	from = make([]uint32, p.N)
	for i := range from {
		from[i] = uint32(i)
	}
	width := a.Width()
	when := p.Generation + uint32(p.Swept)
	step := a.step(p)
	words := make([]uint32, (p.N+width-1)/width)
	Permute(words, a.Key, p.Who(MaxIndividuals), when, rng.Shuffle)
	if island := uint32(p.Island / width); island > 0 {
		slices.SortStableFunc(words, func(x, y uint32) int { return cmp.Compare(x/island, y/island) })
	}
	for k := 0; k+1 < len(words); k += 2 {
		first, second := int(words[k])*width, int(words[k+1])*width
		turn := 0
		if width > 1 {
			turn = int(rng.Int(a.Key.Words(1, p.Who(first), when, rng.Donor)[0], uint32(width)))
		}
		for c := range width {
			i, j := first+c, second+(c+turn)%width
			if i >= p.N || j >= p.N {
				continue
			}
			draw := rng.LogUniform(a.Key.Words(0, p.Who(i), when, rng.Donor)[0])
			if p.F[i] < p.F[j] {
				i, j = j, i
			}
			if d := p.F[i] - p.F[j]; d > 0 && draw > -step*float32(d) {
				from[j] = uint32(i)
			}
		}
	}
	for i, k := range from {
		p.F[i], p.Hash[i] = p.F[k], p.Hash[k]
	}
	return from
}

// step returns the difference in 1/T with which p is selected after p.Swept sweeps.
func (a *Annealing) step(p *Population) float32 {
	step := 1/a.Temps[p.Swept] - 1/a.Temps[p.Swept-a.leg()]
	cuts, sum := slices.Sorted(slices.Values(p.F)), 0.0
	for k, f := range cuts {
		sum += float64(2*k+1-p.N) * float64(f-cuts[0])
	}
	// Two random individuals differ by 2·sum/N², and one of them is replaced with at most step times that probability.
	if share := sum / float64(p.N) / float64(p.N); float64(step)*share > mostReplaced {
		return float32(mostReplaced / share)
	}
	return step
}

// Take puts the rows of the individuals from in the places of all.
func (p *Population) Take(from []uint32) {
	for i, k := range from {
		if int(k) != i {
			copy(p.Row(i), p.Row(int(k)))
		}
	}
}
