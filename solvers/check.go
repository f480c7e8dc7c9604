package solvers

import (
	"context"
	"errors"
	"fmt"

	"github.com/clopt/clopt/cl"
	"github.com/clopt/clopt/internal/solvers/slope"
	"github.com/clopt/clopt/problems"
	"github.com/clopt/clopt/shard"
)

// checkArguments returns an error for arguments with which no run can be made, whatever the method and the problem.
func checkArguments(ctx context.Context, p problems.Problem, g *shard.Devices, s Settings, method Solver) error {
	if method == nil {
		return errors.New("solvers: the method is nil")
	}
	if err := Validate(method); err != nil {
		return err
	}
	if err := checkInputs(ctx, p, g, s.Precision); err != nil {
		return err
	}
	if err := s.Budget.Validate(); err != nil {
		return fmt.Errorf("solvers: %w", err)
	}
	return nil
}

// checkInputs is checkArguments without the settings and the method.
func checkInputs(ctx context.Context, p problems.Problem, g *shard.Devices, prec problems.Precision) error {
	switch {
	case ctx == nil:
		return errors.New("solvers: the context is nil; use context.Background()")
	case g == nil:
		return errors.New("solvers: the devices are nil; shard.Open opens some")
	}
	if err := problems.Validate(p); err != nil {
		return fmt.Errorf("solvers: %w", err)
	}
	if err := prec.Validate(); err != nil {
		return fmt.Errorf("solvers: %w", err)
	}
	return nil
}

// Fit returns the method that is run on p within a budget: what its Traits say, or m itself. The
// settings of m must be valid. Minimize calls it for a new run. A caller that wants to plan or record the run calls it
// before.
func Fit(m Solver, p problems.Problem, b Budget, devices []cl.Info) Solver {
	if fit := m.Traits().Fit; fit != nil {
		return fit(p, b, devices)
	}
	return m
}

// Check refuses settings of a run that a method cannot follow: start points of the wrong length or outside
// the box, more of them than the method takes, a limit of evaluations or moves below the first step, and points to keep
// that the problem does not have. It touches no device and builds no kernel. Its error is a *SettingError.
func Check(p problems.Problem, s Settings, method Solver) error {
	if err := checkStart(p, s.X0); err != nil {
		return err
	}
	if err := s.Keep.validate(p); err != nil {
		return err
	}
	name, d := method.Traits().Name, LimitsOf(method, p, s.Precision)
	switch n, e, moves := len(s.X0), s.Budget.Evaluations, s.Budget.Moves; {
	case n > 0 && d.Starts == 0:
		return Settingf("method %s takes no start points", name)
	case n > d.Starts:
		return Settingf("%d start points, and method %s takes at most %d here", n, name, d.Starts)
	case e > 0 && e < d.Step+int64(n)*d.PerStart:
		least := d.Step + int64(n)*d.PerStart
		return Settingf("evaluations are limited to %d, and the first step of %s may need %d; use a limit of at least "+
			"%d", e, name, least, least)
	case moves > 0 && d.Moves == 0:
		return Settingf("method %s has no limit of moves; limit its evaluations", name)
	case moves > 0 && moves < d.Moves:
		return Settingf("moves are limited to %d, and the first step of %s may need %d; use a limit of at least %d",
			moves, name, d.Moves, d.Moves)
	}
	return checkGTol(p, s.Budget.GTol, method)
}

// checkGTol refuses a limit of the slope that says nothing of a minimum, or that the method does not see.
func checkGTol(p problems.Problem, gtol float64, method Solver) error {
	switch t := method.Traits(); {
	case gtol == 0:
	case t.Slopes == nil || !t.Slopes(p):
		return Settingf("a limit of the slope (gtol %g) ends a method that follows gradients, and %s makes none; use "+
			"lbfgs, or a limit of evaluations or time", gtol, t.Name)
	case slope.Step(p) != "":
		return Settingf("the function has steps (%s), between which its slope may be 0 anywhere, so gtol %g says "+
			"nothing of a minimum; use a target, or a limit of evaluations or time",
			slope.Step(p), gtol)
	}
	return nil
}

// Suits returns why a method does not take a problem, as a *SettingError, or nil if it does, adapted or not (Adapted).
// It touches no device.
func Suits(method Solver, p problems.Problem, prec problems.Precision) error {
	if err := prec.Validate(); err != nil {
		return Settingf("%v", err)
	}
	if problems.CallOf(p) != nil && prec != problems.FP64 {
		return Settingf("%s is a function of the host, which takes float64; use --precision fp64", p.Spec())
	}
	err := p.Domain().Holds(prec)
	if err != nil {
		return Settingf("%v. Use --precision fp64, or bounds with a number of %v between them", err, prec)
	}
	for _, q := range scales(p) {
		if err = suits(method, q, prec); err == nil {
			return nil
		}
	}
	return err
}

// suits is Suits for a method that is not adapted.
func suits(method Solver, p problems.Problem, prec problems.Precision) error {
	if problems.CallOf(p) != nil && !method.Traits().Calls {
		return Settingf("%s computes on devices, and %s is a function of the host; name no method, and clopt chooses "+
			"one", method.Traits().Name, p.Spec())
	}
	if suits := method.Traits().Suits; suits != nil {
		return suits(p, prec)
	}
	if err := Continuous(method, p); err != nil {
		return err
	}
	return CheckOneBox(method, p)
}

// Continuous refuses problems whose variables are 0 or 1. Its error is a *SettingError.
func Continuous(method Solver, p problems.Problem) error {
	if p.Domain().Binary {
		return Settingf("%s moves real variables, and those of %s are 0 or 1; name no method, and clopt "+
			"chooses one", method.Traits().Name, p.Spec())
	}
	return nil
}

// CheckOneBox refuses problems whose variables have different intervals. It is for methods that support a single
// interval for all variables, which Minimize adapts. Its error is a *SettingError.
func CheckOneBox(m Solver, p problems.Problem) error {
	if p.Domain().OneBox() {
		return nil
	}
	return Settingf("the variables of %s have different intervals, which %s takes only if it is adapted (Adapted)",
		p.Spec(), m.Traits().Name)
}

// CheckPartial refuses problems that have no device text for changes of single variables. Its error is a
// *SettingError.
func CheckPartial(m Solver, p problems.Problem, prec problems.Precision) error {
	_, err := p.Text(prec, problems.Partial)
	if errors.Is(err, problems.ErrNoForm) {
		return Settingf("method %s changes single variables, and %s has no device text that evaluates such a change; "+
			"name no method, and clopt chooses one", m.Traits().Name, p.Spec())
	}
	return err
}
