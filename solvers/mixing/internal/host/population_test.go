package host

import (
	"math"
	"testing"

	"github.com/clopt/clopt/internal/problems/linkage"
	"github.com/clopt/clopt/problems/rng"
)

// Donors are uniform among the parents that differ, few or many, and never the individual itself.
func TestDonorUniform(t *testing.T) {
	const n, draws = 40, 60000
	for _, differing := range []int{1, 3, 39} {
		p := NewPopulation(0, n, 1)
		p.Allocate()
		s := linkage.Set{Lo: 5, Hi: 9}
		for i := range n {
			p.Rows[i] = 1 << 20 // outside the set
			if i < differing || differing == 39 && i != 17 {
				p.Rows[i] |= 1 << 6
			}
		}
		p.Rows[17] = 0
		p.Agree()
		count := make([]int, n)
		for k := range draws {
			p.Generation = uint32(k)
			count[p.donor(rng.Key{Seed: 1}, 0, p.Rows[17:18], 17, 3, s)]++
		}
		chi, want := 0.0, float64(draws)/float64(differing)
		for i, c := range count {
			if p.Rows[i]&(1<<6) == 0 {
				if c != 0 {
					t.Errorf("%d parents differ: parent %d does not, and is a donor", differing, i)
				}
				continue
			}
			chi += (float64(c) - want) * (float64(c) - want) / want
		}
		if df := float64(differing - 1); chi > df+5*math.Sqrt(2*df)+1e-9 {
			t.Errorf("%d parents differ: chi-square is %.1f", differing, chi)
		}
		p.Rows[17] = 1 << 6
		if differing == 39 && p.donor(rng.Key{}, 0, p.Rows[17:18], 17, 3, s) >= 0 {
			t.Error("there is a donor although all parents agree")
		}
	}
}
