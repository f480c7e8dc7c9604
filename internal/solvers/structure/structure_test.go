package structure

import (
	"context"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/clopt/clopt/problems"
	"github.com/clopt/clopt/problems/rng"
	"github.com/clopt/clopt/shard"
	"github.com/clopt/clopt/test/solvertest"
)

// objective returns an objective with the directives and the body of component, and lists.txt beside it.
func objective(t *testing.T, directives, lists, body string) problems.Problem {
	t.Helper()
	dir := t.TempDir()
	if !strings.Contains(directives, "bounds") {
		directives = "//@ bounds -1 1\n" + directives
	}
	text := directives + "\nstatic void component(uint k, point x, data d, real *acc)\n{ " +
		body + " }\n"
	for name, text := range map[string]string{"f.cl": text, "lists.txt": lists} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return solvertest.ParseProblem(t, filepath.Join(dir, "f.cl"))
}

// Honest declarations are accepted, in both precisions and in spite of rounding.
func TestVerifyHonest(t *testing.T) {
	g := solvertest.OpenFirst(t, 1, shard.Options{})
	var groups strings.Builder
	for k := range 6 {
		for i := range 40 {
			fmt.Fprint(&groups, 40*k+(i*7)%40, " ")
		}
		groups.WriteString("\n")
	}
	for name, p := range map[string]problems.Problem{
		"offsets": solvertest.ParseProblem(t, "../../../test/testdata/lattice.cl:n=400"),
		"groups": objective(t, "//@ n 240\n//@ components 6\n//@ reads lists lists.txt", groups.String(),
			"real s = R(1e6); for (uint q = d.reads_start[k]; q < d.reads_start[k + 1]; q++) "+
				"s += exp(at(x, d.reads[q])); acc[0] += s * s;"),
		"inner": solvertest.ParseProblem(t, "cec2013/f10"),
		"whole": objective(t, "//@ n 40\n//@ reads whole", "", "acc[0] += at(x, k) * at(x, DIM - 1 - k);"),
	} {
		for _, prec := range []problems.Precision{problems.FP64, problems.FP32} {
			r, err := Verify(context.Background(), g, p, prec, rng.Key{Seed: 1})
			if err != nil || r.Found() != nil {
				t.Errorf("%s: %v, %v", name, err, r.Found())
			}
			if (r.Tests == 0) != p.Structure().Whole() || r.Missed > 0.01 {
				t.Errorf("%s: %+v", name, r)
			}
		}
	}
}

