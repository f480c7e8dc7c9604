package graph

import (
	"encoding/json"
	"fmt"
	"math"
	"math/big"
	"slices"
	"testing"

	"github.com/clopt/clopt/internal/problems/input"
	"github.com/clopt/clopt/problems/rng"
)

// A model with fixed variables has the values of the whole model at all points in which they have their values.
func TestFix(t *testing.T) {
	const n = 8
	m := NewModel(Bits, Quadratic{Linear: make([]int64, n)})
	m.Offset.SetFrac64(-7, 4)
	m.Scale.SetFrac64(3, 2)
	key := rng.Key{Seed: 1}
	edges := Edges{}
	for i := range n {
		m.Names = append(m.Names, fmt.Sprint("v", i))
		m.Linear[i] = int64(key.Word(uint32(i), 0, 0, rng.Check)%199) - 99
		for j := range i {
			if w := int64(key.Word(uint32(i), uint32(j), 1, rng.Check)%19) - 9; w != 0 {
				edges.Add(j, i, w, 1)
			}
		}
	}
	m.Pairs, _, _, _ = edges.Graph(n, false)
	for _, value := range []map[int]uint8{{0: 1}, {7: 0}, {2: 1, 3: 0, 5: 1, 6: 1}, {1: 0, 0: 0}} {
		is := map[int]*big.Rat{}
		for v, one := range value {
			is[v] = new(big.Rat).SetInt64(int64(one))
		}
		fixed, rounded := m.Fix(is)
		if rounded > 0 {
			t.Fatal(rounded)
		}
		if err := fixed.Pairs.Validate(); err != nil {
			t.Fatal(err)
		}
		left := slices.Clone(m.Names)
		var want []input.Fixed
		for v := n - 1; v >= 0; v-- {
			if one, ok := value[v]; ok {
				left = slices.Delete(left, v, v+1)
				want = slices.Insert(want, 0, input.Fixed{Name: m.Names[v], Value: json.Number(fmt.Sprint(one))})
			}
		}
		if !slices.Equal(fixed.Names, left) || !slices.Equal(fixed.Fixed, want) {
			t.Errorf("%v: %v and %v, want %v and %v", value, fixed.Names, fixed.Fixed, left, want)
		}
		for point := range 1 << fixed.N() {
			var all, free []uint8
			for v := range n {
				one, ok := value[v]
				if !ok {
					one = uint8(point >> len(free) & 1)
					free = append(free, one)
				}
				all = append(all, one)
			}
			if f, g := m.Value(all), fixed.Value(free); f.Cmp(g) != 0 {
				t.Fatalf("%v: %v at %v, want %v", value, g, free, f)
			}
		}
	}
}

// Values with more decimals than sums have room for leave a function that is as exact as float64.
func TestFixRounds(t *testing.T) {
	edges := Edges{}
	edges.Add(0, 1, 33333333333333333, 17)
	edges.Add(1, 2, -7, 0)
	edges.Add(2, 3, 1, 17)
	m := NewModel(Bits, Quadratic{Linear: []int64{0, 0, 12345678901234567, 0}})
	m.Pairs, _, _, _ = edges.Graph(4, false)
	m.Names = []string{"c", "x", "y", "z"}
	for _, c := range []float64{-0.1234567890123456, 1e-300, 4096.0001, 1e17} {
		is, _ := new(big.Rat).SetString(fmt.Sprint(c))
		fixed, rounded := m.Fix(map[int]*big.Rat{0: is})
		if err := fixed.Validate(); err != nil || rounded == 0 {
			t.Fatal(c, rounded, err)
		}
		all, most := fixed.Value([]uint8{0, 1, 1}), big.NewRat(1, 1e18)
		if all.Sub(all, fixed.Value([]uint8{0, 1, 0})); all.Sub(all, input.Ratio(1, 17)).Abs(all).Cmp(most) > 0 {
			t.Errorf("c = %v: the smallest pair adds %v to 1e-17", c, all.FloatString(25))
		}
		for _, y := range []float64{0, 1} {
			got, _ := fixed.Value([]uint8{1, uint8(y), 0}).Float64()
			if want := 0.33333333333333333*c + y*(0.12345678901234567-7); math.Abs(got-want) > 1e-15*(math.Abs(c)+8) {
				t.Errorf("c = %v, y = %v: %v, want %v", c, y, got, want)
			}
		}
	}
}

// Weights of 1 count when the unit of the coefficients is chosen: with a variable that is fixed to a number of many
// decimals, the sum would overflow otherwise.
func TestFixOfSmallWeights(t *testing.T) {
	edges := Edges{}
	edges.Add(0, 1, 1, 0)
	edges.Add(1, 2, -1, 0)
	m := NewModel(Bits, Quadratic{Linear: make([]int64, 3)})
	m.Pairs, _, _, _ = edges.Graph(3, false)
	m.Names = []string{"x", "y", "z"}
	is, _ := new(big.Rat).SetString("1e-25")
	fixed, _ := m.Fix(map[int]*big.Rat{0: is})
	if err := fixed.Validate(); err != nil {
		t.Fatal(err)
	}
	for _, x := range [][]uint8{{0, 0}, {1, 0}, {0, 1}, {1, 1}} {
		got, _ := fixed.Value(x).Float64()
		if want := float64(x[0])*1e-25 - float64(x[0]*x[1]); math.Abs(got-want) > 1e-15 {
			t.Errorf("%v: %v, want %v", x, got, want)
		}
	}
}
