package main

import (
	"math"
	"slices"

	"github.com/clopt/clopt/problems/rng"
)

// draws are random numbers, one after the other. The same key gives the same ones on every machine.
type draws struct {
	key  rng.Key
	next uint32 // the number of those drawn
}

// word returns 32 random bits.
func (d *draws) word() uint32 {
	d.next++
	return d.key.Word(d.next-1, 0, 0, rng.Generate)
}

// uniform returns a number between lo and hi.
func (d *draws) uniform(lo, hi float64) float64 { return lo + (hi-lo)*rng.Uniform(d.word()) }

// below returns an integer from 0 to n-1.
func (d *draws) below(n int) int { return int(rng.Int(d.word(), uint32(n))) }

// normal returns a standard normal number, by the method of Box and Muller.
func (d *draws) normal() float64 {
	return math.Sqrt(-2*math.Log(d.uniform(0, 1))) * math.Cos(d.uniform(0, 2*math.Pi))
}

// many returns n numbers of one kind.
func many(n int, one func() float64) []float64 {
	all := make([]float64, n)
	for i := range all {
		all[i] = one()
	}
	return all
}

// choose returns k different integers from 0 to n-1, in rising order.
func (d *draws) choose(n, k int) []int {
	var chosen []int
	for len(chosen) < k {
		if i := d.below(n); !slices.Contains(chosen, i) {
			chosen = append(chosen, i)
		}
	}
	slices.Sort(chosen)
	return chosen
}

// shuffled returns the integers from 0 to n-1 in random order.
func (d *draws) shuffled(n int) []int {
	all := make([]int, n)
	for i := range all {
		j := d.below(i + 1)
		all[i], all[j] = all[j], i
	}
	return all
}

// rotation returns a random orthogonal matrix of size rows, one after the other, by the method of Gram and Schmidt.
func (d *draws) rotation(size int) (q []float64) {
	for len(q) < size*size {
		row := many(size, d.normal)
		for range 2 { // once more for the rounding errors
			for other := range slices.Chunk(q, size) {
				product := dot(row, other)
				for i := range row {
					row[i] -= product * other[i]
				}
			}
		}
		length := math.Sqrt(dot(row, row))
		for i := range row {
			row[i] /= length
		}
		q = append(q, row...)
	}
	return q
}

func dot(a, b []float64) (sum float64) {
	for i := range a {
		sum += float64(a[i] * b[i])
	}
	return sum
}
