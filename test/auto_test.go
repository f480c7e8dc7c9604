package test

import (
	"context"
	"math"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/clopt/clopt"
	"github.com/clopt/clopt/problems"
	"github.com/clopt/clopt/problems/catalog"
)

// explicit are methods and settings that a user may choose for an objective of his own.
var explicit = []struct {
	method string
	set    map[string]string
}{
	{"multistart", nil},
	{"graybox", map[string]string{"search": "mts", "grain": "1", "population": "10"}},
	{"graybox", map[string]string{"search": "cma", "grain": "10", "population": "10"}},
	{"graybox", map[string]string{"search": "cma", "grain": "25", "population": "10"}},
	{"masw-seq", nil},
	{"masw", nil},
	{"sa", map[string]string{"variant": "sweeps"}},
	{"sa", map[string]string{"variant": "v2"}},
	{"cgrasp", nil},
}

// TestAuto minimizes the objectives in testdata/auto, whose smallest values are known, with the method that clopt
// chooses. In two seconds it must come as near to the smallest value as each explicit choice in one second, or to
// a millionth.
func TestAuto(t *testing.T) {
	if testing.Short() {
		t.Skip("it runs for some minutes")
	}
	files, err := filepath.Glob("testdata/auto/*.cl")
	if err != nil || len(files) < 20 {
		t.Fatalf("%d objectives, %v", len(files), err)
	}
	for _, file := range files {
		name := strings.TrimSuffix(filepath.Base(file), ".cl")
		t.Run(name, func(t *testing.T) {
			p, err := catalog.Parse(file, problems.Options{})
			if err != nil {
				t.Fatal(err)
			}
			best, ok := p.Info().BestKnown()
			if !ok {
				t.Fatal("no smallest value")
			}
			minimize := func(opt clopt.Options) (r *clopt.Result, distance float64, err error) {
				if r, err = clopt.Minimize(context.Background(), clopt.File(file), opt); err != nil {
					return nil, math.NaN(), err
				}
				return r, r.F - best, nil
			}
			// The first run builds the kernels.
			twice := func(opt clopt.Options) (r *clopt.Result, distance float64, err error) {
				short := opt
				short.Time = time.Millisecond
				if _, _, err := minimize(short); err != nil {
					return nil, math.NaN(), err
				}
				return minimize(opt)
			}
			chosen, ours, err := twice(clopt.Options{Time: 2 * time.Second, Seed: 1})
			if err != nil {
				t.Fatal(err)
			}
			t.Logf("%.3g  %s, because %s", ours, chosen.Method, chosen.Reason)
			for _, c := range explicit {
				opt := clopt.Options{Time: time.Second, Seed: 1, Method: c.method, Set: c.set}
				_, theirs, err := twice(opt)
				if err != nil {
					continue // the method refuses the objective
				}
				t.Logf("%.3g  %s %v", theirs, c.method, c.set)
				if ours > theirs && ours > 1e-6 {
					t.Errorf("%.3g above the smallest value, and %s %v is %.3g above it", ours, c.method, c.set, theirs)
				}
			}
		})
	}
}
