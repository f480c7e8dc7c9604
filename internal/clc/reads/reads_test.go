package reads

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/clopt/clopt/internal/clc"
	"github.com/clopt/clopt/internal/clc/host"
	"github.com/clopt/clopt/internal/clc/token"
	"github.com/clopt/clopt/problems"
)

// textOf returns the text of a component with a body, over n variables and m components. Table e has the numbers 3, 1,
// 0, 2, …; table real has the same as floating point numbers.
func textOf(t *testing.T, body string, n, m int, grid [3]int) Text {
	t.Helper()
	symbols := map[string]uint32{"DIM": uint32(n), "COMPS": uint32(m), "GRID_Z": uint32(grid[0]),
		"GRID_Y": uint32(grid[1]), "GRID_X": uint32(grid[2]), "d.e_len": 40}
	parsed, opaque := clc.Parse(clc.Text{
		Tokens: token.Scan("f.cl", 1, "static void component(uint k, point x, data d, real *acc) {"+body+"}", 1e5),
		Tables: map[string]clc.Type{"e": clc.UInt, "real": clc.Real}, Symbols: symbols, Sums: 1, RealBits: 64})
	if opaque != nil {
		t.Fatalf("%s: %v", body, opaque)
	}
	data := host.Data{Variables: n, Symbols: symbols, Tables: map[string]host.Table{}}
	var e host.Table
	var r host.Table
	for j := range 40 {
		v := j ^ 3
		e.Uint, r.Real = append(e.Uint, uint32(v)), append(r.Real, float64(v))
	}
	data.Tables["e"], data.Tables["real"] = e, r
	return Text{Trees: parsed.All(), Data: data, Components: m, Grid: grid}
}

// words says what a structure is.
func words(f Found) string {
	s := f.Structure
	if f.Why != nil {
		return "whole: " + f.Why.Msg
	}
	if s.Whole() {
		return "whole"
	}
	if _, steps, ok := s.Grid(); ok {
		return fmt.Sprint("grid ", steps)
	}
	stride, from, to, ok := s.Window()
	if !ok {
		return fmt.Sprint("lists ", s.Reads(0, nil), s.Reads(1, nil))
	}
	if offsets, _, _, _, apart := s.ReadTables(); apart {
		return fmt.Sprintf("%dk+%v", stride, offsets)
	}
	return fmt.Sprintf("%dk+%d..%d", stride, from, to)
}

// TestFind finds the form of what texts read, as people write them.
func TestFind(t *testing.T) {
	square := [3]int{1, 8, 5}
	for _, c := range []struct {
		body string
		n, m int
		grid [3]int
		want string
	}{
		{"acc[0] += at(x, k);", 40, 40, [3]int{}, "1k+0..0"},
		{"acc[0] += at(x, k);", 1, 1, [3]int{}, "1k+0..0"},
		{"if (k + 1 < DIM) acc[0] += at(x, k + 1) - at(x, k);", 40, 40, [3]int{}, "1k+0..1"},
		{"if (k + 1 < DIM) acc[0] += at(x, k + 1);", 40, 40, [3]int{}, "1k+0..1"},
		{"uint i = 2*k; real a = at(x, i), b = at(x, i + 1); acc[0] += a*b;", 40, 20, [3]int{}, "2k+0..1"},
		{"int i = k; if (i + 7 < DIM) acc[0] += at(x, i) + at(x, i + 7);", 40, 40, [3]int{}, "1k+[0 7]"},
		{"for (int j = 0; j < 3; j++) if (k + j < DIM) acc[0] += at(x, k + j);", 40, 40, [3]int{}, "1k+0..2"},
		{"for (uint j = k; j <= k + 2 && j < DIM; ++j) acc[0] += at(x, j);", 40, 40, [3]int{}, "1k+0..2"},
		{"for (int j = 2; j >= 0; j--) if (k + j < DIM) acc[0] += at(x, k + j);", 40, 40, [3]int{}, "1k+0..2"},
		{"for (int j = 0; j < 6; j += 2) if (k + j < DIM) acc[0] += at(x, k + j);", 40, 40, [3]int{}, "1k+[0 2 4]"},
		{"const int to[3] = {0, 1, 9}; for (int j = 0; j < 3; j++) if (k + to[j] < DIM) acc[0] += at(x, k + to[j]);",
			40, 40, [3]int{}, "1k+[0 1 9]"},
		{"for (uint j = 0; j < 4; j++) acc[0] += at(x, 4*k + j);", 40, 10, [3]int{}, "4k+0..3"},
		{"if (at(x, k) > 0.5 && k + 3 < DIM) acc[0] += at(x, k + 3);", 40, 40, [3]int{}, "1k+[0 3]"},
		{"acc[0] += at(x, k) * at(x, min(k + 1, DIM - 1));", 40, 40, [3]int{}, "1k+0..1"},
		{"if (k > 0) acc[0] += at(x, k) - at(x, k - 1);", 40, 40, [3]int{}, "lists [0] [0 1]"},
		{"acc[0] += at(x, (k + 1) % DIM) - at(x, k);", 40, 40, [3]int{}, "lists [0 1] [1 2]"},
		{"acc[0] += at(x, k) + at(x, 0);", 40, 40, [3]int{}, "lists [0] [0 1]"},
		{"acc[0] += at(x, d.e[k]);", 40, 40, [3]int{}, "lists [3] [2]"},
		{"acc[0] += at(x, (uint)d.real[k]);", 40, 40, [3]int{}, "lists [3] [2]"},
		{"for (uint i = 0; i < DIM; i++) acc[0] += at(x, i);", 40, 3, [3]int{}, "whole"},
		{"acc[0] += at(x, (uint)(at(x, 0)*10));", 40, 40, [3]int{},
			"whole: the index of a read depends on the point"},
		{"int r = k / GRID_X, c = k % GRID_X; real v = at(x, k); if (c + 1 < GRID_X) acc[0] += sq(at(x, k + 1) - v);" +
			"if (r > 0) acc[0] += sq(at(x, (r - 1)*GRID_X + c) - v);",
			40, 40, square, "grid [[0 -1 0] [0 0 0] [0 0 1]]"},
		{"if (k + 1 < DIM) acc[0] += at(x, k + 1);", 40, 40, square, "1k+0..1"}, // across the ends of rows
	} {
		f, err := Find(textOf(t, c.body, c.n, c.m, c.grid))
		if got := words(f); err != nil || got != c.want {
			t.Errorf("%s\n: %s, %v; want %s", c.body, got, err, c.want)
		}
	}
}

