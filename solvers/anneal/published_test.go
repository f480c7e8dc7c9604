package anneal

import (
	"encoding/csv"
	"math"
	"os"
	"strconv"
	"testing"

	"github.com/clopt/clopt/solvers"
	"github.com/clopt/clopt/test/datatest"
)

// The settings make at most the number of evaluations that the paper printed, which it truncated to three
// digits.
func TestPublishedAnnealing(t *testing.T) {
	f, err := os.Open(datatest.File(t, "classic", "seed004_tables.csv"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	rows, err := csv.NewReader(f).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	head := map[string]int{}
	for i, name := range rows[0] {
		head[name] = i
	}
	seen := 0
	for _, row := range rows[1:] {
		table, config, variant := row[head["table"]], row[head["problem"]],
			map[string]string{"V0": "v0", "V1": "v1", "V2": "v2", "hybrid": "hybrid"}[row[head["version"]]]
		printed := row[head["evaluations"]]
		if table == "10" && variant == "v2" {
			variant = "hybrid" // the first phase of the rows below
		} else if table != "1" && table != "9" || variant == "" {
			continue
		}
		set, ok := PublishedAnnealing(config, variant)
		if !ok {
			t.Errorf("table %s: no settings for %s %s", table, config, variant)
			continue
		}
		m, err := solvers.Configure(&SA{}, set)
		if err != nil {
			t.Errorf("table %s, %s %s: %v", table, config, variant, err)
			continue
		}
		if printed == "" {
			continue
		}
		want, err := strconv.ParseFloat(printed, 64)
		if err != nil {
			t.Fatal(err)
		}
		seen++
		got := float64(m.(*SA).schedule().moves())
		if got > want+0.01*math.Pow(10, math.Floor(math.Log10(want))) || got < 0.97*want && config != "F15" {
			t.Errorf("table %s, %s %s: %.4g evaluations, printed %s", table, config, variant, got, printed)
		}
	}
	if seen < 41 {
		t.Errorf("%d rows", seen)
	}
	if _, ok := PublishedAnnealing("G1", "v2"); ok {
		t.Error("a function of another paper has settings")
	}
}
