package cec2013

import (
	"bufio"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"sort"
	"strings"
	"testing"

	"github.com/clopt/clopt/test/datatest"
	"github.com/stretchr/testify/require"
)

// TestConflictBound proves that F14 with the official data exceeds 4.05e6 everywhere. The best point that is known has
// a value of 4.304e6.
//
// Neighbouring groups share five variables, for which each has a shift of its own. Let each group have its own copies
// of them, and add for each pair of copies a multiplier times the difference of both. At a point of F14 the differences
// are 0. So the least value of this sum is a bound of F14, with any multipliers (Lagrangian relaxation).
//
// The sum falls apart into the groups. With the partial sums S_i = y_0 + … + y_i of Schwefel's function, that of a
// group is Σ_i [ w S_i² + m_i t_i(S_i - S_{i-1}) ], where t_i is the inverse of the transformations and m the rotated
// multipliers. This is a chain, of which dynamic programming over intervals of S_i finds a bound.
func TestConflictBound(t *testing.T) {
	data, err := Load(datatest.CEC2013(t), 14)
	require.NoError(t, err)
	cells, want := 800, 4.05e6
	if testing.Short() {
		cells, want = 200, 3.65e6
	}
	multipliers := readMultipliers(t)
	require.Len(t, multipliers, 5*(len(data.Sizes)-1))
	bound, at := 0.0, 0
	for g, s := range data.Sizes {
		along := make([]float64, s) // the multipliers of the variables of the group
		if g > 0 {
			for j := range 5 {
				along[j] = -multipliers[5*(g-1)+j]
			}
		}
		if g+1 < len(data.Sizes) {
			for j := range 5 {
				k := s - 5 + j
				along[k] = multipliers[5*g+j]
				bound += along[k] * (data.Shift[at+k] - data.Shift[at+s+j])
			}
		}
		m := make([]float64, s)
		for i := range m {
			for j, a := range along {
				m[i] += data.R[s][i*s+j] * a
			}
		}
		bound += leastOfChain(data.Weights[g], m, cells)
		at += s
	}
	t.Logf("F14 is at least %.6g", bound)
	require.Greater(t, bound, want)
	require.Less(t, bound, 4.305e6, "the value of a point that is known")
}

// TestLeastOfChain compares the bound with sums at points, of which the best is a tenth above it.
func TestLeastOfChain(t *testing.T) {
	m, w := make([]float64, 10), 2.0
	for i := range m {
		m[i] = 20 * math.Sin(float64(5*i+1))
	}
	bound, best := leastOfChain(w, m, 100), 0.0
	draws := rand.New(rand.NewPCG(1, 1))
	at, s := make([]float64, len(m)), make([]float64, len(m))
	for range 50000 {
		last, f := 0.0, 0.0
		for i := range s {
			s[i] = at[i] + draws.NormFloat64()
			f += w*s[i]*s[i] + m[i]*inverseAt(float64(i)/float64(len(m)-1)).above(s[i]-last)
			last = s[i]
		}
		require.Greater(t, f, bound)
		if f < best {
			best = f
			copy(at, s)
		}
	}
	t.Log(bound, best)
	require.InEpsilon(t, bound, best, 0.1)
}

// readMultipliers reads the numbers in testdata/f14-multipliers.txt.
func readMultipliers(t *testing.T) (all []float64) {
	file, err := os.Open("testdata/f14-multipliers.txt")
	require.NoError(t, err)
	defer file.Close()
	for lines := bufio.NewScanner(file); lines.Scan(); {
		if strings.HasPrefix(lines.Text(), "#") {
			continue
		}
		for _, word := range strings.Fields(lines.Text()) {
			var v float64
			_, err := fmt.Sscan(word, &v)
			require.NoError(t, err)
			all = append(all, v)
		}
	}
	return all
}

// leastOfChain returns a lower bound of Σ_i [ w S_i² + m_i t_i(S_i - S_{i-1}) ] over all S. S_{-1} is 0, and t_i the
// inverse of T_asy(T_osz) at position i. Since t_i(v) is near v, it splits m_i t_i(v) into m_i S_i - m_i S_{i-1}, of
// which the least value in a cell is known, and m_i (t_i(v) - v), which changes little within a cell.
func leastOfChain(w float64, m []float64, cells int) float64 {
	const pieces = 8                         // of a cell, in which t_i(v) - v is bounded
	width := farthest(w, m) / float64(cells) // cell a is the interval [a - 1/2, a + 1/2] times the width
	cost := make([]float64, 2*cells+1)       // of the sum up to S_i, by the cell of S_i
	next := make([]float64, len(cost))
	part := make([]float64, 4*pieces*(cells+1)) // bounds of m_i (t_i(v) - v)
	move := make([]float64, 4*cells+1)          // the same, by the difference of two cells
	for a := range cost {
		cost[a] = math.Inf(1)
	}
	cost[cells] = 0
	for i, mi := range m {
		inverse := inverseAt(float64(i) / float64(len(m)-1))
		for k := range part {
			v0, v1 := float64(k-len(part)/2)*width/pieces, float64(k+1-len(part)/2)*width/pieces
			if mi > 0 {
				part[k] = mi * (inverse.below(v0) - v1)
			} else {
				part[k] = mi * (inverse.above(v1) - v0)
			}
		}
		for k := range move {
			move[k] = slices.Min(part[k*pieces : (k+2)*pieces])
		}
		slope := mi
		if i+1 < len(m) {
			slope -= m[i+1]
		}
		for a := range next {
			best := math.Inf(1)
			for b, c := range cost {
				best = min(best, c+move[a-b+2*cells])
			}
			middle := width * float64(a-cells)
			s := min(max(-slope/(2*w), middle-width/2), middle+width/2)
			next[a] = best + (w*s+slope)*s
		}
		cost, next = next, cost
	}
	return slices.Min(cost)
}

// farthest returns a number that no |S_i| exceeds where the sum of leastOfChain is 0 or less, which it is at S = 0.
// |t_i(v)| is at most a(|v| + 1) with a = exp(0.098). So w|S|² ≤ a Σ_i |m_i| (|S_i| + |S_{i-1}| + 1).
func farthest(w float64, m []float64) float64 {
	a := math.Exp(0.098)
	squares, sum := 0.0, 0.0
	for i, mi := range m {
		both := math.Abs(mi)
		sum += both
		if i+1 < len(m) {
			both += math.Abs(m[i+1])
		}
		squares += both * both
	}
	b := a * math.Sqrt(squares)
	return (b + math.Sqrt(b*b+4*w*a*sum)) / (2 * w)
}

// inverse has values v of the transformations T_asy(T_osz(z)) at one position, in the order of z.
type inverse struct{ z, v []float64 }

// inverses has those of the positions u = i/(n-1) that were asked for.
var inverses = map[float64]inverse{}

func inverseAt(u float64) inverse {
	n, ok := inverses[u]
	for k := -16000; !ok && k <= 16000; k++ { // to 8900, in steps of a thousandth
		z := math.Copysign(1e-3*math.Expm1(1e-3*math.Abs(float64(k))), float64(k))
		n.z, n.v = append(n.z, z), append(n.v, cecAsy(cecOsz(z), u))
	}
	inverses[u] = n
	return n
}

// above returns a number that is at least the z at which the transformed value is v.
func (n inverse) above(v float64) float64 { return n.z[sort.SearchFloat64s(n.v, v)] }

// below returns a number that is at most that z.
func (n inverse) below(v float64) float64 { return n.z[max(0, sort.SearchFloat64s(n.v, v)-1)] }
