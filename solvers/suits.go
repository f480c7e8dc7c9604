package solvers

import (
	"github.com/clopt/clopt/problems"
)

// Checker is a Solver that says itself which problems it takes.
type Checker interface {
	Solver
	// Suits returns nil for a problem that the method takes, else what to do,
	// as a *SettingError. Start would refuse it in the same words.
	Suits(p problems.Problem, prec problems.Precision) error
}

// Suits says, before a device is touched, why a method does not take a problem, as
// a *SettingError; nil if it does. A method that is no Checker takes problems of
// real variables in one box.
func Suits(method Solver, p problems.Problem, prec problems.Precision) error {
	if s, ok := method.(Checker); ok {
		return s.Suits(p, prec)
	}
	if err := Continuous(method, p); err != nil {
		return err
	}
	return CheckOneBox(method, p)
}

// Continuous refuses problems whose variables are 0 or 1.
func Continuous(method Solver, p problems.Problem) error {
	if p.Domain().Binary {
		return Settingf("%s moves real variables, and those of %s are 0 or 1; choose a method for them with --solver, "+
			"such as random (clopt list solvers)", method.Name(), p.Spec())
	}
	return nil
}
