package problems

import (
	"math"
)

// MaxSuperTiles bounds the partial sums that cross from devices to the host
// per point and accumulator.
const MaxSuperTiles = 256

// Tiling cuts a problem into tiles of whole components, by the problem alone,
// so that sums have one order whatever the number of devices. Tile t owns
// the variables Vars(t) and the components Comps(t); evaluating its components
// reads the variables Reads(t).
//
// Tiles are gathered into min(Tiles, 256) super-tiles; a shard owns whole
// super-tiles, folds the tiles of each in order, and the host adds super-tiles
// in order.
type Tiling struct {
	N         int // variables
	M         int // components
	TileVars  int // variables a tile owns; the last owns the rest
	TileComps int // components a tile owns; the last owns the rest
	// Halo is how many variables after its own a tile reads (cut at N):
	// 0 for separable problems and closed blocks, 1 for reads k..k+1.
	Halo int
	// Whole says that components may read any variable: such a problem runs
	// on one device, and Reads is everything.
	Whole bool
}

// Tiles is the number of tiles, at least 1.
func (t Tiling) Tiles() int {
	v := (t.N + t.TileVars - 1) / t.TileVars
	if c := (t.M + t.TileComps - 1) / t.TileComps; c > v {
		return c
	}
	return max(v, 1)
}

// Vars returns the half-open range of variables that tile i owns.
func (t Tiling) Vars(i int) (lo, hi int) {
	return cut(i, t.Tiles(), t.TileVars, t.N)
}

// Comps returns the half-open range of components that tile i owns.
func (t Tiling) Comps(i int) (lo, hi int) {
	return cut(i, t.Tiles(), t.TileComps, t.M)
}

// Reads returns the half-open range of variables that tile i reads or owns.
func (t Tiling) Reads(i int) (lo, hi int) {
	if t.Whole {
		return 0, t.N
	}
	lo, hi = t.Vars(i)
	return lo, min(hi+t.Halo, t.N)
}

func cut(i, tiles, size, n int) (lo, hi int) {
	lo, hi = min(i*size, n), min((i+1)*size, n)
	if i == tiles-1 {
		hi = n
	}
	return lo, hi
}

// SuperTiles is min(Tiles, MaxSuperTiles).
func (t Tiling) SuperTiles() int { return min(t.Tiles(), MaxSuperTiles) }

// SuperTile returns the half-open range of tiles of super-tile s.
func (t Tiling) SuperTile(s int) (lo, hi int) {
	n, m := t.Tiles(), t.SuperTiles()
	return s * n / m, (s + 1) * n / m
}

// MaxDim bounds variables and components everywhere: their indices have 31 bits on devices.
const MaxDim = math.MaxInt32

// TargetTile is about how many variables a tile owns.
const TargetTile = 1000
