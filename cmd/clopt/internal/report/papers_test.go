package report

import (
	"bytes"
	"encoding/csv"
	"math"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/clopt/clopt/test/datatest"
)

// publishedFile returns a file of the published tables, and skips without it.
func publishedFile(t *testing.T, parts ...string) []byte {
	t.Helper()
	text, err := os.ReadFile(datatest.File(t, parts...))
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// TestPublishedValues checks that the built-in files have the values of the published tables, each in a row of its own.
func TestPublishedValues(t *testing.T) {
	for _, c := range []struct {
		name, source, method string
		values               map[string]string // by their columns in the source
		varied               map[string]string // by tables that vary a setting: its column, and what a label calls it
	}{
		{"ferreiro2012", "seed004_tables.csv", "version", map[string]string{"evaluations": "moves", "time_s": "seconds",
			"speedup": "speedup", "abs_error_f": "error", "location_error": "location"}, map[string]string{
			"3": "chains w=", "4": "chains w=", "5": "N N=", "6": "evaluations ", "7": "precision "}},
		{"andrade2012", "seed002_table1.csv", "sequential", map[string]string{"cgrasp_time_s": "seconds"}, nil},
		{"andrade2012", "seed002_table1.csv", "parallel", map[string]string{"cgrasp_pc_time_s": "seconds",
			"speedup": "speedup"}, nil},
	} {
		p, err := ReadPaper(c.name)
		if err != nil {
			t.Fatal(err)
		}
		lines, err := csv.NewReader(bytes.NewReader(publishedFile(t, "classic", c.source))).ReadAll()
		if err != nil {
			t.Fatal(err)
		}
		before := map[string]float64{} // the seconds of the annealing before a local minimizer
		for i, l := range lines[1:] {
			of := map[string]string{"table": "I", "sequential": "sequential", "parallel": "parallel"}
			for k, head := range lines[0] {
				of[head] = l[k]
			}
			label := of[c.method]
			if column, name, ok := strings.Cut(c.varied[of["table"]], " "); ok {
				label += " " + name + of[column]
			}
			r := p.Find(of["table"], of["problem"], label)
			for column, name := range c.values {
				want, err := strconv.ParseFloat(of[column], 64)
				if err == nil && label == "hybrid" && name == "seconds" {
					want += before[of["problem"]]
				}
				got := float64(r.At(name))
				if err == nil && math.Abs(got-want) > 1e-12*want || err != nil && !math.IsNaN(got) {
					t.Errorf("%s, line %d: %s of %s is %v, and %q in the source", c.name, i+2, name, label, got,
						of[column])
				}
			}
			before[of["problem"]] = float64(r.At("seconds"))
		}
	}
}

// TestKnownCuts checks that the best known values are those of the collection.
func TestKnownCuts(t *testing.T) {
	lines, err := csv.NewReader(bytes.NewReader(publishedFile(t, "maxcut", "best_known.csv"))).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	best := map[string]string{}
	for _, l := range lines[1:] {
		best[strings.TrimSuffix(l[0], ".txt")] = l[slices.Index(lines[0], "best_known")]
	}
	p, err := ReadPaper("bouter2022")
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for i := range p.Rows {
		r := &p.Rows[i]
		known, err := strconv.ParseFloat(best[r.Problem], 64)
		if err != nil {
			t.Errorf("%s is not in the collection", r.Problem)
			continue
		}
		if r.Label == "known" {
			n++
			if float64(r.At("best")) != known {
				t.Errorf("%s: %v, and %v in the collection", r.Problem, r.At("best"), known)
			}
		} else if _, v := r.last(); v > known {
			t.Errorf("%s: %s has %v, above the best known %v", r.Problem, r.Label, v, known)
		}
	}
	if n < 14 {
		t.Errorf("%d best known values", n)
	}
}

// TestTablesOfCano checks which functions the tables of Cano and García-Martínez stand beside: those without shift, and
// at 1000 variables the shifted ones, too.
func TestTablesOfCano(t *testing.T) {
	p, err := ReadPaper("cano2016")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		variant string
		dim     int
		want    bool
	}{
		{"", 1000, true}, {"mode=paper", 1000, true}, {"transform=none", 1000, false},
		{"", 1e6, false}, {"mode=paper", 1e6, true},
	} {
		key := TableKey{Family: "cec2013", Variant: c.variant, Dim: c.dim, Data: "official"}
		if got := len(p.Beside(key)) > 0; got != c.want {
			t.Errorf("%q with %d variables: %v, want %v", c.variant, c.dim, got, c.want)
		}
	}
}
