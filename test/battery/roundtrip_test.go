package battery_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/clopt/clopt/internal/problems/formats"
	"github.com/clopt/clopt/internal/problems/formats/format"
	"github.com/clopt/clopt/internal/problems/formats/meta"
	"github.com/clopt/clopt/internal/problems/formats/write"
	"github.com/clopt/clopt/internal/solvers/runs/recipe"
	"github.com/clopt/clopt/problems"
	"github.com/clopt/clopt/problems/catalog"
	"github.com/clopt/clopt/problems/graph"
	"github.com/clopt/clopt/solvers"
	"github.com/clopt/clopt/solvers/methods"
	"github.com/clopt/clopt/test/battery"
)

// rounds is how many texts of each kind are printed and parsed.
func rounds() int {
	if testing.Short() {
		return 100
	}
	return 10_000
}

// pick returns one of some texts.
func pick(r *rand.Rand, from ...string) string { return from[r.IntN(len(from))] }

// number returns a number in one of the forms in which users write it.
func number(r *rand.Rand, most int) string {
	n := 1 + r.IntN(most)
	return pick(r, fmt.Sprint(n), fmt.Sprintf("%de0", n), fmt.Sprintf("%dk", 1+n/1000), fmt.Sprintf("%.3e", float64(n)))
}

// TestR4Specs prints and parses specs of problems. Specs that are refused are not counted.
func TestR4Specs(t *testing.T) {
	count, r := battery.Begin(t), rand.New(rand.NewPCG(1, 1))
	for done := 0; done < rounds(); {
		var spec string
		switch r.IntN(3) {
		case 0:
			spec = fmt.Sprintf("classic/%s:n=%s", pick(r, "ackley", "Rastrigin", "griewank", "schwefel", "rosenbrock"),
				number(r, 3000))
		case 1:
			spec = fmt.Sprintf("cec2013/f%d:n=%d000", 1+r.IntN(3), 1+r.IntN(4))
		default:
			spec = pick(r, fmt.Sprintf("maxcut:torus=%dx%d,seed=%d", 3+r.IntN(5), 3+r.IntN(5), r.IntN(1000)),
				fmt.Sprintf("maxcut:gnp=%d,p=0.%d,weights=-%d..%d,seed=%d", 5+r.IntN(20), 1+r.IntN(9), r.IntN(9),
					1+r.IntN(9), r.IntN(1000)))
		}
		if !strings.HasPrefix(spec, "maxcut") {
			spec += pick(r, "", ",maximize=true", fmt.Sprintf(",lo=-%g,hi=%g", r.Float64()+0.5, r.Float64()),
				", lo=-1, hi=1e-3")
		}
		p, err := catalog.Parse(spec, problems.Options{})
		if err != nil {
			continue
		}
		done++
		text := p.Spec().String()
		again, err := catalog.Parse(text, problems.Options{})
		count.Check(err == nil && again.Spec().String() == text, "%s is printed as %s, and then: %v", spec, text, err)
	}
}

// TestR4Settings prints and parses settings of all methods. Settings that are refused are not counted.
func TestR4Settings(t *testing.T) {
	count, r := battery.Begin(t), rand.New(rand.NewPCG(2, 2))
	for done := 0; done < rounds(); {
		name := pick(r, methods.Names()...)
		m, err := methods.New(name, nil)
		if err != nil {
			t.Fatal(err)
		}
		set := map[string]string{}
		for _, part := range strings.Split(solvers.Spell(m), ",") {
			key, value, _ := strings.Cut(part, "=")
			switch r.IntN(4) {
			case 0:
				set[key] = pick(r, number(r, 100), fmt.Sprint(r.Float64()), "true", "false", "auto", "mts", "sa", "v1")
			case 1:
				set[strings.ToUpper(key)] = value
			}
		}
		if m, err = methods.New(name, set); err != nil {
			continue
		}
		done++
		text, back := solvers.Spell(m), map[string]string{}
		for _, part := range strings.Split(text, ",") {
			key, value, _ := strings.Cut(part, "=")
			back[key] = value
		}
		again, err := methods.New(name, back)
		count.Check(err == nil && solvers.Spell(again) == text, "%s with %v is printed as %s, and then: %v", name, set,
			text, err)
	}
}

