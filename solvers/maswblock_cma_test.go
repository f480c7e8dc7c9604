package solvers

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/clopt/clopt/problems"
	"github.com/clopt/clopt/problems/draw"
	"github.com/clopt/clopt/shard"
)

// Groups of eight variables, each an ellipsoid of condition 1e6 whose axes are those of no variable.
const ellipsoids = `//@ bounds -5 5
//@ reads 8*k..8*k+7
//@ components n/8
static void component(uint k, point x, data d, real *acc)
{
    real z[8], s = 0;
    for (uint i = 0; i < 8; i++) {
        z[i] = at(x, 8 * k + i) - R(0.25) * (real)(i + 1);
        s += z[i];
    }
    for (uint i = 0; i < 8; i++) {
        const real y = z[i] - s / 4; // a reflection
        acc[0] += pow(R(10.0), R(6.0) / 7 * i) * y * y;
    }
}
`

// The same, the best point being on the bound in half of the variables and far from it in the others.
const cornered = `//@ bounds -5 5
//@ reads 8*k..8*k+7
//@ components n/8
static void component(uint k, point x, data d, real *acc)
{
    real z[8], s = 0;
    for (uint i = 0; i < 8; i++) {
        z[i] = at(x, 8 * k + i) - (i % 2 ? R(5.0) : R(-1.0));
        s += z[i];
    }
    for (uint i = 0; i < 8; i++) {
        const real y = z[i] - s / 4;
        acc[0] += pow(R(10.0), R(6.0) / 7 * i) * y * y;
    }
}
`

// Steps that lead out of the box are not what is learnt.
func TestCMABox(t *testing.T) {
	path := filepath.Join(t.TempDir(), "cornered.cl")
	if err := os.WriteFile(path, []byte(cornered), 0o600); err != nil {
		t.Fatal(err)
	}
	for seed := range uint32(3) {
		m, err := New("masw", map[string]string{"acceptance": "block", "population": "10", "grain": "8", "search": "cma"})
		if err != nil {
			t.Fatal(err)
		}
		s := Settings{Key: draw.Key{Seed: seed}, Budget: Budget{Evaluations: 12000}}
		res, err := Minimize(context.Background(), parse(t, path+":n=80"), open(t, 1, shard.Options{}), s, m)
		if err != nil {
			t.Fatal(err)
		}
		t.Logf("seed %d: %.3g after %d evaluations", seed, res.F, res.Evaluations)
		if !res.Confirmed || !(res.F <= 1e-12) {
			t.Errorf("seed %d: %g, confirmed %v; want at most 1e-12", seed, res.F, res.Confirmed)
		}
	}
}

// Rastrigin's function in the same coordinates.
const rough = `//@ bounds -5 5
//@ reads 8*k..8*k+7
//@ components n/8
static void component(uint k, point x, data d, real *acc)
{
    real z[8], s = 0;
    for (uint i = 0; i < 8; i++) {
        z[i] = at(x, 8 * k + i) - R(0.25) * (real)(i + 1);
        s += z[i];
    }
    for (uint i = 0; i < 8; i++) {
        const real y = z[i] - s / 4;
        acc[0] += y * y + 10 - 10 * cos(R(6.283185307179586) * y);
    }
}
`

// A chain that is at the bottom of a valley ends, and later ones see beyond.
func TestCMABeginsAgain(t *testing.T) {
	path := filepath.Join(t.TempDir(), "rough.cl")
	if err := os.WriteFile(path, []byte(rough), 0o600); err != nil {
		t.Fatal(err)
	}
	m, err := New("masw", map[string]string{"acceptance": "block", "population": "10", "grain": "8", "search": "cma"})
	if err != nil {
		t.Fatal(err)
	}
	s := Settings{Key: draw.Key{Seed: 1}, Budget: Budget{Evaluations: 60000}}
	res, err := Minimize(context.Background(), parse(t, path+":n=80"), open(t, 1, shard.Options{}), s, m)
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%.3g after %d evaluations", res.F, res.Evaluations)
	if !res.Confirmed || !(res.F <= 10) {
		t.Errorf("%g, confirmed %v; want at most 10, one valley beside the best in each group", res.F, res.Confirmed)
	}
}

// What a group's variables do together is learnt where the search is cma, and decides how far it comes.
func TestCMALearns(t *testing.T) {
	path := filepath.Join(t.TempDir(), "ellipsoids.cl")
	if err := os.WriteFile(path, []byte(ellipsoids), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		n, grain string
		prec     problems.Precision
		search   string
		evals    int64
		lo, hi   float64
	}{
		{"80", "8", problems.FP64, "cma", 16000, 0, 1e-20},
		{"80", "8", problems.FP32, "cma", 16000, 0, 1e-6},
		{"80", "8", problems.FP64, "solis-wets", 16000, 1e-3, 1e6},
		{"16", "16", problems.FP64, "cma", 40000, 0, 1e-20}, // two groups in one block
	} {
		m, err := New("masw", map[string]string{"acceptance": "block", "population": "10", "grain": c.grain, "search": c.search})
		if err != nil {
			t.Fatal(err)
		}
		s := Settings{Key: draw.Key{Seed: 3}, Precision: c.prec, Budget: Budget{Evaluations: c.evals}}
		res, err := Minimize(context.Background(), parse(t, path+":n="+c.n), open(t, 1, shard.Options{}), s, m)
		if err != nil {
			t.Fatal(err)
		}
		t.Logf("n=%s, %v, %s: %.3g after %d evaluations", c.n, c.prec, c.search, res.F, res.Evaluations)
		if !res.Confirmed || !(res.F >= c.lo && res.F <= c.hi) {
			t.Errorf("n=%s, %v, %s: %g, confirmed %v; want %g to %g", c.n, c.prec, c.search, res.F, res.Confirmed, c.lo, c.hi)
		}
	}
}

func TestCMARefused(t *testing.T) {
	for _, m := range []MASW{{Search: "cma"}, {Acceptance: "block", Scheme: "synchronous", Search: "cma"}, {Acceptance: "block", Offspring: 9}, {Acceptance: "block", Search: "cma", States: 3}} {
		_, err := m.Start(context.Background(), parse(t, "cec2013/f1:n=2000"), open(t, 1, shard.Options{}), Setup{Precision: problems.FP64})
		if e := (*SettingError)(nil); !errors.As(err, &e) {
			t.Errorf("%+v: %v", m, err)
		}
	}
}
