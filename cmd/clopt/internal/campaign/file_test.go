package campaign

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/BurntSushi/toml"

	"github.com/clopt/clopt/cmd/clopt/internal/flags"
	"github.com/clopt/clopt/cmd/clopt/internal/report"
	"github.com/clopt/clopt/solvers/methods"
	"github.com/clopt/clopt/test/battery"
)

// TestPaperCells checks that the campaign of a paper has a cell and a column for every number that the paper prints.
func TestPaperCells(t *testing.T) {
	for _, name := range []string{"ferreiro2012", "andrade2012"} {
		if name == "andrade2012" && !slices.Contains(methods.Names(), "cgrasp") {
			t.Log("andrade2012 needs solver cgrasp, which is not there")
			continue
		}
		c, err := Open(name)
		if err != nil {
			t.Fatal(err)
		}
		cells := map[string]bool{}
		columns := map[string][]string{}
		for i := range c.Tables {
			tab := &c.Tables[i]
			columns[tab.Name] = (&report.Measured{View: &tab.View}).ColumnsOf()
			if len(tab.Baselines) > 0 {
				columns[tab.Name] = append(columns[tab.Name], "speedup")
			}
			for _, pattern := range tab.Problems {
				specs, _ := flags.Expand(pattern)
				for _, spec := range specs {
					for _, e := range tab.Solvers {
						cells[tab.Name+" "+strings.TrimPrefix(spec, "classic/")+" "+e.Label] = true
					}
				}
			}
		}
		p, err := report.ReadPaper(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range p.Rows {
			if !cells[r.Table+" "+r.Problem+" "+r.Label] {
				t.Errorf("%s: table %s has no cell for %s %s", name, r.Table, r.Problem, r.Label)
			}
			for q := range r.Values {
				if !slices.Contains(columns[r.Table], q) {
					t.Errorf("%s: table %s has no column for the %s of %s %s", name, r.Table, q, r.Problem, r.Label)
				}
			}
		}
		if len(p.Rows) < 16 {
			t.Errorf("%s: %d rows", name, len(p.Rows))
		}
	}
}

// TestEntrySettings: what is published goes before what the suite sets, and that before what a laptop changes.
func TestEntrySettings(t *testing.T) {
	e := Entry{Solver: "sa", Preset: "v2", Set: map[string]plain{"N": "7"},
		Laptop: map[string]plain{"chains": "5", "Tmin": "0.1"}}
	for laptop, want := range map[bool]string{false: "N=7 T0=1 Tmin=1e-06 starts=same variant=v2",
		true: "N=7 T0=1 Tmin=0.1 chains=5 starts=same variant=v2"} {
		if got, err := e.settings("classic/F1_a:n=30", laptop); err != nil || strings.Join(got, " ") != want {
			t.Errorf("%q, %v", got, err)
		}
	}
	e.Preset = "v3"
	if got, err := e.settings("classic/G1", false); err == nil {
		t.Errorf("published settings of G1: %q", got)
	}
}

func FuzzSuiteFile(f *testing.F) {
	battery.Target(f)
	f.Add("name = \"small\"\n[[table]]\nname = \"A\"\nproblems = [\"cec2013/f{2,12}\"]\ndims = [1000]\nevals = " +
		"1200\nruns = 2\n[[table.solver]]\nsolver = \"masw\"\nset = { population = 10 }\n")
	f.Add("name = \"x\"\n[[table]]\nname = \"{\"\nproblems = [\"{1..9}\"]\n[[table.solver]]\n")
	f.Fuzz(func(t *testing.T, text string) { parse("s.toml", "", []byte(text)) })
}

// TestR4Suites writes random suites and reads them again.
func TestR4Suites(t *testing.T) {
	count, rounds := battery.Begin(t), 10_000
	if testing.Short() {
		rounds = 100
	}
	r := rand.New(rand.NewPCG(6, 6))
	text := func(from ...string) string { return from[r.IntN(len(from))] }
	for range rounds {
		c := &Campaign{Name: text("a", "cano-2016", "x.1"), Title: text("", "two \"functions\"", "ünïcode ✓ #",
			`back\slash`)}
		for i := range 1 + r.IntN(3) {
			tab := Table{Name: fmt.Sprint("t", i), Caption: text("", "a caption", "a = [1]"), Seed: plain(text("",
				"7"))}
			tab.Problems = []string{text("cec2013/f1", "cec2013/f{1..3}", "classic/ackley"), "cec2013/f{2,12}"}
			tab.Dims = []plain{plain(text("1000", "64k"))}
			tab.Runs, tab.Evals, tab.Stall = plain(text("", "3")), plain(text("1000", "1e4")), plain(text("", "5s"))
			for k := range 1 + r.IntN(2) {
				tab.Solvers = append(tab.Solvers, Entry{Label: fmt.Sprint("m", k), Solver: text("masw", "random",
					"sa")})
			}
			c.Tables = append(c.Tables, tab)
		}
		var b bytes.Buffer
		if err := toml.NewEncoder(&b).Encode(c); err != nil {
			t.Fatal(err)
		}
		again, err := parse("s.toml", ".", b.Bytes())
		if again != nil {
			again.file, again.dir, again.text = "", "", nil
		}
		count.Check(err == nil && reflect.DeepEqual(again, c), "%v\n%s\n%+v\n%+v", err, b.String(), again, c)
	}
}
