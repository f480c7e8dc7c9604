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
	for n := from; n < to; n++ {
		if err := ctx.Err(); err != nil {
			return sweeps, err
		}
		sweeps++
		if any := a.sweepWord(x, who, when+uint32(n), a.Temps[n]); any&there == 0 && a.Temps[n] == 0 {
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
func (a *Annealing) sweepWord(x []uint32, who, when uint32, t float32) (any uint32) {
	s := a.Sliced
	for k := 0; k < len(s.Classes); k += 3 {
		begin, vertices := s.Classes[k], s.Classes[k+2]
		for b := begin; b < s.Classes[k+1]; b++ {
			left := vertices - SliceBlock*(b-begin)
			for lane := range uint32(32) {
				var words [4]uint32
				if t > 0 {
					words = a.Key.Words(32*b+lane, who, when, rng.Flip)
				}
				for j := uint32(0); j < 4 && 32*j < left; j++ {
					m := int64(-1)
					if t > 0 {
						m = int64(-t * rng.LogUniform(words[j]))
					}
					q := SliceBlock*b + 32*j + lane
					flips := s.flips(x, q, k/3, m)
					x[q] ^= flips
					any |= flips
				}
			}
		}
	}
	return any
}

// flips returns the chains in which flipping the vertex at place q of a class changes the cut by -m or more.
func (s *Sliced) flips(x []uint32, q uint32, class int, m int64) uint32 {
	if s.Sums != nil {
		return s.Sums.flips(x, q, m)
	}
	return s.Counters.flips(x, q, class, m)
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
