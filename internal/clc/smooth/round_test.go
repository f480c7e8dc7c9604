package smooth

import (
	"strings"
	"testing"

	"github.com/clopt/clopt/internal/clc"
	"github.com/clopt/clopt/internal/clc/token"
)

// Kinks that are understood become calls, with a slot for each time that a component comes to them.
func TestRound(t *testing.T) {
	for _, c := range []struct {
		text, want string
		slots      int
	}{
		{"acc[0] += 2*fabs(at(x, k) - 1);", "kink_abs(x, at(x, k) - R(1.0), k, 0u, 0u)", 1},
		{"acc[0] += fmax(at(x, 0), at(x, 1));", "kink_max(x, at(x, 0u), at(x, 1u), k, 0u, 0u)", 1},
		{"acc[0] += fmin(at(x, 0), 3);", "-kink_max(x, -at(x, 0u), -R(3.0), k, 0u, 0u)", 1},
		{"acc[0] += clamp(at(x, 2), R(0.0), R(1.0));", "-kink_max(x, -kink_max(x, ", 2},
		{"real u = at(x, k); acc[0] += u > 0 ? u : 0;", "kink_max(x, u, R(0.0), k, 0u, 0u)", 1},
		{"real u = at(x, k); acc[0] += u < 0 ? -u : u;", "kink_max(x, -u, u, k, 0u, 0u)", 1},
		{"real u = at(x, k); acc[0] += u >= 0 ? R(0.9)*u : R(-0.1)*u;", "kink_max(x, R(0.9) * u, ", 1},
		{"real h = 1 - at(x, k); if (h > 0) acc[0] += h;", "acc[0] += kink_max(x, h, R(0.0), k, 0u, 0u)", 1},
		{"real h = at(x, k); if (h < 0) h = -h; acc[0] += h;", "h = kink_max(x, -h, h, k, 0u, 0u)", 1},
		{"for (uint i = 0; i < DIM; i++) acc[0] += fabs(at(x, i));", "k, 0u + 1u * (uint)i, 0u)", 10},
		{"real m = 9; for (int i = 0; i < 5; i++) if (at(x, i) < m) m = at(x, i); acc[0] += m;", "m = -kink_max(", 5},
		{"for (uint i = 0; i < d.i[k]; i++) acc[0] += fabs(at(x, i));", "k, 4294967295u, 0u)", 0},
		{"acc[0] += sq(fmax(at(x, k), 0));", "", 0},                     // it is smooth
		{"acc[0] += fabs(at(x, k)) + floor(at(x, k));", "", 0},          // it has steps
		{"acc[0] += maxmag(at(x, 0), at(x, 1));", "", 0},                // it is not understood
		{"real u = at(x, 0); acc[0] += u > 0 ? sin(3*u) : 2*u;", "", 0}, // neither the larger nor the smaller one
	} {
		text := "static void component(uint k, point x, data d, real *acc) {\n" + c.text + "\n}\n"
		trees, why := clc.Parse(clc.Text{RealBits: 64, Tables: map[string]clc.Type{"i": clc.UInt},
			Symbols: map[string]uint32{"DIM": 10}, Tokens: token.Scan("f.cl", 1, text, 1e5)})
		if why != nil {
			t.Fatal(why)
		}
		sizes := func(name string) (uint64, bool) { return 10, name == "DIM" }
		r, w, slots := Round(trees.Component, sizes, 100), clc.Writer{}, 0
		if r != nil {
			w.Tree(r.Tree)
			slots = r.Slots
		}
		if c.want == "" && r != nil || !strings.Contains(w.String(), c.want) || slots != c.slots {
			t.Errorf("%s: %d slots\n%s", c.text, slots, w.String())
		}
	}
}

// The tree that is rounded stays what it was, with the blocks that its statements leave.
func TestRoundedBlocks(t *testing.T) {
	text := "static real f(real v) { if (v > 3) return 3; return v; }\n" +
		"static void component(uint k, point x, data d, real *acc) { if (k > 3) return; acc[0] += fabs(at(x, k)); }\n"
	trees, why := clc.Parse(clc.Text{RealBits: 64, Tokens: token.Scan("f.cl", 1, text, 1e5)})
	if why != nil {
		t.Fatal(why)
	}
	var before, after, rounded clc.Writer
	before.Tree(trees.Component)
	r := Round(trees.Component, func(string) (uint64, bool) { return 0, false }, 9)
	after.Tree(trees.Component)
	rounded.Tree(r.Tree)
	if before.String() != after.String() {
		t.Errorf("the tree was\n%s\nand is\n%s", before.String(), after.String())
	}
	if !strings.Contains(rounded.String(), "kink_abs") {
		t.Errorf("%s", rounded.String())
	}
}
