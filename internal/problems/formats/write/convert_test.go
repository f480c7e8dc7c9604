package write

import (
	"bytes"
	"fmt"
	"math"
	"math/big"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/clopt/clopt/internal/problems/formats"
	"github.com/clopt/clopt/internal/problems/formats/format"
	"github.com/clopt/clopt/internal/problems/formats/meta"
	"github.com/clopt/clopt/problems/graph"
	"github.com/clopt/clopt/problems/rng"
	"github.com/clopt/clopt/test/shorttest"
)

// samples are problems of all kinds.
func samples(t testing.TB) map[string]*graph.Model {
	all := map[string]*graph.Model{}
	for name, c := range map[string]struct {
		kind graph.Kind
		text string
	}{
		"cut":     {graph.Sides, "4 4\n1 2 3\n2 3 1\n3 4 3\n1 4 -2\n"},
		"cut 0.1": {graph.Sides, "5 4\n1 2 0.3\n2 3 1\n3 4 3\n1 4 -2.25\n"},
		"cut 1":   {graph.Sides, "c clopt: name 2 a\np edge 4 3\ne 1 2\ne 2 3\ne 4 3\n"},
		"rooted": {graph.Sides, "# clopt: sense=min offset=-3.5 factor=-0.5 root=last\n4 4\n1 2 3\n2 3 1\n3 4 " +
			"3\n1 4 -2\n"},
		"qubo":    {graph.Bits, "p qubo 0 6 3 3\n0 0 5\n2 2 -1\n3 3 7\n0 1 -4\n1 2 -2\n2 3 9\n"},
		"qubo .5": {graph.Bits, "c clopt: offset=1.25 sense=max\np qubo 0 3 2 2\n0 0 5.5\n2 2 -1\n0 1 -4\n1 2 -2.5\n"},
		"max":     {graph.Bits, "2\n3 3\n1 1 4\n1 3 -7\n2 3 1\n1 0\n"},
		"ising":   {graph.Spins, "0 0 1\n0 1 2\n1 2 -3\n"},
		"named": {graph.Spins, "# vartype=SPIN\n# clopt: n=5 offset=2\n# clopt: name 0 a b\n# clopt: name 4 " +
			"\"\\n\"\n0 0 1\n0 1 2\n1 2 -3\n"},
		"labels": {graph.Spins, "# vartype=SPIN\n# clopt: name 0 \"a\\\", 1\"\n# clopt: name 1 b, 1\n# clopt: name 2 " +
			"c, 1\n# clopt: name 3 d, 1\n# clopt: name 4 e, 1\n# clopt: name 5 f, 1\n0 1 2\n1 2 -3\n2 3 1\n3 4 5\n" +
			"4 5 1\n"},
		"lp": {graph.Bits, "\\ clopt: name 1 1e5\nMax obj: 3 a - 2.5 b + [ 3 a * b - 5 b ^ 2 ] / 2 - " +
			"4.5\nBinary b a c End"},
		"matrix": {graph.Bits, "1 3\n1 2 0\n2 -4 7\n0 5 6\n"},
		"squares": {graph.Bits, "NAME p\nROWS\n N obj\nCOLUMNS\n a obj 1\n b obj -2\nBOUNDS\n BV bnd a\n BV bnd b\n" +
			"QUADOBJ\n a a 3\n a b 2\nENDATA\n"},
		"constant": {graph.Bits, "Min obj: 7 st Bounds 0 <= x <= 1 Binaries x End"},
	} {
		path := write(t, c.text)
		if name == "max" {
			path += "#1"
		}
		m, _, err := formats.Read(path, c.kind, formats.Options{})
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		all[name] = m
	}
	in, err := graph.GNP(40, 0.3, graph.Weights{Lo: -99, Hi: 99}, 7)
	if err != nil {
		t.Fatal(err)
	}
	q := graph.Quadratic{Linear: make([]int64, 40), Pairs: in.Graph}
	key := rng.Key{Seed: 3}
	for i := range q.Linear {
		q.Linear[i] = int64(rng.Int(key.Word(uint32(i), 0, 0, rng.Check), 199)) - 99
	}
	for kind := graph.Sides; kind <= graph.Spins; kind++ {
		m := graph.NewModel(kind, q)
		m.Offset.SetFrac64(-17, 4)
		if kind == graph.Sides {
			m.Linear = nil
		}
		all[fmt.Sprint("random ", kind)] = m
	}
	return all
}

// equal compares the exact values of two problems at a thousand points, their senses and their names.
func equal(t *testing.T, what string, a, b *graph.Model) {
	t.Helper()
	if a.N() != b.N() || a.Maximize != b.Maximize || !slices.Equal(a.Names, b.Names) {
		t.Errorf("%s: %d variables, maximize %v, names %q; want %d, %v, %q", what, b.N(), b.Maximize, b.Names, a.N(),
			a.Maximize, a.Names)
		return
	}
	key := rng.Key{Seed: 1}
	x := make([]uint8, a.N())
	for point := range uint32(1000) {
		for i := range x {
			x[i] = uint8(key.Word(uint32(i), point, 0, rng.Check) >> 31)
		}
		if f, g := a.Value(x), b.Value(x); differ(a, f, g) {
			t.Errorf("%s: %v at %v, want %v", what, g.RatString(), x, f.RatString())
			return
		}
	}
}

