package cut_test

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/clopt/clopt/problems"
	"github.com/clopt/clopt/problems/catalog"
	"github.com/clopt/clopt/problems/rng"
)

// TestFix compares the values of problems with fixed variables with those of the whole problems at the same points.
func TestFix(t *testing.T) {
	t.Chdir(t.TempDir())
	for name, text := range map[string]string{
		"names.lp": "Minimize\n obj: 2 y(a,1) - 3 x#b + c + [ 8 y(a,1) * c - 6 c * d + 2 d * x#b ] / 2\n" +
			"Binaries\n y(a,1) c d " +
			"x#b\nEnd\n",
		"q.sparse":  "4 6\n1 1 -2\n2 2 3\n1 2 4\n2 3 -5\n3 4 1\n1 4 0.25\n",
		"i.coo":     "# vartype=SPIN\n0 0 3\n0 1 2\n1 2 -4\n2 3 1\n3 3 -1\n",
		"g.csv":     "source,target,weight\na b,c,2\nc,d;e,3\nd;e,a b,-1\nf,c,5\n",
		"counted.g": "4 4\n1 2 3\n2 3 1\n3 4 2\n4 1 5\n",
	} {
		os.WriteFile(name, []byte(text), 0o666)
	}
	for _, c := range []struct {
		spec, fix string
		value     map[string]float64
	}{
		{"names.lp", "y(a,1)=1", map[string]float64{"y(a,1)": 1}},
		{"names.lp", "y(a,1)=1,x#b=0", map[string]float64{"y(a,1)": 1, "x#b": 0}},
		{"q.sparse", "2=1,4=+1", map[string]float64{"1": 1, "3": 1}},
		{"i.coo", "1=-1,2=1", map[string]float64{"1": 0, "2": 1}},
		{"i.coo", "3=0", map[string]float64{"3": 0}},
		{"g.csv", "a b=1,d;e=0", map[string]float64{"a b": 1, "d;e": 0}},
		{"maxcut:counted.g", "1=1", map[string]float64{"0": 1}},
		{"maxcut:counted.g,fix=1=1", "", map[string]float64{"0": 1}},
	} {
		whole, err := catalog.Parse(strings.TrimSuffix(c.spec, ",fix=1=1"), problems.Options{})
		if err != nil {
			t.Fatal(err)
		}
		p, err := catalog.Parse(c.spec, problems.Options{Fix: c.fix})
		if err != nil {
			t.Errorf("%s with %s: %v", c.spec, c.fix, err)
			continue
		}
		again, err := catalog.Parse(p.Spec().String(), problems.Options{})
		if err != nil || again.Spec().String() != p.Spec().String() {
			t.Errorf("%s cannot be read back: %v", p.Spec(), err)
			continue
		}
		all, left := whole.Domain(), again.Domain()
		if left.N != all.N-len(c.value) || len(left.Fixed) != len(c.value) ||
			whole.Info().Maximize != p.Info().Maximize {
			t.Errorf("%s has %d variables, %d fixed", p.Spec(), left.N, len(left.Fixed))
		}
		for point := range uint32(100) {
			x, y := make([]float64, 0, left.N), make([]float64, all.N)
			for i := range y {
				name := fmt.Sprint(i)
				if all.Names != nil {
					name = all.Names[i]
				}
				v, fixed := c.value[name]
				if y[i] = v; !fixed {
					y[i] = float64(rng.Key{Seed: 1}.Word(uint32(i), point, 0, rng.Check) >> 31)
					x = append(x, y[i])
				}
			}
			got := again.(problems.Exact).ExactValue(x)
			if want := whole.(problems.Exact).ExactValue(y); got.Cmp(want) != 0 {
				t.Errorf("%s: %v at %v, want %v", p.Spec(), got, x, want)
				break
			}
		}
	}
	for fix, want := range map[string]string{
		"y=1":                    `there is no variable "y" to fix`,
		"c=2":                    `"c=2" fixes no variable`,
		"c=-1":                   `"c" is fixed to -1; it can be 0 or 1`,
		"c=1,c=0":                `"c" is fixed to 0 and to 1`,
		"y(a,1)=1,c=0,d=1,x#b=0": "all 4 variables are fixed",
		"c":                      `"c" fixes no variable`,
	} {
		_, err := catalog.Parse("names.lp", problems.Options{Fix: fix})
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", fix, err)
		}
	}
	if _, err := catalog.Parse("rastrigin", problems.Options{Fix: "1=0"}); err == nil {
		t.Error("a function of real variables takes fix")
	}
}
