package main

import (
	"bytes"
	"encoding/csv"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/clopt/clopt/solvers/methods"
)

// publishedFile returns a file of the published tables, and skips without it.
func publishedFile(t *testing.T, parts ...string) []byte {
	t.Helper()
	dir := publishedData
	if dir == "" {
		dir = filepath.Join("..", "..", "..", "shared", "data")
	}
	text, err := os.ReadFile(filepath.Join(append([]string{dir}, parts...)...))
	if err != nil {
		t.Skipf("no published tables: %v", err)
	}
	return text
}

// TestPaperFiles: what is built in is what was published, byte for byte.
func TestPaperFiles(t *testing.T) {
	for name, source := range map[string]string{"ferreiro2012": "seed004_tables.csv", "andrade2012": "seed002_table1.csv"} {
		have, err := papers.ReadFile("papers/" + name + ".csv")
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(have, publishedFile(t, "classic", source)) {
			t.Errorf("papers/%s.csv differs from %s", name, source)
		}
	}
}

// TestKnownCuts: the best known values are those of the collection.
func TestKnownCuts(t *testing.T) {
	lines, err := csv.NewReader(bytes.NewReader(publishedFile(t, "maxcut", "best_known.csv"))).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	best := map[string]string{}
	for _, l := range lines[1:] {
		best[strings.TrimSuffix(l[0], ".txt")] = l[slices.Index(lines[0], "best_known")]
	}
	p, err := readPaper("bouter2022")
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for i := range p.readings {
		r := &p.readings[i]
		known, err := strconv.ParseFloat(best[r.problem], 64)
		if err != nil {
			t.Errorf("%s is not in the collection", r.problem)
			continue
		}
		if r.label == "known" {
			n++
			if float64(r.at("best")) != known {
				t.Errorf("%s: %v, and %v in the collection", r.problem, r.at("best"), known)
			}
		} else if _, v := r.last(); v > known {
			t.Errorf("%s: %s has %v, above the best known %v", r.problem, r.label, v, known)
		}
	}
	if n < 14 {
		t.Errorf("%d best known values", n)
	}
}

// TestPaperCells: every number that a paper prints has a cell of its campaign
// beside it, and a column that shows it.
func TestPaperCells(t *testing.T) {
	for _, name := range []string{"ferreiro2012", "andrade2012"} {
		if name == "andrade2012" && !slices.Contains(methods.Names(), "cgrasp") {
			t.Log("andrade2012 needs solver cgrasp, which is not there")
			continue
		}
		c, err := openCampaign(name)
		if err != nil {
			t.Fatal(err)
		}
		cells := map[string]bool{}
		columns := map[string][]string{}
		for i := range c.Tables {
			tab := &c.Tables[i]
			columns[tab.Name] = (&measured{view: &tab.view}).columnsOf()
			if len(tab.Baselines) > 0 {
				columns[tab.Name] = append(columns[tab.Name], "speedup")
			}
			for _, pattern := range tab.Problems {
				specs, _ := expand(pattern)
				for _, spec := range specs {
					for _, e := range tab.Solvers {
						cells[tab.Name+" "+strings.TrimPrefix(spec, "classic/")+" "+e.Label] = true
					}
				}
			}
		}
		p, err := readPaper(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range p.readings {
			if !cells[r.table+" "+r.problem+" "+r.label] {
				t.Errorf("%s: table %s has no cell for %s %s", name, r.table, r.problem, r.label)
			}
			for q := range r.values {
				if !slices.Contains(columns[r.table], q) {
					t.Errorf("%s: table %s has no column for the %s of %s %s", name, r.table, q, r.problem, r.label)
				}
			}
		}
		if len(p.readings) < 16 {
			t.Errorf("%s: %d readings", name, len(p.readings))
		}
	}
}
