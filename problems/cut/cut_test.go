package cut_test

import (
	"errors"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/clopt/clopt/problems/cut"

	"github.com/clopt/clopt/internal/problems/formats"
	"github.com/clopt/clopt/internal/problems/input"
	"github.com/clopt/clopt/problems"
	"github.com/clopt/clopt/problems/catalog"
	"github.com/clopt/clopt/problems/graph"
)

// TestCutSpecs: specs are made canonical and parse to themselves.
func TestCutSpecs(t *testing.T) {
	t.Chdir(t.TempDir())
	for name, text := range map[string]string{
		"g.txt": "3 2\n1 2 3\n2 3 1\n", "a:b,n=3": "3 2\n1 2 3\n2 3 1\n", "q": "p qubo 0 2 1 1\n0 0 5\n0 1 -4\n",
		"i": "0 0 1\n0 1 2\n",
	} {
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	for spec, want := range map[string]string{
		"maxcut:g.txt":                       "maxcut:g.txt",
		"MAXCUT:g.txt:n=3":                   "maxcut:g.txt",
		"g.txt":                              "maxcut:g.txt",
		"g.txt:merge-edges=1":                "maxcut:g.txt,merge-edges=true",
		"maxcut:g.txt,drop-loops=false":      "maxcut:g.txt",
		"maxcut:a:b,n=3":                     "maxcut:a:b,n=3",
		"maxcut:a:b,n=3:n=3,drop-loops=true": "maxcut:a:b,n=3,drop-loops=true",
		"q":                                  "qubo:q",
		"qubo:q:maximize=true,sign=-1":       "qubo:q,sign=-1,maximize=true",
		"ising:i,sign=+1":                    "ising:i",
		"maxcut:tile=4x4":                    "maxcut:tile=4x4,p=0.5,seed=1",
		"maxcut:Torus=3x3X3,seed=7,weights=PM1,n=27": "maxcut:torus=3x3x3,weights=pm1,seed=7",
		"maxcut:gnp=1e2,p=0.010":                     "maxcut:gnp=100,p=0.01,weights=unit,seed=1",
		"maxcut:complete=5,weights=-2..3":            "maxcut:complete=5,weights=-2..3,seed=1",
		"maxcut:cliques=3x5":                         "maxcut:cliques=3x5,weights=1..5,seed=1",
	} {
		p, err := catalog.Parse(spec, problems.Options{})
		if err != nil {
			t.Errorf("%s: %v", spec, err)
			continue
		}
		if p.Spec().String() != want {
			t.Errorf("%s is %s, want %s", spec, p.Spec(), want)
		}
		again, err := catalog.Parse(p.Spec().String(), problems.Options{Dim: p.Domain().N})
		if err != nil || again.Spec().String() != p.Spec().String() {
			t.Errorf("%s does not parse to itself: %v", p.Spec(), err)
		}
		if _, ok := p.(problems.Cut); !ok || p.Spec().Family == problems.OpenCL {
			t.Errorf("%s is no graph", spec)
		}
	}
	p, _ := catalog.Parse("maxcut:g.txt,drop-loops=true", problems.Options{})
	s := p.Spec()
	if s.Name = "/x/" + s.Name; s.String() != "maxcut:/x/g.txt,drop-loops=true" {
		t.Error(s)
	}
}

// enumerate returns the least value of all points, and its point.
func enumerate(t *testing.T, p problems.Referenced) (best float64) {
	t.Helper()
	best = math.Inf(1)
	x := make([]float64, p.Domain().N)
	for bits := range 1 << p.Domain().N {
		for i := range x {
			x[i] = float64(bits >> i & 1)
		}
		f, err := problems.Eval(p, x)
		if err != nil {
			t.Fatal(err)
		}
		g := p.(problems.Cut)
		side := make([]uint8, g.Graph().N())
		g.Side(x, side)
		back := make([]float64, p.Domain().N)
		for range 2 { // a method may put the root on either side
			if v := g.Value(g.Graph().Cut(side)); v != f {
				t.Fatalf("%s at %v: %v, cut %v", p.Spec(), x, f, v)
			}
			if g.Point(side, back); p.Domain().N < len(side) {
				for i := range x {
					if back[i] != x[i] {
						t.Fatalf("%s: %v comes back as %v", p.Spec(), x, back)
					}
				}
			}
			for i := range side {
				side[i] ^= 1
			}
		}
		best = min(best, f)
	}
	return best
}

// TestCutOptima compares the best value that is known with the least of all points.
func TestCutOptima(t *testing.T) {
	t.Chdir(t.TempDir())
	os.WriteFile("k.txt", []byte("3 3\n1 2 3\n2 3 1\n1 3 2\n"), 0o666)
	os.WriteFile("k.bkv", []byte("# published\n5\n"), 0o666)
	os.WriteFile("tree.txt", []byte("4 3\n1 2 3\n2 3 -1\n2 4 0.5\n"), 0o666)
	os.WriteFile("q.qubo", []byte("p qubo 0 3 2 2\n0 0 5\n2 2 -1.5\n0 1 -4\n1 2 2\n"), 0o666)
	os.WriteFile("i.txt", []byte("0 0 1\n0 1 2\n1 2 -3\n0 2 0.25\n"), 0o666)
	for spec, want := range map[string]float64{
		"k.txt": -5, "tree.txt": -3.5, "maxcut:complete=7,weights=unit": -12, "maxcut:torus=3x3,weights=unit": -12,
		"maxcut:cliques=2x5": math.NaN(), "maxcut:tile=4x4": math.NaN(), "q.qubo": -1.5, "ising:i.txt": -6.25,
		"qubo:q.qubo,maximize=true": -5,
	} {
		p, err := catalog.Parse(spec, problems.Options{})
		if err != nil {
			t.Fatal(err)
		}
		best := enumerate(t, p.(problems.Referenced))
		if !math.IsNaN(want) && best != want {
			t.Errorf("%s: the minimum is %v, want %v", spec, best, want)
		}
		f, ok := p.Info().BestKnown()
		if ok && f != best {
			t.Errorf("%s: best known %v, of all points %v", spec, f, best)
		}
		if p.Info().Proven != ok {
			t.Errorf("%s: the best value %v is proven: %v", spec, f, p.Info().Proven)
		}
		if graphs := !strings.Contains(spec, "q.qubo") && !strings.Contains(spec, "i.txt"); graphs && !ok {
			t.Errorf("%s: no best value", spec)
		}
		if x, ok := p.(*cut.Cut).Info().Optimum(); ok {
			if v, err := problems.Eval(p.(problems.Referenced), x); err != nil || v != best {
				t.Errorf("%s: the point of the optimum has %v, %v", spec, v, err)
			}
		}
	}
}

// TestCutPrecision: fp32 is refused where weights are beyond its whole numbers.
func TestCutPrecision(t *testing.T) {
	t.Chdir(t.TempDir())
	for text, ok := range map[string]bool{"2 1\n1 2 16777215\n": true, "2 1\n1 2 16777216\n": false,
		"3 2\n1 2 16777215\n1 3 -1\n": false} {
		os.WriteFile("g.txt", []byte(text), 0o666)
		p, err := catalog.Parse("g.txt", problems.Options{})
		if err != nil {
			t.Fatal(err)
		}
		_, err = p.Text(problems.FP32, problems.Tile)
		if _, refused := errors.AsType[*problems.PrecisionError](err); refused == ok {
			t.Errorf("%q: %v", text, err)
		}
	}
}

func TestReadBinaryPoints(t *testing.T) {
	dir := t.TempDir()
	file, three := filepath.Join(dir, "x"), problems.Domain{N: 3}
	for text, want := range map[string]string{"012\n": "x:1:3", "0 1 2": "x:1:5", "0 1": "x:1:4: error: 2 of 3"} {
		os.WriteFile(file, []byte(text), 0o666)
		if _, err := cut.ReadBinaryPoints(file, three); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v", text, err)
		} else if _, ok := errors.AsType[*input.Error](err); !ok {
			t.Errorf("%q: %T", text, err)
		}
	}
	var b strings.Builder
	if err := cut.WriteBinaryPoint(&b, three, []float64{0, 1, 1}); err != nil || b.String() != "011\n" {
		t.Errorf("%q, %v", b.String(), err)
	}
	os.WriteFile(file, []byte(b.String()), 0o666)
	named := problems.Domain{N: 3, Names: []string{"speed", "heat", "a b"}}
	for _, d := range []problems.Domain{three, named} {
		p, err := cut.ReadBinaryPoints(file, d)
		if err != nil || len(p.X) != 1 || p.X[0][1] != 1 || p.X[0][0] != 0 {
			t.Errorf("%v, %v", p, err)
		}
	}
	named.Fixed = []input.Fixed{{Name: "load", Value: "1.5"}}
	b.Reset()
	cut.WriteBinaryPoint(&b, named, []float64{0, 1, 1})
	if !strings.HasSuffix(b.String(), "load 1.5\n") {
		t.Errorf("%q has no line of the fixed variable", b.String())
	}
	os.WriteFile(file, []byte(b.String()), 0o666)
	p, err := cut.ReadBinaryPoints(file, named)
	if err != nil || len(p.X) != 1 || !slices.Equal(p.X[0], []float64{0, 1, 1}) {
		t.Errorf("%q: %v, %v", b.String(), p, err)
	}
}

