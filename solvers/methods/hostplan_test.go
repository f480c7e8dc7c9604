package methods

import (
	"errors"
	"testing"

	"github.com/clopt/clopt/internal/problems/hostmem"
	"github.com/clopt/clopt/problems"
	"github.com/clopt/clopt/shard"
	"github.com/clopt/clopt/solvers"
	"github.com/clopt/clopt/solvers/lm"
)

// greedy needs more memory than any host has.
type greedy struct{ solvers.Solver }

func (m greedy) Traits() solvers.Traits {
	t := m.Solver.Traits()
	t.HostPlan = func(problems.Problem) []shard.PlanItem { return []shard.PlanItem{{Bytes: 1 << 60}} }
	return t
}

// A method for which the host has too little memory is not chosen.
func TestFitsHost(t *testing.T) {
	if hostmem.Left().Limit == "" {
		t.Skip("the memory of this system is not known")
	}
	err := fitsHost(greedy{&lm.LM{}}, nil)
	if e, ok := errors.AsType[*hostmem.Error](err); !ok || e.What != "method lm" || e.Need != 1<<60 {
		t.Errorf("error %v", err)
	}
	if err := (shard.Plan{Host: []shard.PlanItem{{Bytes: 1 << 60}}}).FitHost(nil); err == nil {
		t.Error("the plan of a run fits any host")
	}
}
