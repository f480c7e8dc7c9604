package cut_test

import (
	"bytes"
	"fmt"
	"math"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/clopt/clopt/internal/problems/formats/format"
	"github.com/clopt/clopt/internal/problems/formats/write"
	"github.com/clopt/clopt/internal/problems/input"
	"github.com/clopt/clopt/problems"
	"github.com/clopt/clopt/problems/catalog"
	"github.com/clopt/clopt/problems/cut"
	"github.com/clopt/clopt/problems/rng"
)

// floats is a QUBO of float64 of very different sizes, upper triangle.
func floats(n int, size float64) (q [][]float64) {
	key := rng.Key{Seed: 3}
	for i := range n {
		q = append(q, make([]float64, n))
		for j := i; j < n; j++ {
			u := rng.Uniform(key.Word(uint32(i), uint32(j), 0, rng.Check)) - 0.5
			q[i][j] = u * size * math.Exp2(-10*rng.Uniform(key.Word(uint32(i), uint32(j), 1, rng.Check)))
		}
	}
	return q
}

// textsOf writes a QUBO in many formats, with numbers in their shortest form, as Python prints them.
func textsOf(q [][]float64) map[string]string {
	n := len(q)
	short := func(f float64) string { return strconv.FormatFloat(f, 'g', -1, 64) }
	var list, qubo, linear, lp, squares, mps, quad, csv, bits strings.Builder
	var head, tail, biases, ends []string
	for i := range n {
		fmt.Fprintf(&list, "%d %d %s\n", i, i, short(q[i][i]))
		fmt.Fprintf(&lp, " + %s x%d", short(q[i][i]), i)
		fmt.Fprintf(&mps, " x%d obj %s\n", i, short(q[i][i]))
		fmt.Fprintf(&bits, " BV b x%d\n", i)
		ends = append(ends, short(q[i][i]))
		for j := range n {
			if j > 0 {
				csv.WriteString(",")
			}
			csv.WriteString(short(q[i][j]))
			if j <= i {
				continue
			}
			fmt.Fprintf(&qubo, "%d %d %s\n", i, j, short(q[i][j]))
			fmt.Fprintf(&squares, " + %s x%d * x%d", short(2*q[i][j]), i, j)
			fmt.Fprintf(&quad, " x%d x%d %s\n", i, j, short(q[i][j]))
			head, tail = append(head, fmt.Sprint(i)), append(tail, fmt.Sprint(j))
			biases = append(biases, short(q[i][j]))
		}
		csv.WriteString("\n")
	}
	linear.WriteString(list.String())
	text := func(s *strings.Builder) string { return strings.ReplaceAll(s.String(), "+ -", "- ") }
	var npy bytes.Buffer
	out := input.NewNpyWriter(&npy, n, n)
	for i := range n {
		for j := range n {
			out.Write(q[i][j])
		}
	}
	pairs := n * (n - 1) / 2
	return map[string]string{
		"q.qubo": fmt.Sprintf("p qubo 0 %d %d %d\n", n, n, pairs) + list.String() + qubo.String(),
		"q.coo":  "# vartype=BINARY\n" + linear.String() + qubo.String(),
		"q.lp":   "Minimize" + text(&lp) + " + [" + text(&squares) + " ] / 2\nBinary\n x0 x1 x2 x3 x4 x5\nEnd\n",
		"q.mps": "NAME\nROWS\n N obj\nCOLUMNS\n" + mps.String() + "BOUNDS\n" + bits.String() + "QUADOBJ\n" +
			quad.String() +
			"ENDATA\n",
		"q.csv": csv.String(), "q.npy": npy.String(),
		"q.json": `{"type": "BinaryQuadraticModel", "version": {"bqm_schema": "3.0.0"}, "use_bytes": false, ` +
			`"variable_type": "BINARY", "offset": 0.0, "linear_biases": [` + strings.Join(ends, ", ") +
			`], "quadratic_head": [` + strings.Join(head, ", ") + `], "quadratic_tail": [` + strings.Join(tail, ", ") +
			`], "quadratic_biases": [` + strings.Join(biases, ", ") + `]}`,
	}
}

// TestFloats reads QUBOs of float64 in their shortest form from every format. All points have the values of the sums in
// float64. Files that are written are read back equal.
func TestFloats(t *testing.T) {
	t.Chdir(t.TempDir())
	const n = 6
	for _, size := range floatSizes {
		q := floats(n, size)
		total := 0.0
		for i := range n {
			for j := range n {
				total += math.Abs(q[i][j])
			}
		}
		for name, text := range textsOf(q) {
			os.WriteFile(name, []byte(text), 0o666)
			p, err := catalog.Parse("qubo:"+name, problems.Options{})
			if err != nil {
				t.Errorf("%s of size %g: %v", name, size, err)
				continue
			}
			m, err := p.(*cut.Cut).Model()
			if err != nil {
				t.Fatal(err)
			}
			var again problems.Problem
			for _, f := range []format.Format{format.QUBO, format.List, format.BQM, format.BQPJSON, format.LP,
				format.MPS,
				format.CSV} {
				var out bytes.Buffer
				if _, err := write.Model(&out, m, f, false); err != nil {
					t.Errorf("%s of size %g to %v: %v", name, size, f, err)
					continue
				}
				os.WriteFile("again", out.Bytes(), 0o666)
				if again, err = catalog.Parse("qubo:again", problems.Options{}); err != nil {
					t.Errorf("%s of size %g from %v: %v", name, size, f, err)
					continue
				}
				compare(t, fmt.Sprintf("%s of size %g in %v", name, size, f), n, func(x []float64) (a, b,
					most float64) {
					return evaluate(t, p, x), evaluate(t, again, x), 0
				})
			}
			compare(t, fmt.Sprintf("%s of size %g", name, size), n, func(x []float64) (a, b, most float64) {
				sum := 0.0
				for i := range n {
					for j := range n {
						sum += q[i][j] * x[i] * x[j]
					}
				}
				return evaluate(t, p, x), sum, 1e-15 * total
			})
		}
	}
}

// floatSizes are the sizes of the largest coefficients.
var floatSizes = []float64{3, 1e-3, 1e5, 1e-9, 1e-40}

// compare calls values at all points of n bits, and compares the two that it returns.
func compare(t *testing.T, what string, n int, values func(x []float64) (a, b, most float64)) {
	t.Helper()
	x := make([]float64, n)
	for bits := range 1 << n {
		for i := range x {
			x[i] = float64(bits >> i & 1)
		}
		if a, b, most := values(x); !(math.Abs(a-b) <= most) {
			t.Errorf("%s at %v: %v and %v", what, x, a, b)
			return
		}
	}
}

func evaluate(t *testing.T, p problems.Problem, x []float64) float64 {
	t.Helper()
	f, err := problems.Eval(p.(problems.Referenced), x)
	if err != nil {
		t.Fatal(err)
	}
	return f
}