// TestMaxCutHand: values known without computing.
func TestMaxCutHand(t *testing.T) {
	for name, c := range map[string]struct {
		text string
		want float64
	}{
		"triangle": {"3 3\n1 2\n2 3\n1 3\n", 2}, "even cycle": {"6 6\n1 2\n2 3\n3 4\n4 5\n5 6\n6 1\n",
			6}, "odd cycle": {"5 5\n1 2\n2 3\n3 4\n4 5\n5 1\n", 4},
		"negative": {"3 3\n1 2 -1\n2 3 -2\n1 3 -3\n", 0}, "star": {"5 4\n1 2 2\n1 3 2\n1 4 2\n5 1 2\n",
			8}, "two components": {"6 6\n1 2\n2 3\n1 3\n4 5\n5 6\n4 6\n", 4},
		"isolated": {"5 1\n2 4 7\n", 7}, "no edges": {"2 0\n", 0},
	} {
		path := filepath.Join(t.TempDir(), "g")
		os.WriteFile(path, []byte(c.text), 0o666)
		m, _, err := formats.Read(path, graph.Sides, formats.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if best := enumerate(t, cut.NewMaxCut(m.Pairs)); best != -c.want {
			t.Errorf("%s: %v, want %v", name, -best, c.want)
		}
	}
}
