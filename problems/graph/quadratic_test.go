package graph

import (
	"testing"

	"github.com/clopt/clopt/problems/rng"
)

// TestReductions checks that the cuts of all partitions have the values of the QUBO
// and of the Ising problem, with and without linear terms.
func TestReductions(t *testing.T) {
	key := rng.Key{Seed: 3}
	for trial := range uint32(20) {
		const n = 6
		in, err := GNP(n, 0.6, Weights{Lo: -9, Hi: 9}, trial)
		if err != nil {
			t.Fatal(err)
		}
		q := &Quadratic{Linear: make([]int64, n), Pairs: in.Graph}
		for i := range q.Linear {
			if trial%3 > 0 {
				q.Linear[i] = int64(rng.Int(key.Word(uint32(i), trial, 0, rng.Check), 19)) - 9
			}
		}
		value := func(z []int64) (f int64) {
			for i, a := range q.Linear {
				f += a * z[i]
				for e := q.Pairs.Offsets[i]; e < q.Pairs.Offsets[i+1]; e++ {
					if j := int(q.Pairs.Neighbors[e]); j > i {
						f += q.Pairs.Weights[e] * z[i] * z[j]
					}
				}
			}
			return f
		}
		bits := q.QUBO()
		spins, constant := q.Ising()
		if err := bits.Validate(); err != nil {
			t.Fatalf("%s: %v", "qubo", err)
		}
		if err := spins.Validate(); err != nil {
			t.Fatalf("%s: %v", "ising", err)
		}
		if root := spins.N() == n+1; root != (trial%3 > 0) || bits.N() != n+1 {
			t.Errorf("trial %d: %d and %d vertices", trial, bits.N(), spins.N())
		}
		for x := range 1 << n {
			y, s := make([]int64, n), make([]int64, n)
			side, turned := make([]uint8, n+1), make([]uint8, n+1)
			for i := range n {
				bit := uint8(x >> i & 1)
				y[i], s[i] = int64(bit), 2*int64(bit)-1
				side[i], turned[i] = bit, 1^bit
			}
			turned[n] = 1
			if f := value(y); -bits.Cut(side) != 2*f || bits.Cut(turned) != bits.Cut(side) {
				t.Fatalf("trial %d, %b: QUBO %d, cut %d", trial, x, f, bits.Cut(side))
			}
			side[n] = 1
			if f := value(s); constant-2*spins.Cut(side) != f {
				t.Fatalf("trial %d, %b: Ising %d, cut %d, constant %d", trial, x, f, spins.Cut(side), constant)
			}
		}
	}
}
