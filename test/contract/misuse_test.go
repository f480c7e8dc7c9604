package contract

import (
	"context"
	"errors"
	"strings"
	"sync"
	"testing"

	"github.com/clopt/clopt/internal/shard/trial"
	"github.com/clopt/clopt/internal/solvers/structure"
	"github.com/clopt/clopt/problems"
	"github.com/clopt/clopt/problems/rng"
	"github.com/clopt/clopt/shard"
	"github.com/clopt/clopt/solvers"
	"github.com/clopt/clopt/solvers/random"
	"github.com/clopt/clopt/test/problemtest"
	"github.com/clopt/clopt/test/solvertest"
)

// TestRefusesPrecision gives a number of bits as a precision. Every function that takes one returns an error with the
// number, and none takes it for float32 or float64.
func TestRefusesPrecision(t *testing.T) {
	g := solvertest.OpenDevices(t, 1, shard.Options{})
	ctx, method := context.Background(), &random.Random{}
	for _, spec := range []string{"classic/sphere:n=8", "cec2013/f4:n=1000", "maxcut:torus=4x4"} {
		p := solvertest.ParseProblem(t, spec)
		x := [][]float64{make([]float64, p.Domain().N)}
		for name, call := range map[string]func(problems.Precision) error{
			"solvers.Minimize": func(prec problems.Precision) error {
				_, err := solvers.Minimize(ctx, p, g, solvers.Settings{Precision: prec,
					Budget: solvers.Budget{Evaluations: 100}}, method)
				return err
			},
			"solvers.MinimizeRuns": func(prec problems.Precision) error {
				_, errs := solvers.MinimizeRuns(ctx, p, g, []solvers.Settings{{Precision: prec}}, method)
				return errs[0]
			},
			"solvers.Try":   func(prec problems.Precision) error { return solvers.Try(ctx, p, g, prec) },
			"solvers.Suits": func(prec problems.Precision) error { return solvers.Suits(method, p, prec) },
			"shard.Select": func(prec problems.Precision) error {
				_, err := shard.Select("", prec)
				return err
			},
			"shard.Evaluate": func(prec problems.Precision) error {
				_, err := shard.Evaluate(ctx, g, p, prec, x)
				return err
			},
			"shard.AllocReals": func(prec problems.Precision) error {
				_, err := shard.AllocReals(g.All()[0], prec, 4)
				return err
			},
			"trial.Run": func(prec problems.Precision) error { return trial.Run(ctx, g, p, prec) },
			"structure.Learn": func(prec problems.Precision) error {
				_, err := structure.Learn(ctx, g, p, prec, rng.Key{})
				return err
			},
			"structure.Verify": func(prec problems.Precision) error {
				_, err := structure.Verify(ctx, g, p, prec, rng.Key{})
				return err
			},
			"structure.Suits": func(prec problems.Precision) error { return structure.Suits(p, prec) },
			"Problem.Text": func(prec problems.Precision) error {
				_, err := p.Text(prec, problems.Item)
				return err
			},
		} {
			if name == "structure.Suits" && p.Domain().Binary { // it refuses them in any precision
				continue
			}
			for _, prec := range []problems.Precision{64, 32, -1} {
				want := "precision is " + strings.Trim(prec.String(), "Precision()")
				if err := call(prec); err == nil || !strings.Contains(err.Error(), want) {
					t.Errorf("%s of %s in precision %d: %v, want an error with %q", name, spec, int(prec), err, want)
				}
			}
		}
		if _, err := p.Text(problems.FP64, 17); err == nil || !strings.Contains(err.Error(), "form is 17") {
			t.Errorf("%s in form 17: %v", spec, err)
		}
	}
}

// TestDevicesInUse gives one shard.Devices to two goroutines at the same time. One of them has an error at once, and
// the other one its result.
func TestDevicesInUse(t *testing.T) {
	ctx, method, p := context.Background(), &random.Random{}, solvertest.ParseProblem(t, "classic/sphere:n=8")
	g := problemtest.Group(t, problemtest.Devices(t, 1), shard.Options{})
	points := [][]float64{make([]float64, 8)}
	begun, ended := make(chan struct{}), make(chan struct{})
	s := solvers.Settings{Budget: solvers.Budget{Evaluations: 1000}, Started: func(solvers.Info) {
		close(begun)
		<-ended
	}}
	var res *solvers.Result
	var err error
	var run sync.WaitGroup
	run.Go(func() { res, err = solvers.Minimize(ctx, p, g, s, method) })
	<-begun
	_, errs := solvers.MinimizeRuns(ctx, p, g, []solvers.Settings{{}}, method)
	for what, err := range map[string]error{
		"Minimize": func() error {
			_, err := solvers.Minimize(ctx, p, g, solvers.Settings{}, method)
			return err
		}(),
		"MinimizeRuns": errs[0],
		"Try":          solvers.Try(ctx, p, g, problems.FP64),
		"Evaluate": func() error {
			_, err := shard.Evaluate(ctx, g, p, problems.FP64, points)
			return err
		}(),
		"Learn": func() error {
			_, err := structure.Learn(ctx, g, p, problems.FP64, rng.Key{})
			return err
		}(),
		"Verify": func() error {
			_, err := structure.Verify(ctx, g, p, problems.FP64, rng.Key{})
			return err
		}(),
	} {
		if !errors.Is(err, shard.ErrInUse) {
			t.Errorf("%s: %v", what, err)
		}
	}
	close(ended)
	run.Wait()
	if err != nil || !res.Confirmed {
		t.Errorf("the run: %+v, %v", res, err)
	}
	if f, err := shard.Evaluate(ctx, g, p, problems.FP64, points); err != nil || f[0] != 0 {
		t.Errorf("after the run: %v, %v", f, err)
	}
}
