package host

import (
	"context"

	"github.com/clopt/clopt/problems/rng"
)

// Word makes the sweeps [from, to) of the partitions o, at most ChainsPerWord of them, as
// kernels/solvers/mixing/slice.cl does. who is the number of the first individual. Chain has the same result for each
// of them. Word returns the number of sweeps that all of them have made together.
func (a *Annealing) Word(ctx context.Context, o [][]uint64, who, when uint32, from, to int) (sweeps int64, err error) {
	s := a.Sliced
	x, there := make([]uint32, s.Places), uint32(1<<len(o)-1)
	for q, v := range s.Vertex {
		for i := range o {
			if v != noVertex {
				x[q] |= uint32(Side(o[i], v)) << i
			}
		}
	}
	c := make([]uint32, s.Planes+2)
	for n := from; n < to; n++ {
		if err := ctx.Err(); err != nil {
			return sweeps, err
		}
		sweeps++
		if any := a.sweepWord(x, c, who, when+uint32(n), a.Temps[n]); any&there == 0 && a.Temps[n] == 0 {
			break
		}
	}
	for v, q := range s.Place {
		for i := range o {
			o[i][v>>6] = o[i][v>>6]&^(1<<(v&63)) | uint64(x[q]>>i&1)<<(v&63)
		}
	}
	return sweeps, nil
}

// sweepWord makes a sweep and returns the chains in which any vertex flipped.
func (a *Annealing) sweepWord(x, c []uint32, who, when uint32, t float32) (any uint32) {
	s := a.Sliced
	for k := 0; k < len(s.Classes); k += 3 {
		begin, vertices, bunches := s.Classes[k], s.Classes[k+2], s.Bunches[k/3]
		for b := begin; b < s.Classes[k+1]; b++ {
			left := vertices - SliceBlock*(b-begin)
			for lane := range uint32(32) {
				var words [4]uint32
				if t > 0 {
					words = a.Key.Words(32*b+lane, who, when, rng.Flip)
				}
				for j := uint32(0); j < 4 && 32*j < left; j++ {
					m := int32(-1)
					if t > 0 {
						m = int32(-t * rng.LogUniform(words[j]))
					}
					q := SliceBlock*b + 32*j + lane
					flips := s.flips(x, c, q, bunches, m)
					x[q] ^= flips
					any |= flips
				}
			}
		}
	}
	return any
}

// flips returns the chains in which flipping the vertex at place q changes the cut by -m or more. bunches is the first
// bunch of its class, and c is scratch.
func (s *Sliced) flips(x, c []uint32, q, bunches uint32, m int32) uint32 {
	clear(c)
	s.count(x, c, q, x[q])
	first := uint32(s.Places) + bunches + s.Sums[q]>>12&0xff
	for b := first; b < first+s.Sums[q]>>20; b++ {
		s.count(x, c, b, x[q])
	}
	least := uint32(0) // 2c - W >= -m
	if w := int32(s.Sums[q] & maxSum); m < w {
		least = uint32(w+1-m) >> 1
	}
	flips := ^uint32(0)
	for k, digit := range c[:s.Planes] {
		if least>>k&1 != 0 {
			flips &= digit
		} else {
			flips |= digit
		}
	}
	return flips
}

// count adds to c the entries of a place, or of a bunch if q is not below Places, that flipping a vertex gains.
func (s *Sliced) count(x, c []uint32, q, own uint32) {
	lane := q % 32
	for d := range s.Digits {
		row := int(q/32)*s.Digits + d
		for f := s.Fours[row]; f < s.Fours[row+1]; f++ {
			at := s.Entries[4*(32*f+lane):][:4]
			digit, one := add(c[d], gains(x, own, at[0]), gains(x, own, at[1]))
			digit, two := add(digit, gains(x, own, at[2]), gains(x, own, at[3]))
			c[d] = digit
			higher, carry := add(c[d+1], one, two)
			c[d+1] = higher
			for k := d + 2; carry != 0 && k < s.Planes; k++ {
				c[k], carry = c[k]^carry, c[k]&carry
			}
		}
	}
}

// gains returns the chains in which flipping a vertex gains one of its edges.
func gains(x []uint32, own, entry uint32) uint32 {
	e := own ^ x[entry&^signBit]
	if entry&signBit == 0 {
		return ^e
	}
	return e
}

// add returns a + b + c as a digit and a carry, for each bit.
func add(a, b, c uint32) (digit, carry uint32) {
	half := a ^ b
	return half ^ c, a&b | half&c
}

// Halves returns a row in the words of devices.
func Halves(row []uint64) []uint32 {
	h := make([]uint32, 0, 2*len(row))
	for _, w := range row {
		h = append(h, uint32(w), uint32(w>>32))
	}
	return h
}

// Pair returns the word whose halves are v[at] and v[at+1].
func Pair(v []uint32, at int) uint64 { return uint64(v[at]) | uint64(v[at+1])<<32 }

// Narrow returns offsets as devices store them.
func Narrow(offsets []int) []uint32 {
	v := make([]uint32, len(offsets))
	for i, at := range offsets {
		v[i] = uint32(at)
	}
	return v
}
