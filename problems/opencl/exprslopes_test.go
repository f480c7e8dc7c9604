package opencl

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/clopt/clopt/problems"
)

// The slopes of all functions and operators are those of differences.
func TestExprSlopes(t *testing.T) {
	texts := []string{"s0 + 2*s1 - s0*s1", "s0/(s1 + 3)", "-s0^2 + s1**3", "s0^s1",
		"-20*exp(-0.2*sqrt(s0/7)) - exp(s1/7)",
		"s0 + 100*max(0, s1 - 0.5)", "min(s0, s1)*abs(s0 - s1)", "sqrt(s0^2 + s1^2)"}
	for name := range exprFuncs1 {
		texts = append(texts, name+"(s0*s1)")
	}
	for name := range exprFuncs2 {
		texts = append(texts, name+"(s0*s1, s0 + s1)")
	}
	for _, text := range texts {
		e, err := compileExpr(text, []string{"s0", "s1"}, nil)
		if err != nil {
			t.Fatal(text, err)
		}
		for _, at := range [][]float64{{0.3, 0.7}, {0.9, 0.4}} {
			got := make([]float64, 2)
			e.slopes(at, 1, got)
			for a := range at {
				const h = 1e-6
				up, down := append([]float64{}, at...), append([]float64{}, at...)
				up[a] += h
				down[a] -= h
				want := (e.value(up) - e.value(down)) / (2 * h)
				if !(math.Abs(got[a]-want) <= 1e-8*(1+math.Abs(want))) && !math.IsNaN(want) {
					t.Errorf("%s at %v by s%d: %v, differences %v", text, at, a, got[a], want)
				}
			}
		}
	}
	for text, want := range map[string]float64{"max(0, s0 - 1)": 0.5, "abs(s0 - 1)": 0, "s0^0": 0,
		"sqrt(s0 - 1)": math.Inf(1)} {
		e, err := compileExpr(text, []string{"s0"}, nil)
		if err != nil {
			t.Fatal(text, err)
		}
		got := make([]float64, 1)
		if e.slopes([]float64{1}, 1, got); got[0] != want {
			t.Errorf("%s at 1: %v, want %v", text, got[0], want)
		}
	}
}

// A problem that is maximized has the negative slopes.
func TestSlopesOf(t *testing.T) {
	text := "//@ name f\n//@ bounds -1 1\n//@ n 3\n//@ sums 2\n//@ f s0 + exp(s1)\n" +
		"static void component(uint k, point x, data d, real *acc) { acc[0] += at(x, k); acc[1] += sq(at(x, k)); }\n"
	o, err := Parse(strings.NewReader(text), nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	most, err := problems.Maximized(o)
	if err != nil {
		t.Fatal(err)
	}
	at := []float64{5, 0}
	if got := fmt.Sprint(problems.SlopesOf(o, at), problems.SlopesOf(most, at)); got != "[1 1] [-1 -1]" {
		t.Error(got)
	}
}
