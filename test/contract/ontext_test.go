package contract

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/clopt/clopt/internal/clc/host"
	"github.com/clopt/clopt/problems"
	"github.com/clopt/clopt/shard"
	"github.com/clopt/clopt/solvers"
	"github.com/clopt/clopt/solvers/random"
	"github.com/clopt/clopt/test/problemtest"
	"github.com/clopt/clopt/test/solvertest"
)

// otherText is a problem whose text the host reads as another one.
type otherText struct {
	problems.Problem
	other problems.Problem
}

func (p otherText) OnHost(prec problems.Precision) (*host.Reference, error) {
	return problems.OnHost(p.other, prec)
}

// An own text is compared with what the host reads, at the start and at the best point. A device that gives something
// else is refused, and a text that the host does not read is confirmed by the device, which says why.
func TestComparedWithTheText(t *testing.T) {
	g := problemtest.Group(t, problemtest.Devices(t, 1), shard.Options{})
	parse := func(body string) problems.Problem {
		path := filepath.Join(t.TempDir(), "f.cl")
		text := "//@ bounds -1 2\n//@ n 40\nstatic void component(uint k, point x, data d, real *acc)\n{ " + body +
			" }\n"
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return solvertest.ParseProblem(t, path)
	}
	// Terms cancel, and the sum is of the size of the rounding errors of the function.
	plain := parse("real v = at(x, k); acc[0] += sin(v) - sin(v + R(1e-9));")
	minimize := func(p problems.Problem, prec problems.Precision) (*solvers.Result, error) {
		return solvers.Minimize(context.Background(), p, g, solvers.Settings{Precision: prec,
			Budget: solvers.Budget{Evaluations: 300}}, &random.Random{})
	}
	for _, prec := range []problems.Precision{problems.FP64, fp32} {
		res, err := minimize(plain, prec)
		if err != nil || !res.Confirmed || res.Confirmer != "host (from the text)" || res.HostF != res.Again {
			t.Errorf("%v: %+v, %v", prec, res, err)
		}
	}
	_, err := minimize(otherText{plain, parse("acc[0] += sin(at(x, k)) * R(1e-6);")}, problems.FP64)
	if _, ok := errors.AsType[*shard.CheckError](err); !ok {
		t.Errorf("a device that disagrees: %v", err)
	}
	res, err := minimize(parse("acc[0] += as_double(as_ulong(at(x, k)));"), problems.FP64)
	if err != nil || !res.Confirmed || res.Confirmer != "device" || !strings.Contains(res.WhyDevice, "uses as_double") {
		t.Errorf("a text that is not read: %+v, %v", res, err)
	}
}