// A read that is not declared is found, with the component.
func TestVerifyFindsReads(t *testing.T) {
	g := solvertest.OpenFirst(t, 1, shard.Options{})
	p := objective(t, "//@ n 1500\n//@ reads k", "",
		"acc[0] += sq(at(x, k)) + (k == as_uint(700) && at(x, k) > R(0.8) ? at(x, 1400) : R(0.0));")
	r, err := Verify(context.Background(), g, p, problems.FP64, rng.Key{Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	if r.Read == nil || r.Read.Component != 700 || r.Read.Variable != 1400 ||
		!slices.Equal(r.Read.Declared, []int{700}) {
		t.Errorf("%+v", r.Read)
	}
}

// Two variables that interact are found among thousands though no read shows it, with the component and the difference.
func TestVerifyFindsInteractions(t *testing.T) {
	g := solvertest.OpenFirst(t, 1, shard.Options{})
	const body = "acc[0] += sq(at(x, k)) + (k == 7 ? R(0.5) * at(x, 700) * at(x, 1400) : R(0.0));"
	one := objective(t, "//@ n 1500", "", body)
	own := objective(t, "//@ n 1500\n//@ bounds lists.txt", strings.Repeat("-1 1\n3 5\n", 750), body)
	for _, c := range []struct {
		p    problems.Problem
		prec problems.Precision
	}{{one, problems.FP64}, {one, problems.FP32}, {own, problems.FP32}} {
		p, prec := c.p, c.prec
		probe, err := newProber(g, p, prec, rng.Key{Seed: 1})
		if err != nil {
			t.Fatal(err)
		}
		defer probe.close()
		var r Report
		if err := probe.verify(context.Background(), problems.Windows(1500, 1500, 1, 0, 0), &r); err != nil {
			t.Fatal(err)
		}
		i := r.Pair
		if i == nil {
			t.Fatal("nothing was found")
		}
		both := append(slices.Clone(i.First), i.Second...)
		slices.Sort(both)
		if i.Component != 7 || !slices.Equal(both, []int{700, 1400}) || math.Abs(i.Difference) <= i.Bound {
			t.Errorf("%s: %+v", prec, i)
		}
		if text := r.Found().Error(); !strings.Contains(text, "interact in component 7,") {
			t.Error(text)
		}
	}
}

// A component that falls where an inner sum rises is found, also where components may read any variable.
func TestVerifyFindsFalls(t *testing.T) {
	g := solvertest.OpenFirst(t, 1, shard.Options{})
	for _, c := range []struct {
		reads, value string
		want         *Fall
	}{
		{"//@ reads k", "exp(inner[0]) + sqrt(inner[1])", nil},
		{"//@ reads k", "k == 300 ? inner[0] - inner[1] : inner[0]", &Fall{Component: 300}},
		{"//@ reads whole", "inner[0] > R(0.7) ? R(0.0) : inner[1]", &Fall{Component: 0}},
	} {
		file := filepath.Join(t.TempDir(), "f.cl")
		text := "//@ bounds 0 1\n//@ n 400\n//@ inner 2\n" + c.reads + `
static void component_inner(uint k, point x, data d, real *inner) { inner[0] += at(x, k); inner[1] += sq(at(x, k)); }
static real component_value(uint k, const real *inner, data d) { return ` + c.value + "; }\n"
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		p := solvertest.ParseProblem(t, file)
		r, err := Verify(context.Background(), g, p, problems.FP64, rng.Key{Seed: 1})
		if err != nil {
			t.Fatal(err)
		}
		if c.want != nil {
			c.want.File = file
		}
		if !reflect.DeepEqual(r.Fall, c.want) || c.want != nil && r.Found() != error(r.Fall) {
			t.Errorf("%s: %+v, want %+v", c.value, r.Fall, c.want)
		}
	}
}

// What components read is learnt as the declaration that an honest file has.
func TestLearnReads(t *testing.T) {
	g := solvertest.OpenFirst(t, 1, shard.Options{})
	for name, c := range map[string]struct {
		p    problems.Problem
		want problems.Structure
	}{
		"offsets": {objective(t, "//@ n 400", "", "acc[0] += at(x, k); if (k + 1 < DIM) acc[0] += at(x, k + 1); "+
			"if (k + 20 < DIM) acc[0] += at(x, k + 20);"), problems.Offsets(400, 400, 1, []int{0, 1, 20})},
		"windows": {objective(t, "//@ n 400\n//@ components n/4", "",
			"for (uint i = 0; i < 4; i++) acc[0] += at(x, 4*k + i);"), problems.Windows(400, 100, 4, 0, 3)},
		"before": {objective(t, "//@ n 4", "", "acc[0] += at(x, k) * at(x, k > 0 ? k - 1 : k);"),
			problems.Lists(4, []uint32{0, 1, 3, 5, 7}, []uint32{0, 0, 1, 1, 2, 2, 3})},
		"wide": {objective(t, "//@ n 400\n//@ components 4", "",
			"for (uint i = 0; i < 100; i++) acc[0] += at(x, 100*k + i);"), problems.Windows(400, 4, 100, 0, 99)},
	} {
		l, err := Learn(context.Background(), g, c.p, problems.FP64, rng.Key{Seed: 1})
		if err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(l.Structure, c.want) || l.Groups != nil {
			t.Errorf("%s: %+v, want %+v", name, l.Structure, c.want)
		}
	}
}

// Where components read everything, the groups of variables that interact are found.
func TestLearnGroups(t *testing.T) {
	g := solvertest.OpenFirst(t, 1, shard.Options{})
	p := objective(t, "//@ n 60\n//@ components 1", "", "for (uint i = 0; i < DIM; i++) acc[0] += exp(at(x, i));\n"+
		"for (uint i = 3; i < 40; i += 12) acc[0] += at(x, i) * at(x, i + 12);\n"+
		"acc[0] += sq(at(x, 50) + at(x, 51) + at(x, 59));")
	l, err := Learn(context.Background(), g, p, problems.FP64, rng.Key{Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	var several [][]int
	total := 0
	for _, group := range l.Groups {
		if total += len(group); len(group) > 1 {
			several = append(several, group)
		}
	}
	if want := [][]int{{3, 15, 27, 39, 50, 51, 59}}; total != 60 || !reflect.DeepEqual(several, want) {
		t.Errorf("%v, %d variables", several, total)
	}
	if !l.Structure.Whole() {
		t.Errorf("%+v", l.Structure)
	}
}
