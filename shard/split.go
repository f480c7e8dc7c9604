package shard

import (
	"math"

	"github.com/clopt/clopt/problems"
)

// Shard is a range of whole super-tiles on one device.
type Shard struct {
	Device           int // index in Devices
	SuperLo, SuperHi int // super-tiles
	TileLo, TileHi   int // the tiles in them
	VarLo, VarHi     int // the variables it owns
	ReadLo, ReadHi   int // the variables it stores: its own and the halo
}

// Vars returns the number of variables that the shard stores.
func (s Shard) Vars() int { return s.ReadHi - s.ReadLo }

// Tiles returns the number of tiles that the shard owns.
func (s Shard) Tiles() int { return s.TileHi - s.TileLo }

// Supers returns the number of super-tiles that the shard owns.
func (s Shard) Supers() int { return s.SuperHi - s.SuperLo }

// apportion deals n super-tiles to devices whose speeds are weights, at most limit[i] to device i; nil: no limits.
// Each goes to the device that would finish it first, ties to the lower index, so that the last device finishes as
// early as possible. It returns nil if the limits leave no room.
func apportion(n int, weights []float64, limit []int) []int {
	counts := make([]int, len(weights))
	for range n {
		best, first := -1, math.Inf(1)
		for i, w := range weights {
			if w <= 0 || limit != nil && counts[i] >= limit[i] {
				continue
			}
			if done := float64(counts[i]+1) / w; best < 0 || done < first {
				best, first = i, done
			}
		}
		if best < 0 {
			return nil
		}
		counts[best]++
	}
	return counts
}

// Split divides a tiling into shards. Device i gets supers[i] super-tiles, in order, as pieces[i] shards of nearly
// equal size; 0 and a nil slice mean one. A device without super-tiles gets no shard. A tiling that is Whole gives one
// shard, on the first device that has any.
func Split(t problems.Tiling, supers, pieces []int) []Shard {
	var shards []Shard
	next := 0
	add := func(device, n int) {
		if n > 0 {
			shards = append(shards, shardOf(t, device, next, next+n))
			next += n
		}
	}
	for i, n := range supers {
		if t.Whole {
			if n > 0 {
				add(i, t.SuperTiles())
				break
			}
			continue
		}
		k := 1
		if pieces != nil && pieces[i] > 1 {
			k = min(pieces[i], n)
		}
		for j := range k {
			add(i, (j+1)*n/k-j*n/k)
		}
	}
	return shards
}

// SplitRange divides the super-tiles [lo, hi) of a tiling into shards, one for each device, in proportion to supers.
func SplitRange(t problems.Tiling, lo, hi int, supers []int) []Shard {
	all, before := 0, 0
	for _, n := range supers {
		all += n
	}
	var shards []Shard
	for i, n := range supers {
		from, to := lo+(hi-lo)*before/all, lo+(hi-lo)*(before+n)/all
		if before += n; from < to {
			shards = append(shards, shardOf(t, i, from, to))
		}
	}
	return shards
}

// shardOf returns the shard of the super-tiles [lo, hi).
func shardOf(t problems.Tiling, device, lo, hi int) Shard {
	s := Shard{Device: device, SuperLo: lo, SuperHi: hi}
	s.TileLo, _ = t.SuperTile(lo)
	_, s.TileHi = t.SuperTile(hi - 1)
	s.VarLo, _ = t.Vars(s.TileLo)
	_, s.VarHi = t.Vars(s.TileHi - 1)
	s.ReadLo, s.ReadHi = s.VarLo, min(s.VarHi+t.Halo, t.N)
	if t.Whole {
		s.ReadLo, s.ReadHi = 0, t.N
	}
	return s
}
