package device

import "github.com/clopt/clopt/shard"

// Extent is what a shard has of a problem: the struct extent of kernels, which take it by value; see kernels.Struct.
type Extent struct {
	Stride uint64 // variables from a stored point to the next one
	Lo     uint32 // the first stored variable
	TileLo uint32 // the first tile
}

// ExtentOf returns the extent of a shard that also stores so many variables before those that it reads.
func ExtentOf(sh shard.Shard, before int) Extent {
	return Extent{Stride: uint64(sh.Vars()), Lo: uint32(sh.ReadLo - before), TileLo: uint32(sh.TileLo)}
}
