package problems

import "testing"

// Super-tiles are whole tiles, and there are more of them for more devices from 1e8 variables on.
func TestSuperTiles(t *testing.T) {
	for n, want := range map[int]int{1: 1, 10_000: 10, 256_000: 256, 99_999_999: 256, 100_000_000: 4096} {
		tiling := Tiling{N: n, M: n, TileVars: 1000, TileComps: 1000}
		if got := tiling.SuperTiles(); got != want {
			t.Errorf("%d variables have %d super-tiles, want %d", n, got, want)
		}
		end := 0
		for s := range tiling.SuperTiles() {
			lo, hi := tiling.SuperTile(s)
			if lo != end || hi <= lo {
				t.Fatalf("%d variables: super-tile %d has the tiles %d to %d, after %d", n, s, lo, hi, end)
			}
			end = hi
		}
		if end != tiling.Tiles() {
			t.Errorf("%d variables: the super-tiles have %d tiles of %d", n, end, tiling.Tiles())
		}
	}
}

// Tiles own every variable and every component once, and read what they own, whatever the sizes are. The usual tiling
// of a structure is one that Validate takes.
func TestTiles(t *testing.T) {
	all := []Tiling{{N: 1, M: 1, TileVars: 1000, TileComps: 1000}, Everything(2001, 5).Tiling()}
	for _, s := range []Structure{Windows(2500, 2499, 1, 0, 1), Windows(10_000, 100, 3, 1, 7),
		Offsets(9000, 4000, 2, []int{0, 1500}), RepeatedLists(7, 3, []uint32{0, 2, 3}, []uint32{0, 2, 1})} {
		if err := checkReads(s, s.Tiling()); err != nil {
			t.Errorf("%+v: %v", s.Tiling(), err)
		}
		all = append(all, s.Tiling())
	}
	for _, tiling := range all {
		vars, comps := 0, 0
		for i := range tiling.Tiles() {
			lo, hi := tiling.Vars(i)
			a, b := tiling.Comps(i)
			from, to := tiling.Reads(i)
			if lo != vars || hi < lo || a != comps || b < a || from > lo || to < hi || to > tiling.N {
				t.Fatalf("%+v: tile %d owns the variables %d to %d and the components %d to %d, and reads %d to %d",
					tiling, i, lo, hi, a, b, from, to)
			}
			vars, comps = hi, b
		}
		if vars != tiling.N || comps != tiling.M {
			t.Errorf("%+v: tiles own %d variables and %d components", tiling, vars, comps)
		}
	}
}
