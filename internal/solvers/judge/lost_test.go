package judge

import (
	"strings"
	"testing"

	"github.com/clopt/clopt/problems/opencl"
)

// A value of 0 that is below what float64 holds is told from one that is 0.
func TestLost(t *testing.T) {
	for f, want := range map[string]string{
		"exp(s0)": "exp(s0)", "3*exp(s0)+0": "exp(s0)", "1/exp(-s0)": "exp((-s0))", "0.5^(-s0)": "pow(0.5, (-s0))",
		"(s0/1e200)*(s1/1e200)": "((s0 / 1e+200) * (s1 / 1e+200))", "max(0, s0)": "", "s1 + exp(s0)": "",
		"(s1-5)^2 + exp(s0)": "", "exp(s0) - 1": "", "s0*0": "", "floor(s1/1e6)": "", "log(1 + exp(s0))": "exp(s0)",
	} {
		p, err := opencl.Parse(strings.NewReader("//@ bounds 0 1\n//@ n 2\n//@ sums 2\n//@ f "+f+
			"\nstatic void component(uint k, point x, data d, real *acc) { acc[0] += at(x, k); }\n"), nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		if got := Lost(p, []float64{-2000, 5}); got != want {
			t.Errorf("%s: %q, want %q", f, got, want)
		}
	}
}
