package write

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/clopt/clopt/internal/problems/formats"
	"github.com/clopt/clopt/internal/problems/formats/format"
	"github.com/clopt/clopt/internal/problems/input"
	"github.com/clopt/clopt/problems/graph"
	"github.com/clopt/clopt/problems/rng"
)

// TestFixed reads a problem of which bounds fix variables, in every form of such a bound. A thousand random points have
// the values of the problem without these bounds, and every format gives the same problem back.
func TestFixed(t *testing.T) {
	const n = 40
	q := graph.Quadratic{Linear: make([]int64, n)}
	key := rng.Key{Seed: 8}
	edges, names := graph.Edges{}, make([]string, n)
	for i := range n {
		names[i] = fmt.Sprint("x", i)
		q.Linear[i] = int64(key.Word(uint32(i), 0, 0, rng.Check)%199) - 99
		for j := range i {
			if w := key.Word(uint32(i), uint32(j), 1, rng.Check) % 64; w < 16 {
				edges.Add(j, i, int64(w)-8, 1)
			}
		}
	}
	q.Pairs, _, _, _ = edges.Graph(n, true)
	m := graph.NewModel(graph.Bits, q)
	m.Offset.SetFrac64(-17, 4)
	values := map[int]uint8{0: 1, 3: 0, 7: 1, 8: 0, 20: 1, 39: 0}
	bounds := map[format.Format]string{
		format.LP: "Bounds\n x0 = 1\n x3 <= 0\n 1 <= x7\n 0 = x8\n 1 <= x20 <= 1\n x39 <= 1\n x39 = -0\nBinaries\n",
		format.MPS: " FX bnd x0 1\n UP bnd x3 0\n LO bnd x7 1\n FX bnd x8 0\n LI bnd x20 1\n UI bnd x20 1\n" +
			" FX bnd x39 0\nQUADOBJ\n",
	}
	where := map[format.Format]string{format.LP: "Binaries\n", format.MPS: "QUADOBJ\n"}
	want := []input.Fixed{{Name: "x0", Value: "1"}, {Name: "x3", Value: "0"}, {Name: "x7", Value: "1"},
		{Name: "x8", Value: "0"},
		{Name: "x20", Value: "1"}, {Name: "x39", Value: "0"}}
	for _, as := range slices.Sorted(maps.Keys(bounds)) {
		_, text := store(t, m, as)
		text = strings.Replace(text, where[as], bounds[as], 1)
		path := filepath.Join(t.TempDir(), "q."+as.String())
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		got, notes, err := formats.Read(path, graph.Bits, formats.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if got.N() != n-len(values) || notes.Fixed != len(values) || !slices.Equal(got.Fixed, want) {
			t.Fatalf("%v: %d variables, %v", as, got.N(), got.Fixed)
		}
		all := make([]uint8, n)
		for point := range uint32(1000) {
			var free []uint8
			for i := range all {
				one, fixed := values[i]
				if !fixed {
					one = uint8(key.Word(uint32(i), point, 2, rng.Check) >> 31)
					free = append(free, one)
				}
				all[i] = one
			}
			if f, g := m.Value(all), got.Value(free); f.Cmp(g) != 0 {
				t.Fatalf("%v: %v at %v, want %v", as, g.RatString(), all, f.RatString())
			}
		}
		for _, to := range format.Names() {
			f, _ := format.ByName(to)
			if !slices.Contains(f.Kinds(), graph.Bits) {
				continue
			}
			back, _ := store(t, got, f)
			equal(t, fmt.Sprintf("%v as %v", as, to), got, back)
			if !slices.Equal(back.Fixed, want) {
				t.Errorf("%v as %v: %v are fixed, want %v", as, to, back.Fixed, want)
			}
		}
	}
}
