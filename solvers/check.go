package solvers

import (
	"github.com/clopt/clopt/problems"
)

// Demand is what a method makes of start points and evaluations on a problem.
type Demand struct {
	Starts int   // start points it takes at most
	Step   int64 // evaluations of its first step, at least 1
}

// demanding is a method that knows its demand before it starts.
type demanding interface {
	Demand(p problems.Problem, prec problems.Precision) Demand
}

// Check refuses, before a device is touched or a kernel is built, what a method
// would refuse later: start points that are wrong or that it does not take, and
// a limit of evaluations below one step. Its error is a *SettingError.
func Check(p problems.Problem, s Settings, method Solver) error {
	if err := CheckStart(p, s.X0); err != nil {
		return err
	}
	m, ok := method.(demanding)
	if !ok {
		return nil // its Start and its Step tell
	}
	d := m.Demand(p, s.Precision)
	switch n, e := len(s.X0), s.Budget.Evaluations; {
	case n > 0 && d.Starts == 0:
		return Settingf("solver %s takes no start points", method.Name())
	case n > d.Starts:
		return Settingf("%d start points, and solver %s takes at most %d here", n, method.Name(), d.Starts)
	case e > 0 && e < d.Step:
		return Settingf("the limit of %d evaluations is below one step of %s (%d evaluations)", e, method.Name(), d.Step)
	}
	return nil
}

// CheckStart refuses start points of the wrong length or outside the box.
func CheckStart(p problems.Problem, x0 [][]float64) error {
	for k, x := range x0 {
		if len(x) != p.Dim() {
			return Settingf("start point %d has %d variables, %s has %d", k, len(x), p.Spec(), p.Dim())
		}
		for i, v := range x {
			if lo, hi := problems.BoundsOf(p, i); !(v >= lo && v <= hi) {
				return Settingf("variable %d of start point %d is %g, outside %g to %g", i, k, v, lo, hi)
			}
		}
	}
	return nil
}

// CheckOneBox refuses problems whose variables have different intervals, for
// methods that know one.
func CheckOneBox(m Solver, p problems.Problem) error {
	if problems.OneBox(p) {
		return nil
	}
	return Settingf("the variables of %s have different intervals, which solver %s does not know; use sa", p.Spec(), m.Name())
}
