package report

import (
	"bytes"
	"encoding/csv"
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

// TestPaperFiles checks that the built-in files equal the published ones.
func TestPaperFiles(t *testing.T) {
	for name, source := range map[string]string{"ferreiro2012": "seed004_tables.csv",
		"andrade2012": "seed002_table1.csv"} {
		have, err := papers.ReadFile("papers/" + name + ".csv")
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(have, publishedFile(t, "classic", source)) {
			t.Errorf("papers/%s.csv differs from %s", name, source)
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
