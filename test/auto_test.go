package test

import (
	"context"
	"errors"
	"math"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/clopt/clopt"
	"github.com/clopt/clopt/problems"
	"github.com/clopt/clopt/problems/catalog"
	"github.com/clopt/clopt/solvers"
)

// explicit are methods and settings that a user may choose for an objective of his own.
var explicit = []struct {
	method string
	set    map[string]string
}{
	{"graybox", nil},
	{"masw-seq", nil},
	{"masw", nil},
	{"sa", map[string]string{"variant": "sweeps"}},
	{"lbfgs", nil},
	{"cmaes", nil},
	{"cgrasp", nil},
}

// TestAuto minimizes the objectives in testdata/auto, whose smallest values are known, with the method that clopt
// chooses. In two seconds it must come as near to the smallest value as each explicit choice in one second, up to
// a factor of ten, or to a hundred-thousandth.
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
			// distance minimizes twice, since the first run builds kernels.
			distance := func(opt clopt.Options) (*clopt.Result, float64, error) {
				first := opt
				first.Evals = 3000
				if _, err := clopt.Minimize(context.Background(), clopt.File(file), first); err != nil {
					return nil, math.NaN(), err
				}
				r, err := clopt.Minimize(context.Background(), clopt.File(file), opt)
				if err != nil {
					return nil, math.NaN(), err
				}
				return r, r.F - best, nil
			}
			chosen, ours, err := distance(clopt.Options{Time: 2 * time.Second, Seed: 1})
			if err != nil {
				t.Fatal(err)
			}
			t.Logf("%.3g  %s, because %s", ours, chosen.Method, chosen.Reason)
			for _, c := range explicit {
				_, theirs, err := distance(clopt.Options{Time: time.Second, Seed: 1, Method: c.method, Set: c.set})
				if _, refused := errors.AsType[*solvers.SettingError](err); refused {
					continue
				} else if err != nil {
					t.Fatal(err)
				}
				t.Logf("%.3g  %s %v", theirs, c.method, c.set)
				if ours > 10*theirs && ours > 1e-5 {
					t.Errorf("%.3g above the smallest value, and %s %v is %.3g above it", ours, c.method, c.set, theirs)
				}
			}
		})
	}
}
