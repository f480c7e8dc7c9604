package shard

import (
	"strings"
	"testing"

	"github.com/clopt/clopt/kernels"
	"github.com/clopt/clopt/problems"
)

// TestHints: the compiler's message about a name that an objective does not have says which one it has.
func TestHints(t *testing.T) {
	chosen, err := Select("0", problems.FP32)
	if err != nil {
		t.Fatal(err)
	}
	g, err := Open(chosen, Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer g.Close()
	for value, want := range map[string]string{
		"y[0] / n":  "the number of variables is DIM\n",
		"y[0] * pi": "pi is PI\n",
		"e":         "e is exp(R(1.0))\n",
		"x[0]":      "variable i is at(x, i)\n",
		"abs(y[0])": "the absolute value of a real is fabs\n",
		"y[0] * m":  "undeclared identifier 'm'\n",
	} {
		text := "typedef struct { int of; } point;\n" +
			"kernel void f(global real *y) { point x; x.of = 0; y[0] = " + value + "; }\n"
		_, err := Build(g.All()[0], Assembly{Precision: problems.FP32,
			Parts: []kernels.Part{{Name: "own.cl", Text: text}}})
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, without %q", value, err, want)
		}
	}
}
