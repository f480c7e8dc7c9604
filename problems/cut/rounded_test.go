package cut_test

import (
	"fmt"
	"math"
	"math/big"
	"os"
	"strings"
	"testing"

	"github.com/clopt/clopt/problems"
	"github.com/clopt/clopt/problems/catalog"
)

// rounded are problems whose coefficients go beyond 62 bits, by name of a file: the kind, what is added to all terms,
// and the terms "i j c".
var rounded = map[string]struct{ spec, head, terms string }{
	"choice.coo": {"qubo:choice.coo", "# vartype=BINARY\n# offset=100000000000\n", // one of four, with costs
		"0 0 -99999999999.99995\n1 1 -99999999999.99998\n2 2 -99999999999.99997\n3 3 -99999999999.99996\n" +
			"0 1 2e11\n0 2 2e11\n0 3 2e11\n1 2 2e11\n1 3 2e11\n2 3 2e11\n4 4 -1.5e-12\n5 5 1e-25\n4 5 3e14\n"},
	"chain.txt": {"ising:chain.txt", "", "0 1 3e16\n1 2 -4\n2 3 1e-9\n3 4 -2.5e-12\n4 0 1e-30\n2 2 -7e-13\n"},
	"bare.txt":  {"ising:bare.txt,maximize=true", "", "0 1 3e16\n1 2 -4\n2 3 1e-9\n3 4 -2.5e-12\n2 2 -7e-13\n"},
	"spins.coo": {"ising:spins.coo,sign=-1", "# vartype=SPIN\n# offset=0.1\n", "0 1 1e15\n0 2 -0.001\n1 2 2e-9\n"},
	"whole.coo": {"qubo:whole.coo", "# vartype=BINARY\n# offset=250000000000000000000\n",
		"0 0 -3e20\n1 1 -2e20\n0 1 4e20\n1 2 -700\n2 2 0.3\n3 3 -2e-9\n2 3 1e18\n"},
	"large.txt": {"maxcut:large.txt", "4 5\n", "1 2 4e18\n2 3 -3900000000000000000\n3 4 4e18\n1 4 1e25\n1 3 7\n"},
	"edges.txt": {"maxcut:edges.txt", "5 5\n", "1 2 1e17\n2 3 1.7e-8\n3 4 -1e-3\n1 4 2\n4 5 1e-40\n"},
}

// Values and proofs of problems that are rounded are those of the numbers of the file.
func TestRoundedProblems(t *testing.T) {
	t.Chdir(t.TempDir())
	for name, c := range rounded {
		if err := os.WriteFile(name, []byte(c.head+c.terms), 0o666); err != nil {
			t.Fatal(err)
		}
		p, err := catalog.Parse(c.spec, problems.Options{})
		if err != nil {
			t.Fatal(err)
		}
		e := p.(problems.Exact)
		if e.Rounding() == 0 {
			t.Errorf("%s is not rounded", name)
		}
		n := p.Domain().N
		var best *big.Rat
		x := make([]float64, n)
		for bits := range 1 << n {
			for i := range x {
				x[i] = float64(bits >> i & 1)
			}
			v := e.ExactValue(x)
			want := valueOf(t, c.spec, c.head, c.terms, x)
			if f, err := problems.Eval(p.(problems.Referenced), x); err != nil {
				t.Fatal(err)
			} else if off, _ := v.Float64(); math.Abs(p.Info().Sign()*f-off) > e.Rounding()+math.Abs(f)*1e-15 {
				t.Fatalf("%s: %v without the rest, %v with it, and rounding is %g", name, f, off, e.Rounding())
			}
			off := new(big.Rat).Sub(v, want)
			if off.Abs(off).Cmp(big.NewRat(1, 1e18)) > 0 {
				t.Fatalf("%s: %s at %v, want %s", name, v.FloatString(30), x, want.FloatString(30))
			}
			if p.Info().Maximize {
				want.Neg(want)
			}
			if best == nil || want.Cmp(best) < 0 {
				best = want
			}
		}
		x, ok := p.Info().Optimum()
		if !ok || !p.Info().Proven {
			t.Errorf("%s: no proven optimum", name)
			continue
		}
		f, _ := best.Float64()
		if got := problems.Reported(p, x, 0); got != f || *p.Info().Best != f {
			t.Errorf("%s: the optimum is %v and has %v, want %v", name, *p.Info().Best, got, f)
		}
		notes := strings.Join(p.Info().Notes, "\n")
		if !strings.Contains(notes, " rounded to") || strings.Contains(notes, "of weight 0") {
			t.Errorf("%s: notes %s", name, notes)
		}
	}
}

// valueOf returns the value of a point by the text of the file.
func valueOf(t *testing.T, spec, head, terms string, x []float64) *big.Rat {
	sum, base := new(big.Rat), 0
	if strings.HasPrefix(spec, "maxcut:") {
		base = 1
	}
	for line := range strings.Lines(terms) {
		var i, j int
		var text string
		fmt.Sscan(line, &i, &j, &text)
		c, ok := new(big.Rat).SetString(text)
		if !ok {
			t.Fatal(line)
		}
		a, b := x[i-base], x[j-base]
		counts := a * b
		switch {
		case base == 1:
			counts = max(a, b) - min(a, b)
		case strings.HasPrefix(spec, "ising:"):
			if counts = (2*a - 1) * (2*b - 1); i == j {
				counts = 2*a - 1
			}
		}
		sum.Add(sum, c.Mul(c, new(big.Rat).SetFloat64(counts)))
	}
	if _, offset, ok := strings.Cut(head, "offset="); ok {
		o, _ := new(big.Rat).SetString(strings.TrimSpace(offset))
		sum.Add(sum, o)
	}
	if strings.Contains(spec, "sign=-1") {
		sum.Neg(sum)
	}
	return sum
}

// Value is the float64 nearest to a value, also where units have more than 53 bits, or more with an offset.
func TestValueIsNearest(t *testing.T) {
	t.Chdir(t.TempDir())
	for text, want := range map[string]float64{
		"# vartype=SPIN\n0 1 3e16\n1 2 -4\n2 3 0.5\n":                                   -30000000000000004.5,
		"# vartype=SPIN\n0 1 1e10\n1 2 -4e-6\n2 3 -3e-7\n":                              -10000000000.0000043,
		"# vartype=SPIN\n0 1 9007199254740993\n1 2 0.25\n":                              -9007199254740993.25,
		"# vartype=BINARY\n# offset=100.5\n0 0 1.25\n1 1 -2\n0 1 0.30000000000000004\n": 98.5,
		"# vartype=SPIN\n# offset=1e19\n0 1 3e15\n1 2 0.001\n":                          9996999999999999999.999,
		"# vartype=SPIN\n# offset=0.12345678901234567\n0 1 3e15\n1 2 0.5\n":             -3000000000000000.3765,
		"# vartype=SPIN\n0 1 0.3\n1 2 0.1\n2 3 -0.0000007\n":                            -0.4000007,
	} {
		os.WriteFile("three.coo", []byte(text), 0o666)
		p, err := catalog.Parse("three.coo", problems.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if got := enumerate(t, p.(problems.Referenced)); got != want || *p.Info().Best != want {
			t.Errorf("%q: %v and %v, want %v", text, got, *p.Info().Best, want)
		}
	}
}
