package problems

import (
	"math"
)

// The most super-tiles bound the partial sums that go from devices to the host for each point and accumulator. A
// problem of many variables has more, for more devices.
const (
	MaxSuperTiles = 256  // of fewer than manyVars variables
	manySuper     = 4096 // of more
	manyVars      = 100_000_000
)

// Tiling divides a problem into tiles of whole components. It depends on the problem alone, so sums have one order
// whatever the number of devices. Tile t owns the variables Vars(t) and the components Comps(t), and its components
// read the variables Reads(t).
//
// Tiles are gathered into min(Tiles, 256) super-tiles, or min(Tiles, 4096) from 1e8 variables on. A shard owns whole
// super-tiles and adds the tiles of each in order; the host adds the super-tiles in order.
type Tiling struct {
	N         int // variables
	M         int // components
	TileVars  int // variables a tile owns; the last owns the rest
	TileComps int // components a tile owns; the last owns the rest
	// Halo is how many variables after its own a tile reads, as far as there are any: 0 for separable problems and
	// closed tiles, 1 for components that read k..k+1.
	Halo int
	// Whole is true if components may read any variable. Such a problem runs on one device, and Reads returns all
	// variables.
	Whole bool
}

// Tiles returns the number of tiles, at least 1.
func (t Tiling) Tiles() int {
	v := (t.N + t.TileVars - 1) / t.TileVars
	if c := (t.M + t.TileComps - 1) / t.TileComps; c > v {
		return c
	}
	return max(v, 1)
}

// Vars returns the half-open range of variables that tile i owns.
func (t Tiling) Vars(i int) (lo, hi int) {
	return tileRange(i, t.Tiles(), t.TileVars, t.N)
}

// Comps returns the half-open range of components that tile i owns.
func (t Tiling) Comps(i int) (lo, hi int) {
	return tileRange(i, t.Tiles(), t.TileComps, t.M)
}

// Reads returns the half-open range of variables that tile i reads or owns.
func (t Tiling) Reads(i int) (lo, hi int) {
	if t.Whole {
		return 0, t.N
	}
	lo, hi = t.Vars(i)
	return lo, min(hi+t.Halo, t.N)
}

func tileRange(i, tiles, size, n int) (lo, hi int) {
	lo, hi = min(i*size, n), min((i+1)*size, n)
	if i == tiles-1 {
		hi = n
	}
	return lo, hi
}

// SuperTiles returns the number of super-tiles.
func (t Tiling) SuperTiles() int {
	if t.N >= manyVars {
		return min(t.Tiles(), manySuper)
	}
	return min(t.Tiles(), MaxSuperTiles)
}

// SuperTile returns the half-open range of tiles of super-tile s.
func (t Tiling) SuperTile(s int) (lo, hi int) {
	n, m := t.Tiles(), t.SuperTiles()
	return s * n / m, (s + 1) * n / m
}

// MaxDim is the largest number of variables, and of components: devices index them with 31 bits.
const MaxDim = math.MaxInt32

const (
	targetTile = 1000 // about the number of variables that a tile owns
	// A tile of components that may read any variable has at least 64 of them, since each may be long, and at most a
	// thousand: with fewer than manyTiles tiles some units of a large device have nothing to do.
	leastWhole = 64
	manyTiles  = 1024
)

// Tiling returns the usual tiling of a structure. Tiles have about a thousand variables where components read windows
// or offsets, and are the copies of lists that repeat. Other components may read any variable; tiles of them have 64
// components, or so many that there are 1024 tiles, or 1000.
func (s Structure) Tiling() Tiling {
	t := Tiling{N: s.n, M: s.m, TileVars: targetTile, Whole: true}
	t.TileComps = min(max(leastWhole, (s.m+manyTiles-1)/manyTiles), targetTile)
	if vars, comps, ok := s.Repeats(); ok {
		return Tiling{N: s.n, M: s.m, TileVars: vars, TileComps: comps}
	}
	if stride, _, to, ok := s.Window(); ok {
		t.Whole = false
		t.Halo = max(0, to+1-stride)
		t.TileComps = max(1, targetTile/stride)
		if s.offsets != nil { // a component reads at most two tiles
			t.TileComps = max(t.TileComps, (t.Halo+stride-1)/stride)
		}
		t.TileVars = stride * t.TileComps
	}
	return t
}
