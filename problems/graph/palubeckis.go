package graph

import "fmt"

// Palubeckis makes the QUBO of n variables that the public generator of Palubeckis (Multistart tabu search strategies
// for the unconstrained binary quadratic optimization problem, Ann. Oper. Res. 131, 2004,
// doi:10.1023/B:ANOR.0000039522.58036.68) makes with coefficients from -100 to 100. It is maximized. density is the
// percentage of pairs with a coefficient. The instances p3000.1 to p7000.3 of the literature have the densities 50, 80
// and 100 and seeds such as 31000.
//
// Draws are those of the minimal standard generator, x ← 16807·x mod (2^31 - 1), divided by 2^31: one for the
// coefficient of a variable, then for each later variable one that decides whether the pair has a coefficient, and one
// for it. A pair counts twice, since the sum is that over all elements of a symmetric matrix.
func Palubeckis(n, density int, seed uint32) (Quadratic, error) {
	const modulus = 1<<31 - 1
	switch {
	case density < 0 || density > 100:
		return Quadratic{}, fmt.Errorf("a density of %d; use 0 to 100, a percentage", density)
	case seed < 1 || seed >= modulus:
		return Quadratic{}, fmt.Errorf("a seed of %d; use 1 to %d", seed, modulus-1)
	case n < 1 || float64(n)*float64(n-1)/2 > maxEdges:
		return Quadratic{}, fmt.Errorf("%d variables; use 1 to about 46000, since there may be up to %d pairs", n,
			maxEdges)
	}
	x := uint64(seed)
	uniform := func() float64 {
		x = 16807 * x % modulus
		return float64(x) / (modulus + 1)
	}
	coefficient := func() int64 { return int64(uniform()*201) - 100 }
	q := Quadratic{Linear: make([]int64, n)}
	var pairs Edges
	pairs.Reserve(int(float64(n) * float64(n-1) / 2 * min(1, float64(density)/100+0.01)))
	for i := range n {
		q.Linear[i] = coefficient()
		for j := i + 1; j < n; j++ {
			if float32(uniform()*100) > float32(density) { // in single precision, as in the program
				continue
			}
			if c := coefficient(); c != 0 && !pairs.Add(i, j, 2*c, 0) {
				panic("graph: generated coefficients beyond the exact range") // the number of pairs excludes this
			}
		}
	}
	var err error
	q.Pairs, _, _, err = pairs.Graph(n, false)
	return q, err
}
