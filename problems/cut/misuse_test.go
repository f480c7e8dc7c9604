package cut

import (
	"bytes"
	"errors"
	"math"
	"os"
	"strings"
	"testing"

	"github.com/clopt/clopt/internal/problems/formats/format"
	"github.com/clopt/clopt/internal/problems/formats/write"
	"github.com/clopt/clopt/problems"
	"github.com/clopt/clopt/problems/graph"
)

// TestNewRefuses gives models that were made by hand. The error names the field.
func TestNewRefuses(t *testing.T) {
	loop := &graph.Graph{Offsets: []int{0, 1}, Neighbors: []uint32{0}, Weights: []int64{1}, Unit: 1}
	two := &graph.Graph{Offsets: []int{0, 1, 2}, Neighbors: []uint32{1, 0}, Weights: []int64{1, 1}, Unit: 1}
	for _, c := range []struct {
		m    *graph.Model
		want string
	}{
		{nil, "the model is nil"},
		{&graph.Model{}, "Model.Pairs is nil"},
		{&graph.Model{Quadratic: graph.Quadratic{Pairs: two}}, "Model.Offset is <nil>"},
		{graph.NewModel(7, graph.Quadratic{Pairs: two}), "Model.Kind: kind is 7"},
		{graph.NewModel(graph.Sides, graph.Quadratic{}), "a model of 0 variables"},
		{graph.NewModel(graph.Sides, graph.Quadratic{Pairs: loop}), "its own neighbour"},
		{graph.NewModel(graph.Sides, graph.Quadratic{Pairs: &graph.Graph{}}), "without Offsets"},
		{graph.NewModel(graph.Bits, graph.Quadratic{Pairs: two}), "Model.Linear has 0 numbers for 2 variables"},
		{graph.NewModel(graph.Spins, graph.Quadratic{Linear: []int64{1, 2, 3}, Pairs: two}), "Model.Linear has 3"},
		{graph.NewModel(graph.Bits, graph.Quadratic{Linear: []int64{math.MinInt64, 2}, Pairs: two}), "beyond 2^60"},
	} {
		if p, err := New(c.m); p != nil || err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v, want an error with %q", err, c.want)
		}
		if _, err := write.Model(&bytes.Buffer{}, c.m, format.QUBO, false); err == nil {
			t.Errorf("a model is written, and New says of it %q", c.want)
		}
	}
	good := graph.NewModel(graph.Bits, graph.Quadratic{Linear: []int64{1, -2}, Pairs: two})
	for _, f := range []format.Format{format.Unknown, format.Palubeckis, 99, -1} {
		if _, err := write.Model(&bytes.Buffer{}, good, f, false); err == nil || !strings.Contains(err.Error(),
			"is not written") {
			t.Errorf("format %d: %v", int(f), err)
		}
	}
	if _, err := good.To(9); err == nil || !strings.Contains(err.Error(), "kind is 9") {
		t.Error(err)
	}
}

// TestQuadraticWithoutPairs minimizes a QUBO and an Ising problem that have linear terms only.
func TestQuadraticWithoutPairs(t *testing.T) {
	for kind, want := range map[graph.Kind]float64{graph.Bits: -5, graph.Spins: -9} {
		p, err := New(graph.NewModel(kind, graph.Quadratic{Linear: []int64{4, -2, -3}}))
		if err != nil {
			t.Fatal(err)
		}
		if err := problems.Validate(p); err != nil {
			t.Error(err)
		}
		if f, err := problems.Eval(p, []float64{0, 1, 1}); f != want || err != nil || *p.Info().Best != want {
			t.Errorf("%v: %g, %v, best %g, want %g", kind, f, err, *p.Info().Best, want)
		}
	}
}

// TestMaximized maximizes QUBOs and Ising problems that were read and that were made, with the same values.
func TestMaximized(t *testing.T) {
	dir := t.TempDir()
	for _, c := range []struct{ family, text string }{
		{"qubo", "p qubo 0 3 2 2\n0 0 1.5\n2 2 -4\n0 1 3\n1 2 -0.25\n"},
		{"ising", "0 0 1\n1 1 -2\n0 1 3\n1 2 -5\n"},
		{"ising", "0 1 3\n1 2 -5\n"}, // without a root
	} {
		path := dir + "/a.txt"
		if err := os.WriteFile(path, []byte(c.text), 0o600); err != nil {
			t.Fatal(err)
		}
		spec := problems.Spec{Family: c.family, Name: path, File: true}
		plain, err1 := parse(spec)
		want, err2 := parse(spec.With("maximize", "true"))
		got, err3 := problems.Maximized(plain)
		if err := errors.Join(err1, err2, err3); err != nil {
			t.Fatal(err)
		}
		if got.Spec().String() != want.Spec().String() || !got.Info().Maximize ||
			*got.Info().Best != *want.Info().Best {
			t.Errorf("%v with best %v, want %v with %v", got.Spec(), *got.Info().Best, want.Spec(), *want.Info().Best)
		}
		for k := range 8 {
			x := []float64{float64(k & 1), float64(k >> 1 & 1), float64(k >> 2)}
			a, _ := problems.Eval(plain.(problems.Referenced), x)
			b, _ := problems.Eval(want.(problems.Referenced), x)
			if f, err := problems.Eval(got.(problems.Referenced), x); f != b || f != -a || err != nil {
				t.Errorf("%s at %v: %g, %v; from the file %g, and %g to be minimized", c.family, x, f, err, b, a)
			}
		}
		if again, err := problems.Maximized(got); again != got || err != nil {
			t.Errorf("maximized twice: %v, %v", again, err)
		}
	}
}
