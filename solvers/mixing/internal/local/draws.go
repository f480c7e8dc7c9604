package local

import (
	"math"
	"math/bits"
)

// draws are random numbers, one after the other, by the generator SplitMix64. Those of a turn are a function of the key
// of the run and of the number of the turn.
type draws uint64

func (d *draws) next() uint64 {
	*d += 0x9E3779B97F4A7C15
	z := uint64(*d)
	z = (z ^ z>>30) * 0xBF58476D1CE4E5B9
	z = (z ^ z>>27) * 0x94D049BB133111EB
	return z ^ z>>31
}

// below returns an integer from 0 to n-1.
func (d *draws) below(n int) int {
	hi, _ := bits.Mul64(d.next(), uint64(n))
	return int(hi)
}

// part returns a number from 0 to 1.
func (d *draws) part() float64 { return float64(d.next()>>11) / (1 << 53) }

// tie returns a number that decides between equal keys. It takes less time than others.
func (d *draws) tie() uint32 {
	*d = *d*0x9E3779B97F4A7C15 + 1
	return uint32(*d >> 32)
}

// fill draws n bits.
func (d *draws) fill(row []uint64, n int) {
	for k := range row {
		row[k] = d.next()
	}
	if n%64 != 0 {
		row[len(row)-1] &= 1<<(n%64) - 1
	}
}

// exponential has 4096 numbers of the exponential distribution with mean 1, in falling order.
var exponential = func() (all [4096]float32) {
	for k := range all {
		all[k] = float32(-math.Log((float64(k) + 0.5) / float64(len(all))))
	}
	return all
}()

// accepts reports whether a gain, or a loss, is accepted at a temperature, with the rule of Metropolis.
func (d *draws) accepts(gain int64, temperature float64) bool {
	return gain >= 0 || float64(gain) >= -temperature*float64(exponential[d.next()>>52])
}
