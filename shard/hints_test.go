package shard

import (
	"fmt"
	"slices"
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
	rows := [][2]string{
		{"y[0] / n", "the number of variables is DIM\n"},
		{"y[0] * pi", "pi is PI\n"},
		{"e", "e is exp(R(1.0))\n"},
		{"x[0]", "variable i is at(x, i)\n"},
		{"abs(y[0])", "the absolute value of a real is fabs\n"},
		{"y[0] * m", "undeclared identifier 'm'\n"},
		{"max(0, y[0])", "of reals they are fmax and fmin\n"},
		{"sqrt(2)", "give it reals, as in sqrt(R(2.0)), or sqrt((real)k) for an integer k\n"},
		{"rand()", "there are no random numbers"},
		{"np.sqrt(y[0])", "functions have no module"},
		{"y[0] ^ 2", "a power is sq(v), or pow(v, e)\n"},
		{"y[0] ** 2", "a power is sq(v), or pow(v, e)\n"},
		{"y[0] % 2", "fmod(a, b)\n"},
		{"2y[0]", "a product needs *"},
		{"x(0)", "variable i is at(x, i)\n"},
		{"R(y)", "R is for literals"},
		{"y[0]; return 1", "components add to sums: acc[0] += VALUE\n"},
		{"1; } int c = 3; void h(void) {", "write constant real w[3]"},
		{"log(y[0], 10)", "the logarithm to base b is log(v) / log(b)"},
		{"let(y[0])", "the text must be OpenCL C"},
		{"R(0,5)", "a decimal number has a point"},
	}
	for some := range slices.Chunk(rows, 10) { // compilers give up after some errors, or those of macros
		text := "typedef struct { int of; } point;\n"
		for i, row := range some {
			text += fmt.Sprintf("void f%d(global real *y) { point x; x.of = 0; y[0] = %s; }\n", i, row[0])
		}
		_, err := Build(g.All()[0], Assembly{Precision: problems.FP32, Parts: []kernels.Part{{Name: "own.cl",
			Text: text}},
			Defines: []kernels.Define{{Name: "GROUP", Value: "1"}}})
		for i, row := range some {
			place := fmt.Sprintf("own.cl:%d:", i+2)
			if err == nil || !slices.ContainsFunc(strings.Split(err.Error(), "own.cl:"), func(m string) bool {
				return strings.HasPrefix("own.cl:"+m, place) && strings.Contains(m, row[1])
			}) {
				t.Errorf("%s: %v, without %q", row[0], err, row[1])
			}
		}
	}
}
