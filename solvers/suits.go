package solvers

import "github.com/clopt/clopt/problems"

// suitor is a Solver that itself tells which problems it takes.
type suitor interface {
	// Suits returns nil for a problem that the method takes, else what to do,
	// as a *SettingError.
	Suits(p problems.Problem) error
}

// Suits says why a method does not take a problem, as a *SettingError; nil if it
// does. A method that does not tell takes problems of real variables.
func Suits(method Solver, p problems.Problem) error {
	if s, ok := method.(suitor); ok {
		return s.Suits(p)
	}
	if _, binary := p.(problems.Binary); binary {
		return settingf("%s moves real variables, and those of %s are 0 or 1; choose a method for them with --solver, such as random (clopt list solvers)", method.Name(), p.Spec())
	}
	return nil
}
