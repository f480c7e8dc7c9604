package masw

import (
	"slices"
	"testing"

	"github.com/clopt/clopt/problems"
	"github.com/clopt/clopt/problems/rng"
	"github.com/clopt/clopt/shard"
)

// tilings calls f with random tilings, some of which have more tiles than super-tiles.
func tilings(rounds int, f func(t problems.Tiling, portions int)) {
	pick := some(2)
	for range rounds {
		v := 1 + pick(7)
		t := problems.Tiling{N: 1 + pick(4000), TileVars: v, TileComps: v}
		if pick(2) == 0 {
			t.Halo = 1 + pick(20)
		}
		t.M = max(1, t.N-t.Halo)
		portions := 1 + pick(t.Tiles())
		if pick(2) == 0 {
			portions = 1 + pick(min(t.Tiles(), 9))
		}
		f(t, portions)
	}
}

func TestPortions(t *testing.T) {
	tilings(200, func(ti problems.Tiling, portions int) {
		tile := 0
		for q := range portions {
			lo, hi := firstTile(ti, portions, q), firstTile(ti, portions, q+1)
			if lo != tile || hi <= lo {
				t.Fatalf("portion %d of %d is [%d, %d), want from %d on: %+v", q, portions, lo, hi, tile, ti)
			}
			for ; tile < hi; tile++ {
				if got := portionOf(ti, portions, tile); got != q {
					t.Fatalf("tile %d is in portion %d, want %d of %d", tile, got, q, portions)
				}
			}
		}
		if tile != ti.Tiles() {
			t.Fatalf("portions end at tile %d of %+v", tile, ti)
		}
	})
	for _, c := range []struct {
		m     MASW
		tiles int
		want  int
	}{
		{MASW{}, 7, 7}, {MASW{Portion: 2000}, 7, 3}, {MASW{Portion: 1}, 7, 7}, {MASW{Portion: 1 << 30}, 7, 1},
		{MASW{Portion: 1499}, 7, 7}, {MASW{Portion: 1500}, 7, 3}, {MASW{Portions: 3}, 7, 3}, {MASW{Portions: 9}, 7, 7},
	} {
		ti := problems.Tiling{N: c.tiles * 1000, M: c.tiles * 1000, TileVars: 1000, TileComps: 1000}
		if got := c.m.portions(ti); got != c.want {
			t.Errorf("%+v: %d portions of %d tiles, want %d", c.m, got, c.tiles, c.want)
		}
	}
}

// The host decides about a portion if no device can: if it lies in several super-tiles, or if a shard that
// ends before it may store some of its variables.
func TestBorders(t *testing.T) {
	pick := some(3)
	tilings(150, func(ti problems.Tiling, portions int) {
		shares := make([]int, 1+pick(5))
		for left := ti.SuperTiles(); left > 0; left-- {
			shares[pick(len(shares))]++
		}
		shards := shard.Split(ti, shares, nil)
		border, pieces := borders(ti, portions, shards)
		next, piece := 0, 0
		for q := range portions {
			lo, hi := firstTile(ti, portions, q), firstTile(ti, portions, q+1)
			needs := false
			for s := 1; s < ti.SuperTiles(); s++ {
				first, _ := ti.SuperTile(s)
				if lo < first && first < hi {
					needs = true
				}
			}
			for _, sh := range shards[1:] {
				first := sh.TileLo
				// These tiles from the first on have variables that the last tile before it reads.
				if _, reads := ti.Reads(first - 1); ti.Halo > 0 {
					for tile := max(lo, first); tile < hi; tile++ {
						if v, _ := ti.Vars(tile); v < reads {
							needs = true
						}
					}
				}
			}
			found := next < len(border) && border[next].q == q
			if needs && !found {
				t.Fatalf("portion %d of %d, tiles [%d, %d), is not decided on the host: %+v", q, portions, lo, hi, ti)
			}
			if !found {
				continue
			}
			b := border[next]
			next++
			if b.from != piece || b.to <= b.from {
				t.Fatalf("pieces of portion %d: %+v", q, b)
			}
			tile, super := lo, -1
			for ; piece < b.to; piece++ {
				p := pieces[piece]
				if p.lo != tile || p.hi <= p.lo || p.hi > hi {
					t.Fatalf("portion %d [%d, %d): piece %+v after tile %d", q, lo, hi, p, tile)
				}
				in := 0
				for k := range ti.SuperTiles() {
					if a, z := ti.SuperTile(k); a <= p.lo && p.hi <= z {
						in++
						if k <= super {
							t.Fatalf("two pieces in super-tile %d", k)
						}
						super = k
					}
				}
				if in != 1 {
					t.Fatalf("piece %+v lies in %d super-tiles", p, in)
				}
				tile = p.hi
			}
			if tile != hi {
				t.Fatalf("pieces of portion %d end at tile %d of [%d, %d)", q, tile, lo, hi)
			}
		}
		if next != len(border) || piece != len(pieces) {
			t.Fatalf("%d of %d borders, %d of %d pieces in order", next, len(border), piece, len(pieces))
		}
	})
	// Separable parts, each a super-tile of its own, have no border.
	ti := problems.Tiling{N: 256000, M: 256000, TileVars: 1000, TileComps: 1000}
	one := shard.Split(ti, []int{256}, nil)
	if border, _ := borders(ti, 256, one); len(border) != 0 {
		t.Errorf("%d borders of separable parts", len(border))
	}
	if border, pieces := borders(ti, 1, one); len(border) != 1 || len(pieces) != 256 {
		t.Errorf("one portion: %d borders, %d pieces", len(border), len(pieces))
	}
}

// drawMates draws three of the others from a list, without replacement.
func drawMates(key rng.Key, n, q, j, when uint32) (c [3]uint32) {
	w := key.Words(q, j, when, rng.Mate)
	var left []uint32
	for i := range n {
		if i != j {
			left = append(left, i)
		}
	}
	for k := range c {
		i := int(rng.Int(w[k], uint32(len(left))))
		c[k] = left[i]
		left = slices.Delete(left, i, i+1)
	}
	return c
}

func TestCandidates(t *testing.T) {
	key := rng.Key{Seed: 4, Run: 1}
	for _, n := range []uint32{4, 5, 8, 100} {
		count := make([]int, n)
		for j := range n {
			for when := range uint32(500) {
				c := candidates(key, n, 3, j, when)
				if want := drawMates(key, n, 3, j, when); c != want {
					t.Fatalf("candidates for individual %d of %d: %v, want %v", j, n, c, want)
				}
				for k, v := range c {
					if v >= n || v == j || v == c[(k+1)%3] {
						t.Fatalf("candidates for individual %d of %d: %v", j, n, c)
					}
					count[v]++
				}
			}
		}
		for i, c := range count {
			if c < 1250 || c > 1750 {
				t.Errorf("individual %d of %d was drawn %d times, want about 1500", i, n, c)
			}
		}
	}
}
