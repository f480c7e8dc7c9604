package catalog

import (
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"testing"

	"github.com/clopt/clopt/problems"
)

// Other bounds, another sense and other tiles lose no ability of a problem of any family.
func TestWrapped(t *testing.T) {
	path := filepath.Join(t.TempDir(), "chain.cl")
	text := "//@ bounds -5 5\n//@ n 3000\n//@ reads k..k+1\n//@ components n-1\n//@ f 2*s0\n" +
		"static void component(uint k, point x, data d, real *acc) { acc[0] += sq(at(x, k) - at(x, k + 1)); }\n"
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, spec := range []string{"cec2013/f1:n=3000", "cec2013/f4:n=2000", "classic/rosenbrock:n=3000",
		"classic/griewank:n=3000", path} {
		for _, key := range []string{"lo=-4,hi=3", "maximize=true", "tile=100"} {
			sep := ","
			if spec == path {
				sep = ":"
			}
			p, err := Parse(spec, problems.Options{})
			if err != nil {
				t.Fatal(err)
			}
			if _, _, _, windows := p.Structure().Window(); key == "tile=100" && !windows {
				continue // TestParseErrors has the refusal
			}
			w, err := Parse(spec+sep+key, problems.Options{})
			if err != nil {
				t.Fatal(err)
			}
			if again, err := Parse(w.Spec().String(), problems.Options{}); err != nil ||
				again.Spec().String() != w.Spec().String() {
				t.Errorf("%s is not read back: %v", w.Spec(), err)
			}
			sameAbilities(t, p, w)
		}
	}
}

// sameAbilities checks that w has all abilities of p.
func sameAbilities(t *testing.T, p, w problems.Problem) {
	t.Helper()
	sign := w.Info().Sign()
	if a, b := p.Info(), w.Info(); a.Title != b.Title || !slices.Equal(a.Milestones, b.Milestones) ||
		a.Data != b.Data || !slices.Equal(a.Files, b.Files) {
		t.Errorf("%s has %+v, its original %+v", w.Spec(), b, a)
	}
	if !reflect.DeepEqual(p.Structure(), w.Structure()) || p.Accumulators() != w.Accumulators() ||
		p.Domain().N != w.Domain().N ||
		len(p.Linear()) != len(w.Linear()) || p.Tolerance(problems.FP32) != w.Tolerance(problems.FP32) {
		t.Errorf("%s has another structure, objective or tolerance than its original", w.Spec())
	}
	for _, form := range []problems.Form{problems.Tile, problems.Item, problems.Partial} {
		_, err := p.Text(problems.FP64, form)
		if _, bad := w.Text(problems.FP64, form); (err == nil) != (bad == nil) {
			t.Errorf("%s: text %d: %v, of the original %v", w.Spec(), form, bad, err)
		}
	}
	a, referenced := p.(problems.Referenced)
	b, ok := w.(problems.Referenced)
	if ok != referenced {
		t.Fatalf("%s has a host reference: %v, the original: %v", w.Spec(), ok, referenced)
	}
	if !ok {
		return
	}
	x := make([]float64, p.Domain().N)
	for i := range x {
		x[i] = float64(i%7)/2 - 1
	}
	f, err := problems.Eval(a, x)
	if err != nil {
		t.Fatal(err)
	}
	if g, err := problems.Eval(b, x); err != nil || !(g*sign-f <= 1e-12*max(f, -f) && f-g*sign <= 1e-12*max(f, -f)) {
		t.Errorf("%s is %v, its original %v, %v", w.Spec(), g, f, err)
	}
	if e := problems.NewDeltaEvaluator(b, x); p.Domain().N <= 3000 {
		x[5] = 0.25
		want, _ := problems.Eval(b, x)
		if got := e.Try(5, 0.25); !(got-want <= 1e-9*max(want, -want) && want-got <= 1e-9*max(want, -want)) {
			t.Errorf("%s by a difference is %v, in full %v", w.Spec(), got, want)
		}
	}
}
