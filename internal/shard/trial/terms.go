package trial

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/clopt/clopt/problems"
)

// Terms is what the components of a problem add to its accumulators at a point.
type Terms struct {
	Sums  []float64 // the accumulators; nil: they are not known
	Sizes []float64 // of each accumulator, the sum of the sizes of what is added to it
	All   int       // components
	Odd   int       // those that add a number that is not finite
	First []int     // the numbers of the first few of these, in order
	odd   []int     // the numbers of all of these
}

// NotFinite returns the numbers of the components that add a number that is not finite, in any order.
func (t Terms) NotFinite() []int { return t.odd }

// mostNamed is the largest number of components in Terms.First.
const mostNamed = 5

func newTerms(p problems.Problem) Terms {
	return Terms{Sums: make([]float64, p.Accumulators()), Sizes: make([]float64, p.Accumulators()), All: p.Tiling().M}
}

// Add counts component k, which adds acc.
func (t *Terms) Add(k int, acc []float64) {
	odd := false
	for a, v := range acc {
		t.Sums[a] += v
		t.Sizes[a] += math.Abs(v)
		odd = odd || math.IsNaN(v) || math.IsInf(v, 0)
	}
	if !odd {
		return
	}
	t.Odd++
	t.odd = append(t.odd, k)
	at, _ := slices.BinarySearch(t.First, k)
	t.First = slices.Insert(t.First, at, k)
	t.First = t.First[:min(len(t.First), mostNamed)]
}

// TermsOf returns the terms of a problem at x by the host reference.
func TermsOf(p problems.Referenced, x []float64) Terms {
	t, tiling := newTerms(p), p.Tiling()
	acc := make([]float64, p.Accumulators())
	for tile := range tiling.Tiles() {
		first, end := tiling.Reads(tile)
		lo, hi := tiling.Comps(tile)
		for k := lo; k < hi; k++ {
			clear(acc)
			p.HostComponent(k, first, x[first:end], acc)
			t.Add(k, acc)
		}
	}
	return t
}

// String says which components are not finite, such as "12 of 40 components (30 %) are not finite: 3, 5, 8, …".
func (t Terms) String() string {
	if t.All == 1 {
		return "the only component is not finite"
	}
	names := strings.Trim(strings.Join(strings.Fields(fmt.Sprint(t.First)), ", "), "[]")
	if t.Odd > len(t.First) {
		names += ", …"
	}
	are := "are"
	if t.Odd == 1 {
		are = "is"
	}
	return fmt.Sprintf("%d of %d components (%.3g %%) %s not finite: %s", t.Odd, t.All,
		100*float64(t.Odd)/float64(t.All), are, names)
}

// add adds the terms of the n components from number first on, of the last launch, at a stored point.
func (t *trial) add(first, n uint32) error {
	if t.x == nil {
		return nil
	}
	width := t.p.Accumulators()
	all := make([]float64, int(n)*width)
	if err := t.terms.Read(0, all); err != nil {
		return err
	}
	for i := range int(n) {
		t.added.Add(int(first)+i, all[i*width:(i+1)*width])
	}
	return nil
}