// TestR4RunFiles writes and reads run files.
func TestR4RunFiles(t *testing.T) {
	count, r := battery.Begin(t), rand.New(rand.NewPCG(3, 3))
	t.Chdir(t.TempDir())
	words := func() string {
		return pick(r, "1000", "-1.5e-3", "true", "a b", `back\slash`, `"quoted"`, "ünïcode ✓", "#no comment",
			"[x]", "''", "")
	}
	for range rounds() {
		problem := pick(r, "cec2013/f1", "dir/my file.cl:n=3", `odd"name.cl`, "maxcut:graph.txt")
		keys := []recipe.Key{{Name: "seed", Vals: []string{words()}}, {Name: "set", List: true}}
		for range r.IntN(5) {
			keys[1].Vals = append(keys[1].Vals, words())
		}
		if err := os.WriteFile(recipe.Name, []byte(recipe.Text("1.0.0", problem, keys)), 0o666); err != nil {
			t.Fatal(err)
		}
		f, err := recipe.Read(recipe.Name, nil)
		count.Check(err == nil && slices.Equal(f.Entries["problem"].Vals, []string{problem}) &&
			slices.Equal(f.Entries["seed"].Vals, keys[0].Vals) && slices.Equal(f.Entries["set"].Vals, keys[1].Vals),
			"%q, %v: %v", problem, keys, err)
	}
}

// TestR4Graphs writes and reads random graphs, QUBOs and Ising problems in every format.
func TestR4Graphs(t *testing.T) {
	count, r := battery.Begin(t), rand.New(rand.NewPCG(4, 4))
	t.Chdir(t.TempDir())
	each := rounds() / len(format.Names())
	if !testing.Short() {
		each = rounds()
	}
	for _, name := range format.Names() {
		f, _ := format.ByName(name)
		for range each {
			kinds := f.Kinds()
			m := randomModel(r, kinds[r.IntN(len(kinds))])
			var text, again bytes.Buffer
			side, err := write.Model(&text, m, f, false)
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			path := "g." + name
			os.Remove(meta.Path(path))
			if side != nil {
				os.WriteFile(meta.Path(path), side, 0o666)
			}
			if err := os.WriteFile(path, text.Bytes(), 0o666); err != nil {
				t.Fatal(err)
			}
			back, _, err := formats.Read(path, m.Kind, formats.Options{})
			if err == nil {
				_, err = write.Model(&again, back, f, false)
			}
			x := make([]uint8, m.N())
			for i := range x {
				x[i] = uint8(r.IntN(2))
			}
			count.Check(err == nil && again.String() == text.String() && back.Maximize == m.Maximize &&
				back.Value(x).Cmp(m.Value(x)) == 0,
				"%s: %v\n%s\n%s", name, err, text.String(), again.String())
		}
	}
}

// randomModel returns a problem of up to 12 variables.
func randomModel(r *rand.Rand, kind graph.Kind) *graph.Model {
	n := 2 + r.IntN(11)
	in, err := graph.GNP(n, r.Float64(), graph.Weights{Lo: -99, Hi: 99}, r.Uint32())
	if err != nil {
		panic(err)
	}
	q := graph.Quadratic{Linear: make([]int64, n), Pairs: in.Graph}
	for i := range q.Linear {
		q.Linear[i] = int64(r.IntN(199)) - 99
	}
	m := graph.NewModel(kind, q)
	m.Maximize = r.IntN(2) == 0
	m.Offset.SetFrac64(int64(r.IntN(99))-49, 4)
	if kind == graph.Sides {
		m.Linear = nil
	}
	return m
}
