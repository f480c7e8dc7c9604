package cut_test

import (
	"encoding/csv"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/clopt/clopt/problems"
	"github.com/clopt/clopt/problems/catalog"
	"github.com/clopt/clopt/problems/cut"
	"github.com/clopt/clopt/problems/graph"
	"github.com/clopt/clopt/test/datatest"
)

// TestKnownGraphs checks that every published graph is recognized by its content, whatever its name and order, and has
// the published value, or a better one where the collection has only the best cut that its makers have seen, or where a
// cut that clopt has found is in docs/results/cuts.
func TestKnownGraphs(t *testing.T) {
	dir := datatest.File(t, "maxcut")
	f, err := os.Open(filepath.Join(dir, "best_known.csv"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	rows, err := csv.NewReader(f).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	for _, row := range rows[1:] {
		text, err := os.ReadFile(filepath.Join(dir, row[0]))
		if err != nil {
			t.Fatal(err)
		}
		path := filepath.Join(t.TempDir(), "renamed") // without a .bkv beside it
		if err := os.WriteFile(path, append([]byte("# a comment\n"), text...), 0o666); err != nil {
			t.Fatal(err)
		}
		p, err := catalog.Parse("maxcut:"+path, problems.Options{DropLoops: true, MergeEdges: true})
		if err != nil {
			t.Fatal(err)
		}
		want, _ := strconv.ParseFloat(row[4], 64)
		best, ok := p.Info().BestKnown()
		ours := slices.Contains(ownCuts, strings.TrimSuffix(filepath.Base(row[0]), ".txt"))
		if better := (ours || row[5] == "best seen") && best < -want; !ok || best != -want && !better {
			t.Errorf("%s: best known %v, %v; published %v", row[0], -best, ok, want)
		}
	}
}

// ownCuts are the graphs of docs/results/cuts.
var ownCuts = []string{"G59", "G64"}

// TestOwnCuts checks that the assignments in docs/results/cuts have the cuts that are the best known ones.
func TestOwnCuts(t *testing.T) {
	for _, name := range ownCuts {
		file := datatest.File(t, filepath.Join("maxcut", "gset", name+".txt"))
		p, err := catalog.Parse("maxcut:"+file, problems.Options{})
		if err != nil {
			t.Fatal(err)
		}
		sides, err := os.ReadFile(filepath.Join("..", "..", "docs", "results", "cuts", name+".sol"))
		if err != nil {
			t.Fatal(err)
		}
		best, _ := p.Info().BestKnown()
		if got := p.(*cut.Cut).Graph().Cut(sides[:p.Domain().N]); float64(got) != -best {
			t.Errorf("%s: the assignment has %d, the best known cut is %v", name, got, -best)
		}
	}
}

// TestKnownConverted checks that a published graph is recognized where it is a QUBO or an Ising problem.
func TestKnownConverted(t *testing.T) {
	for name, want := range map[string]float64{"G1.txt": 11624, "G11.txt": 564} {
		p, err := catalog.Parse("maxcut:"+datatest.File(t, filepath.Join("maxcut", "gset", name)), problems.Options{})
		if err != nil {
			t.Fatal(err)
		}
		m, err := p.(*cut.Cut).Model()
		if err != nil {
			t.Fatal(err)
		}
		for _, kind := range []graph.Kind{graph.Bits, graph.Spins} {
			to, err := m.To(kind)
			if err != nil {
				t.Fatal(err)
			}
			c, err := cut.New(to)
			if err != nil {
				t.Fatal(err)
			}
			if best, ok := c.Info().BestKnown(); !ok || best != -want {
				t.Errorf("%s as %v: best known %v, %v", name, kind, -best, ok)
			}
		}
	}
}

// TestPalubeckis compares a generated QUBO with the published program, in floating point as there, at all points.
func TestPalubeckis(t *testing.T) {
	const n, density, modulus = 12, 50, 1<<31 - 1
	p, err := catalog.Parse("qubo:palubeckis=12,density=50,seed=31000", problems.Options{})
	if err != nil {
		t.Fatal(err)
	}
	seed := 31000.0
	random := func() float64 {
		seed = math.Mod(16807*seed, modulus)
		return seed / (modulus + 1)
	}
	var matrix [n][n]float64
	for i := range n {
		matrix[i][i] = math.Trunc(random()*201) - 100
		for j := i + 1; j < n; j++ {
			if random()*100 <= density {
				matrix[i][j] = math.Trunc(random()*201) - 100
				matrix[j][i] = matrix[i][j]
			}
		}
	}
	x := make([]float64, n)
	most := math.Inf(-1)
	for bits := range 1 << n {
		sum := 0.0
		for i := range n {
			x[i] = float64(bits >> i & 1)
			for j := range i + 1 {
				if w := matrix[i][j] * x[i] * x[j]; j < i {
					sum += 2 * w
				} else {
					sum += w
				}
			}
		}
		if f, err := problems.Eval(p.(problems.Referenced), x); err != nil || -f != sum {
			t.Fatalf("%v: %v, %v, want %v", x, -f, err, sum)
		}
		most = max(most, sum)
	}
	if best := -enumerate(t, p.(problems.Referenced)); best != most {
		t.Errorf("the largest value is %v, want %v", best, most)
	}
	if p.Spec().String() != "qubo:palubeckis=12,density=50,seed=31000" || !p.Info().Maximize {
		t.Errorf("%s, maximize %v", p.Spec(), p.Info().Maximize)
	}
	p, err = catalog.Parse("qubo:palubeckis=3000,density=50,seed=31000", problems.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if best, ok := p.Info().BestKnown(); !ok || best != -3931583 {
		t.Errorf("p3000.1: best known %v, %v", -best, ok)
	}
	for _, wrong := range []string{"palubeckis=0", "palubeckis=50000", "palubeckis=x", "palubeckis=5,density=101",
		"palubeckis=5,seed=0", "palubeckis=5,maximize=true"} {
		if _, err := catalog.Parse("qubo:"+wrong, problems.Options{}); err == nil {
			t.Errorf("%s is accepted", wrong)
		}
	}
}

// TestBestFile reads best values from both names of the file, and refuses values that no point has.
func TestBestFile(t *testing.T) {
	t.Chdir(t.TempDir())
	text := "26 300\n" // a complete graph without a path, of which nothing is proven
	for i := 1; i <= 26; i++ {
		for j := i + 2; j <= 26; j++ {
			text += fmt.Sprintln(i, j)
		}
	}
	os.WriteFile("k.txt", []byte(text), 0o666)
	for _, c := range []struct{ name, text, want string }{
		{"k.txt.bkv", "5\n", "5"}, {"k.bkv", "5\n", "5"}, {"k.bkv", "3\n", "3"},
		{"k.bkv", "301\n", "k.bkv:1:1: error: 301 cannot be the best value of k.txt: values are from 0 to 300 in " +
			"steps of 1. " +
			"Correct it, or remove the file."},
		{"k.txt.bkv", "4.5\n", "k.txt.bkv:1:1: error: 4.5 cannot be"},
		{"k.txt.bkv", "-1\n", "k.txt.bkv:1:1: error: -1 cannot be"},
	} {
		os.WriteFile(c.name, []byte(c.text), 0o666)
		p, err := catalog.Parse("k.txt", problems.Options{})
		got := fmt.Sprint(err)
		if err == nil {
			f, _ := p.Info().BestKnown()
			if got = fmt.Sprint(-f); p.Info().Proven {
				got += ", proven"
			}
		}
		if !strings.HasPrefix(got, c.want) || strings.HasSuffix(got, "proven") {
			t.Errorf("%s with %q: %s, want %s", c.name, c.text, got, c.want)
		}
		os.Remove(c.name)
	}
}

// TestModel checks that a problem gives its model back: a problem made of it has the same values, sense and names.
func TestModel(t *testing.T) {
	t.Chdir(t.TempDir())
	os.WriteFile("g.txt", []byte("# clopt: offset=0.25\n3 3\n1 2 3\n2 3 1\n1 3 2\n"), 0o666)
	os.WriteFile("r.txt", []byte("# clopt: sense=min offset=-3.5 factor=-0.5 root=last\n4 4\n1 2 3\n2 3 1\n3 4 3\n1 "+
		"4 -2\n"),
		0o666)
	os.WriteFile("q.lp", []byte("Min obj: 3 a - 2.5 b + [ 3 a * b - 5 b ^ 2 ] / 2 - 4.5\nBinary b a c End"), 0o666)
	os.WriteFile("h.txt", []byte("# vartype=SPIN\n# clopt: offset=1\n0 0 1\n0 1 2\n1 2 -3\n0 2 0.25\n"), 0o666)
	os.WriteFile("j.txt", []byte("# vartype=SPIN\n0 1 2\n1 2 -3\n"), 0o666)
	os.WriteFile("f.lp", []byte("maximize a + [ 3 a * b - b * c ] / 2\nbounds\n b = 1\nbinary a b c\nend\n"), 0o666)
	for _, spec := range []string{"g.txt", "r.txt", "q.lp", "h.txt", "j.txt", "q.lp:maximize=true", "q.lp:sign=-1",
		"h.txt:sign=-1,maximize=true", "h.txt:maximize=true", "j.txt:maximize=true", "qubo:palubeckis=6", "f.lp"} {
		p, err := catalog.Parse(spec, problems.Options{})
		if err != nil {
			t.Fatal(err)
		}
		m, err := p.(*cut.Cut).Model()
		if err != nil {
			t.Fatal(err)
		}
		again, err := cut.New(m)
		if err != nil {
			t.Fatal(err)
		}
		names := again.Domain().Names
		if again.Info().Maximize != p.Info().Maximize || !slices.Equal(names, p.Domain().Names) ||
			!slices.Equal(again.Domain().Fixed, p.Domain().Fixed) {
			t.Errorf("%s: maximize %v, names %v, fixed %v", spec, again.Info().Maximize, names, again.Domain().Fixed)
		}
		x, sides := make([]float64, m.N()), make([]uint8, m.N())
		for bits := range 1 << m.N() {
			for i := range x {
				sides[i] = uint8(bits >> i & 1)
				x[i] = float64(sides[i])
			}
			exact, _ := m.Value(sides).Float64()
			f, err1 := problems.Eval(p.(problems.Referenced), x)
			g, err2 := problems.Eval(again, x)
			if err1 != nil || err2 != nil || f != g || f != p.Info().Sign()*exact {
				t.Fatalf("%s at %v: %v, again %v, model %v; %v, %v", spec, x, f, g, exact, err1, err2)
			}
		}
	}
}
