package opencl

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/clopt/clopt/test/battery"
)

func TestExpr(t *testing.T) {
	consts := map[string]float64{"n": 100}
	v := []float64{2, 3}
	for _, test := range []struct {
		text string
		want float64
	}{
		{"1", 1}, {".5", .5}, {"5.", 5}, {"1e-3", 1e-3}, {"2E+2", 200},
		{"s0", 2}, {"s1*n", 300}, {"e", math.E}, {"2*pi", 2 * math.Pi},
		{"1+2*3", 7}, {"(1+2)*3", 9}, {"10-4-3", 3}, {"100/10/5", 2}, {"10-4+3", 9},
		{"-s0^2", -4}, {"(-s0)^2", 4}, {"2^3^2", 512}, {"2**3**2", 512}, {"2^-1", .5}, {"2^-s0^2", 1. / 16},
		{"-2*-3", 6}, {"--2", 2}, {"+2", 2}, {"2--3", 5}, {"-1-1", -2},
		{"exp(1)", math.E}, {"log(e)", 1}, {"sqrt(16)", 4}, {"sin(0)", 0}, {"cos(0)", 1}, {"tan(0)", 0}, {"tanh(0)", 0},
		{"abs(-3)", 3}, {"min(1,2)", 1}, {"max(1, 2)", 2}, {"pow(2,10)", 1024}, {"floor(1.7)", 1}, {"ceil(1.2)", 2},
		{"max(min(s0,s1), 1)+1", 3}, {"log10(1000)", 3}, {"hypot(3,4)", 5},
		{"-20*exp(-0.2*sqrt(s0/n)) - exp(s1/n) + 20 + e        host expression in fp64; default s0",
			-20*math.Exp(-0.2*math.Sqrt(0.02)) - math.Exp(0.03) + 20 + math.E},
		{"s0 // comment", 2}, {"s0//comment", 2}, {"s0\tcomment s1 (", 2}, {"s0  - s1", -1}, {"s0   the sum", 2},
		{"1/0", math.Inf(1)},
	} {
		e, err := compileExpr(test.text, []string{"s0", "s1"}, consts)
		if err != nil {
			t.Errorf("%q: %v", test.text, err)
			continue
		}
		if got := e.value(v); got != test.want && math.Abs(got-test.want) > 1e-14*math.Abs(test.want) {
			t.Errorf("%q = %v, want %v", test.text, got, test.want)
		}
		if n := testing.AllocsPerRun(10, func() { e.value(v) }); n != 0 {
			t.Errorf("%q allocates %v times", test.text, n)
		}
	}
}

func TestExprBad(t *testing.T) {
	for _, test := range []struct {
		text string
		col  int
		want string
	}{
		{"", 1, "unexpected end"}, {"   ", 4, "unexpected end"}, {"//", 1, "unexpected end"},
		{"s0 s1", 4, `unexpected "s1"`}, {"s0  s1", 5, `unexpected "s1"`}, {"s0 the sum", 4, `unexpected "the"`},
		{"2  (a)", 4, `unexpected "("`}, {"2s0", 2, `unexpected "s0"`}, {"0x10", 2, `unexpected "x10"`},
		{"s0 +", 5, "unexpected end"}, {"s0 + * 2", 6, `unexpected "*"`}, {"(s0", 4, "for the ( in column 1"},
		{"s0)", 3, `unexpected ")"`}, {"()", 2, `unexpected ")"`}, {"1e400", 1, "1e400 does not fit"},
		{"s2", 1, `unknown name "s2". Known are s0, s1`}, {"sqr(2)", 1, `unknown function "sqr". Did you mean "sqrt"?`},
		{"sqrt", 1, `function "sqrt" without arguments`}, {"pow(2)", 6, "pow takes two arguments"},
		{"exp(1,2)", 6, `unexpected ","`}, {"exp()", 5, `unexpected ")"`}, {"s0 $ 1", 4, `unexpected "$"`},
		{"s0 · 2", 4, `unexpected "·"`}, {"2^", 3, "unexpected end"}, {".", 1, `unexpected "."`}, {"1..2", 3,
			`unexpected ".2"`},
		{strings.Repeat("(", 200), 101, "nested more than 100 deep"},
		{strings.Repeat("-", 200) + "1", 101, "nested more"},
		{"1" + strings.Repeat("^1", 200), 201, "nested more"}, {strings.Repeat("1+", 3000) + "1", 1,
			"an expression of 6001 characters"},
		{"s0 \\", 4, "unexpected"}, {"e(1)", 1, `unknown function "e"`},
	} {
		_, err := compileExpr(test.text, []string{"s0", "s1"}, nil)
		if err == nil || err.Col != test.col || !strings.Contains(err.Msg, test.want) {
			t.Errorf("%.60q: %+v, want column %d and %s", test.text, err, test.col, test.want)
		}
	}
}

func FuzzExpr(f *testing.F) {
	battery.Target(f)
	for _, s := range []string{"s0", "-20*exp(-0.2*sqrt(s0/n)) - exp(s1/n) + 20 + e  text", "2**-3^.5e1",
		"max(min(s0,s1),pi)/(n-1)", "((("} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		e, err := compileExpr(text, []string{"s0", "s1"}, map[string]float64{"n": 7})
		switch {
		case err == nil:
			e.value([]float64{1, 2})
		case err.Msg == "" || err.Col < 1 || err.Col > len(text)+1:
			t.Fatalf("%q: %+v", text, err)
		}
	})
}

func TestLinearForm(t *testing.T) {
	vars, consts := []string{"s0", "s1"}, map[string]float64{"n": 10}
	for text, want := range map[string][]float64{
		"s0": {1, 0}, "s1 + 2*s0": {2, 1}, "-(s0 - s1)*3/n + pi": {-0.3, 0.3}, "s0/2/2": {0.25, 0}, "+s0 - -s1": {1, 1},
		"2*(s0 + 1) - 2": {2, 0}, "s0  the value": {1, 0}, "s0 * 1e-3 // scaled": {1e-3, 0}, "(((s1)))": {0, 1},
		"s0*s1": nil, "s0^2": nil, "sqrt(s0)": nil, "1/s0": nil, "n": nil, "s0 - s0": nil, "s0/0": nil,
		"abs(s0) + s1": nil,
		"2^2*s0":       nil,
	} {
		e, err := compileExpr(text, vars, consts)
		if err != nil {
			t.Fatalf("%q: %v", text, err)
		}
		if got := e.linear.coefficients(); !slices.Equal(got, want) {
			t.Errorf("%q: %v, want %v", text, got, want)
		}
	}
}
