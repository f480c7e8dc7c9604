package solvers

import (
	"github.com/clopt/clopt/problems"
)

// Checker is a Solver that decides which problems it takes.
type Checker interface {
	Solver
	// Suits returns nil for a problem that the method takes. Otherwise it returns a *SettingError that says
	// what to do instead. Start returns the same error.
	Suits(p problems.Problem, prec problems.Precision) error
}

// Suits returns why a method does not take a problem, as a *SettingError, or nil if it does. It touches no
// device. A method that is not a Checker takes problems of real variables that all have the same interval.
func Suits(method Solver, p problems.Problem, prec problems.Precision) error {
	if s, ok := method.(Checker); ok {
		return s.Suits(p, prec)
	}
	if err := Continuous(method, p); err != nil {
		return err
	}
	return CheckOneBox(method, p)
}

// Continuous refuses problems whose variables are 0 or 1. Its error is a *SettingError.
func Continuous(method Solver, p problems.Problem) error {
	if p.Domain().Binary {
		return Settingf("%s moves real variables, and those of %s are 0 or 1; choose a method for them with --solver, "+
			"such as random (clopt list solvers)", method.Name(), p.Spec())
	}
	return nil
}