// differ compares two values of a problem. What rounding has taken from its coefficients, here 1e-12 or more in all, is
// a sum of float64, and files have 18 digits of a number.
func differ(m *graph.Model, f, g *big.Rat) bool {
	if m.Rest == nil {
		return f.Cmp(g) != 0
	}
	d, _ := new(big.Rat).Sub(f, g).Float64()
	return math.Abs(d) > 1e-14
}

// store writes a problem into a file and reads it back.
func store(t *testing.T, m *graph.Model, f format.Format) (*graph.Model, string) {
	t.Helper()
	var b bytes.Buffer
	side, err := Model(&b, m, f, false)
	if err != nil {
		t.Fatalf("%v: %v", f, err)
	}
	path := filepath.Join(t.TempDir(), "g."+f.String())
	if err := os.WriteFile(path, b.Bytes(), 0o666); err != nil {
		t.Fatal(err)
	}
	if side != nil {
		if err := os.WriteFile(meta.Path(path), side, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	back, _, err := formats.Read(path, m.Kind, formats.Options{})
	if err != nil {
		t.Fatalf("%v: %v\n%s", f, err, b.String())
	}
	if got, _ := format.Sniff(path); got != f {
		t.Errorf("a file of %v is recognized as %v:\n%s", f, got, b.String())
	}
	return back, b.String()
}

// TestConvert converts every problem to every kind and format, reads it back, and converts it back to its own kind.
func TestConvert(t *testing.T) {
	for name, m := range samples(t) {
		for _, as := range format.Names() {
			f, _ := format.ByName(as)
			for _, kind := range f.Kinds() {
				what := fmt.Sprintf("%s as %v in %s", name, kind, as)
				to, err := m.To(kind)
				if err != nil {
					t.Errorf("%s: %v", what, err)
					continue
				}
				equal(t, what+", converted", m, to)
				back, text := store(t, to, f)
				equal(t, what+", read back", m, back)
				home, err := back.To(m.Kind)
				if err != nil {
					t.Errorf("%s: %v", what, err)
					continue
				}
				equal(t, what+", there and back", m, home)
				if t.Failed() {
					t.Fatalf("%s:\n%s", what, text)
				}
				if again, second := store(t, back, f); second != text {
					t.Errorf("%s: written again it differs:\n%s\n%s\n%v", what, text, second, again.Names)
				}
			}
		}
	}
}

// TestPairs converts problems from each format to each other one and back. Values, senses and names stay.
func TestPairs(t *testing.T) {
	all := samples(t)
	in := func(m *graph.Model, f format.Format) *graph.Model {
		kind := m.Kind
		if !slices.Contains(f.Kinds(), kind) {
			kind = f.Kinds()[0]
		}
		to, err := m.To(kind)
		if err != nil {
			t.Fatal(err)
		}
		back, _ := store(t, to, f)
		return back
	}
	for _, name := range shorttest.Rows(1, []string{"named", "lp", "rooted", "matrix"}) {
		for _, first := range format.Names() {
			a, _ := format.ByName(first)
			m := in(all[name], a)
			for _, second := range format.Names() {
				b, _ := format.ByName(second)
				there := in(m, b)
				equal(t, name+" from "+first+" to "+second, all[name], there)
				equal(t, name+" from "+first+" to "+second+" and back", all[name], in(there, a))
			}
		}
	}
}

// TestWhole checks that problems with whole coefficients have them in every format without a place for an offset.
func TestWhole(t *testing.T) {
	for name, m := range samples(t) {
		if m.Pairs.Unit != 1 || m.Scale.Cmp(big.NewRat(1, 1)) != 0 {
			continue
		}
		for _, f := range []format.Format{format.Rudy, format.Matrix, format.QUBO, format.List} {
			for _, kind := range f.Kinds() {
				to, err := m.To(kind)
				if err != nil {
					t.Fatal(err)
				}
				var b bytes.Buffer
				if _, err := Model(&b, to, f, true); err != nil || strings.Contains(b.String(), ".") {
					t.Errorf("%s as %v in %v: %v\n%s", name, kind, f, err, b.String())
				}
			}
		}
	}
}

// TestRoundTrip checks that a graph that is written is read back.
func TestRoundTrip(t *testing.T) {
	for _, text := range []string{"3 3\n1 2 3\n1 3 -1\n2 3 1\n", "4 2\n1 2 0.050\n3 4 -12.5\n", "1 0\n",
		"2 1\n1 2 -0.000000000000000001\n", "2 1\n1 2 4611686018427387903\n"} {
		g, _, err := formats.Read(write(t, text), graph.Sides, formats.Options{})
		if err != nil {
			t.Fatal(err)
		}
		var b bytes.Buffer
		if side, err := Model(&b, g, format.Rudy, false); err != nil || side != nil {
			t.Fatal(err)
		}
		again, _, err := formats.Read(write(t, b.String()), graph.Sides, formats.Options{})
		if err != nil || again.Pairs.Hash() != g.Pairs.Hash() || again.Pairs.Unit != g.Pairs.Unit ||
			again.N() != g.N() {
			t.Errorf("%q: %q, %v", text, b.String(), err)
		}
	}
}

func write(t testing.TB, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "g")
	if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	return path
}
