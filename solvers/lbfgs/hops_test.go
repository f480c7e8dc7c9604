package lbfgs

import (
	"math"
	"slices"
	"testing"

	"github.com/clopt/clopt/problems"
	"github.com/clopt/clopt/problems/rng"
)

// TestBody finds the variables that the same components read, in structures of each kind.
func TestBody(t *testing.T) {
	pairs := problems.Lists(6, []uint32{0, 4, 8, 12}, []uint32{0, 1, 2, 3, 0, 1, 4, 5, 2, 3, 4, 5}) // of three points
	for _, c := range []struct {
		what   string
		s      problems.Structure
		i, row int
		want   []int
	}{
		{"points of the plane, all pairs", pairs, 3, 1, []int{2, 3}},
		{"a chain", problems.Windows(9, 8, 1, 0, 1), 4, 1, []int{4}},
		{"parts of three", problems.Windows(9, 3, 3, 0, 2), 4, 1, []int{3, 4, 5}},
		{"one component reads many", problems.Windows(99, 1, 1, 0, 98), 4, 1, []int{4}},
		{"everything", problems.Everything(9, 9), 4, 1, []int{4}},
		{"a row of three in everything", problems.Everything(9, 9), 4, 3, []int{3, 4, 5}},
		{"the end of everything", problems.Everything(8, 8), 7, 3, []int{6, 7}},
		{"no component reads it", problems.Windows(9, 4, 1, 0, 0), 7, 1, []int{7}},
	} {
		if got := body(c.s, c.i, c.row); !slices.Equal(got, c.want) {
			t.Errorf("%s: the body of variable %d is %v, want %v", c.what, c.i, got, c.want)
		}
	}
}

// TestLand ends one descent after another. A cold chain moves to lower minima only, and a warm one also to higher ones.
func TestLand(t *testing.T) {
	var h hops
	h.begin(10)
	for i, c := range []struct {
		f, u      float64
		accepted  bool
		fruitless int
	}{
		{12, 0.9, false, 1}, // cold: above
		{10, 0.9, true, 2},  // the same minimum
		{9, 0.9, true, 0},
		{math.Inf(1), 0.1, false, 1},
		{9.1, 0.1, true, 2}, // warm: the median rise is 2
		{15, 0.1, false, 3},
	} {
		h.Kick = kick{Bodies: i}
		if got := h.land(c.f, h.temperature(1), c.u); got != c.accepted || h.Fruitless != c.fruitless {
			t.Errorf("minimum %d: accepted %v after %d fruitless ones, want %v, %d", i, got, h.Fruitless, c.accepted,
				c.fruitless)
		}
	}
	if want := []kick{{Bodies: 2}, {Bodies: 4}}; !slices.Equal(h.Kicks, want) || h.F != 9.1 || h.Best != 9 {
		t.Errorf("%+v; want the kicks %v, the minimum 9.1, and the best one 9", h, want)
	}
	for range 2 * kept {
		h.land(20, 0, 0.5)
	}
	if len(h.Rises) != kept {
		t.Errorf("%d rises are kept, want %d", len(h.Rises), kept)
	}
}

// TestKick draws kicks of all kinds, unless a setting is given.
func TestKick(t *testing.T) {
	known := kick{Share: 0.25, Reach: 0.125}
	h, m, share := &hops{Kicks: []kick{known}}, LBFGS{}, 0.5
	again, bodies, moved := 0, 0, 0
	for descent := range 1000 {
		switch k := m.kick(h, rng.Key{Seed: 1}, descent, 100); {
		case k == known:
			again++
		case k.Bodies > 0 && k.Bodies <= mostBodies:
			bodies++
		case k.Share > 0 && k.Reach > 0:
			moved++
		}
		if k := (&LBFGS{Kick: &share}).kick(h, rng.Key{Seed: 1}, descent, 100); k.Bodies != 0 || k.Share != share {
			t.Fatalf("kick=0.5 draws %+v", k)
		}
	}
	if again < 450 || again > 550 || bodies < 200 || bodies > 300 || again+bodies+moved != 1000 {
		t.Errorf("%d kicks repeat one, %d draw bodies, and %d move variables; want 500, 250, 250", again, bodies, moved)
	}
}
