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
