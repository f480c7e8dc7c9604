package formats

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/clopt/clopt/problems/graph"
	"github.com/clopt/clopt/problems/input"
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
			if e, ok := errors.AsType[*input.Error](err); !ok || e.File != path && e.File != MetaPath(path) || e.Msg == "" {
				t.Errorf("%q: %v", text, err)
			}
		}
	})
}

func FuzzGraph(f *testing.F) {
	fuzz(f, malformedGraphs, []string{"3 2\n1 2 1.5\n2 3 -1e1\n",
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
	texts := []string{"p qubo 0 2 1 1\n0 0 1\n0 1 -2.5\n", "0 0 1\n0 1 2\n", "2 2\n1 1 5\n1 2 -1\n"}
	for _, m := range samples(f) {
		for _, name := range Names() {
			format, _ := ByName(name)
			for _, kind := range format.Kinds() {
				to, err := m.To(kind)
				if err != nil {
					f.Fatal(err)
				}
				var b strings.Builder
				if _, err := Write(&b, to, format, false); err != nil {
					f.Fatal(err)
				}
				texts = append(texts, b.String())
			}
		}
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

func FuzzAssignment(f *testing.F) {
	fuzz(f, malformedOthers, []string{"010", "1 2 2", "-1,1,1"}, func(t *testing.T, path string) error {
		ReadBest(path)
		points, err := ReadAssignments(path, 3)
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