// TestFindLarge proves windows of more components than can be computed, also through several variables.
func TestFindLarge(t *testing.T) {
	const n = problems.MaxDim
	for body, want := range map[string]string{
		"uint a = k, b = a + 1; if (b < DIM) acc[0] += at(x, a) * at(x, b);": "1k+0..1",
		"if (k > 0) acc[0] += at(x, k) * at(x, k - 1);":                      "whole: " + tooMany,
	} {
		f, err := Find(textOf(t, body, n, n, [3]int{}))
		if got := words(f); err != nil || got != want {
			t.Errorf("%s: %s, %v; want %s", body, got, err, want)
		}
	}
}

// TestCheck finds reads that a declaration lacks, however rare the branch, and those of variables that do not exist.
func TestCheck(t *testing.T) {
	own := problems.Windows(40, 40, 1, 0, 0)
	for body, want := range map[string]string{
		"acc[0] += at(x, k);": "",
		"real v = at(x, k); if (k == 3 && v > 4.5) v += at(x, 39); acc[0] += v;": "f.cl:1:107: component 3 reads " +
			"variable 39",
		"if (k + 1 < DIM) acc[0] += at(x, k + 1);":                   "component 0 reads variable 1",
		"if (k + 1 < 1) acc[0] += at(x, k + 1); acc[0] += at(x, k);": "",
	} {
		known, err := Check(textOf(t, body, 40, 40, [3]int{}), own)
		u, ok := errors.AsType[*Undeclared](err)
		if !known || ok != (want != "") || ok && !strings.Contains(u.Error(), want) {
			t.Errorf("%s: %v, %v; want %q", body, known, err, want)
		}
	}
	if known, err := Check(textOf(t, "acc[0] += at(x, (uint)at(x, 0));", 40, 40, [3]int{}), own); known || err != nil {
		t.Errorf("an index that depends on the point: %v, %v", known, err)
	}
	if _, err := Find(textOf(t, "acc[0] += at(x, k - 1);", 40, 40, [3]int{})); err == nil ||
		!strings.Contains(err.Error(), "component 0 reads variable -1 of 40") {
		t.Errorf("a variable below the first: %v", err)
	}
	if _, err := Find(textOf(t, "acc[0] += at(x, d.e[k] + 1);", 40, 40, [3]int{})); err == nil ||
		!strings.Contains(err.Error(), "component 36 reads variable 40 of 40") {
		t.Errorf("a variable that does not exist: %v", err)
	}
}
