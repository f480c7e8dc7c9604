package formats

import (
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/clopt/clopt/internal/problems/formats/meta"
	"github.com/clopt/clopt/internal/problems/input"
	"github.com/clopt/clopt/problems/graph"
	"github.com/clopt/clopt/test/battery"
)

// fuzz calls read with many texts. read must not panic: it returns an *input.Error
// with a message, or a valid result.
func fuzz(f *testing.F, cases []malformed, more []string, read func(t *testing.T, path string) error) {
	for _, c := range cases {
		f.Add([]byte(c.text))
	}
	for _, text := range more {
		f.Add([]byte(text))
	}
	path := filepath.Join(f.TempDir(), "g")
	f.Fuzz(func(t *testing.T, text []byte) {
		if err := os.WriteFile(path, text, 0o666); err != nil {
			t.Skip()
		}
		if err := read(t, path); err != nil {
			if e, ok := errors.AsType[*input.Error](err); !ok || e.File != path && e.File != meta.Path(path) ||
				e.Msg == "" {
				t.Errorf("%q: %v", text, err)
			}
		}
	})
}

func FuzzGraph(f *testing.F) {
	battery.Target(f)
	fuzz(f, malformedGraphs, []string{"3 2\n1 2 1.5\n2 3 -1e1\n",
		"c a\np edge 3 2\ne 1 2\ne 3 2 -1.5\n",
		"%%MatrixMarket matrix coordinate real general\n2 2 2\n1 2 1\n2 1 1\n"}, func(t *testing.T, path string) error {
		for _, opt := range []Options{{}, {DropLoops: true, MergeEdges: true}} {
			g, _, err := readGraph(path, opt)
			if err != nil {
				return err
			}
			if g.N() > 1<<16 {
				continue
			}
			if err := g.Validate(); err != nil {
				t.Error(err)
			}
			ones := make([]uint8, g.N())
			if g.Cut(ones) != 0 || g.N() < 1 {
				t.Errorf("%d vertices, cut %d", g.N(), g.Cut(ones))
			}
		}
		return nil
	})
}

func FuzzQuadratic(f *testing.F) {
	battery.Target(f)
	texts := []string{"// a\nmax: 3 x;\n",
		"p qubo 0 2 1 1\n0 0 1\n0 1 -2.5\n",
		"c scale : 2\nc offset : -1.5\nc offset 5\np qubo 0 2 1 1\n0 0 1\n0 1 -2.5\n",
		"0 0 1\n0 1 2\n", "2 2\n1 1 5\n1 2 -1\n",
		"2\n3 3\n1 1 4\n1 3 -7\n2 3 1\n1 0\n", "1 2\n3 -1\n-1 2\n", "0,2.5\n0,-1\n",
		"# vartype=SPIN\n# clopt: n=3 sense=max offset=1.5 factor=-0.5\n# clopt: name 2 a b\n0 1 2\n",
		bqmHead + `"variable_type": "SPIN", "linear_biases": [1, 0], "offset": 2.5, "variable_labels": ["a", 7],
			"quadratic_head": [0], "quadratic_tail": [1], "quadratic_biases": [-1e0],
				"info": {"clopt": {"sense": "max"}}}`,
		bqpHead + `"scale": 2.5, "offset": 1, "linear_terms": [{"id": 3, "coeff": 1.5}],
			"quadratic_terms": [{"id_head": 3, "id_tail": 5, "coeff": 1}]}`,
		"Maximize obj: 3 x - 2.5 y + [ 3 x * y - 5 y ^ 2 ] / 2 + 4\nBounds 0 <= x <= 1\nBinary y x End",
		"NAME q\nOBJSENSE\n MAX\nROWS\n N obj\nCOLUMNS\n x obj 1\n y obj 0\nRHS\n rhs obj -3\nBOUNDS\n BV b x\n" +
			" BV b y\nQUADOBJ\n x y 2\n x x 1\nENDATA\n",
	}
	fuzz(f, slices.Concat(malformedOthers, malformedFormats), texts,
		func(t *testing.T, path string) error {
			var last error
			for _, opt := range []Options{{}, {MergeEdges: true}} {
				for _, kind := range []graph.Kind{graph.Bits, graph.Spins} {
					m, _, err := Read(path, kind, opt)
					if last = err; err != nil || m.N() > 1<<16 {
						continue
					}
					checkModel(t, m)
				}
			}
			return last
		})
}

// FuzzReaders reads texts of the formats that are read as a whole, and of packed files.
func FuzzReaders(f *testing.F) {
	battery.Target(f)
	s := randomSums(rand.New(rand.NewPCG(1, 2)), 4)
	texts := []string{s.dimod(1, "SPIN"), s.dimod(2, "BINARY"), s.npz("coo"), s.npz("csr"), s.qplib(),
		s.python(false), s.python(true), s.inBoth("v%d v%d %d\n"), "% bip posweighted\n" + s.inBoth("%d %d %d 9\n"),
		s.inBoth("%d %d {'weight': %d}\n")}
	fuzz(f, malformedReaders, texts, func(t *testing.T, path string) error {
		var last error
		for _, opt := range []Options{{}, {DropLoops: true, MergeEdges: true}, {Pairs: "twice"}} {
			for kind := graph.Sides; kind <= graph.Spins; kind++ {
				m, _, err := Read(path, kind, opt)
				if last = err; err != nil || m.N() > 1<<16 {
					continue
				}
				checkModel(t, m)
			}
		}
		return last
	})
}

func FuzzAssignment(f *testing.F) {
	battery.Target(f)
	fuzz(f, malformedOthers, []string{"010", "1 2 2", "-1,1,1"}, func(t *testing.T, path string) error {
		input.ReadBest(path)
		points, err := input.ReadAssignments(path, 3)
		for _, p := range points {
			for _, s := range p {
				if len(p) != 3 || s > 1 {
					t.Errorf("%v", points)
				}
			}
		}
		return err
	})
}

// checkModel checks the form of a model, and that it has the same values in all kinds of variables.
func checkModel(t *testing.T, m *graph.Model) {
	t.Helper()
	if err := m.Pairs.Validate(); err != nil {
		t.Error(err)
	}
	for kind := graph.Sides; kind <= graph.Spins; kind++ {
		if to, err := m.To(kind); err == nil {
			if err := to.Pairs.Validate(); err != nil {
				t.Error(err)
			}
		}
	}
}
